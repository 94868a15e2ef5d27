// What clients send in, on its way into the store: many submissions share one commit, and each is answered
// after it. A `Submission` has
//   size_t size() const       rows it makes, 1 or more
//   bool alone() const        whether the database may refuse a part of it: it gets a savepoint of its own
//   std::optional<IdempotencyKey> idempotencyKey
//   std::function<void(Result<StoredIds>)> reply    called on the control thread, after the commit
#pragma once

#include "core/base/stopping.h"
#include "core/store/idempotency_store.h"
#include "core/store/lone_change.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <iterator>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace redrive {

struct StoredIds
{
    QStringList ids; // in the order of the submission
    bool duplicate = false;
};

template <typename Submission>
class SubmissionInbox : public CyclePart
{
public:
    // From any thread.
    void enqueue(Submission submission)
    {
        std::unique_lock lock(m_mutex);
        if (m_closed || m_refusal) {
            const Error why = m_closed ? engineIsStopping() : *m_refusal;
            lock.unlock();
            submission.reply(fail(why));
            return;
        }
        const bool first = m_inbox.empty();
        m_inbox.push_back(std::move(submission));
        const bool enough = m_inbox.size() == m_wanted;
        lock.unlock();
        if (first)
            m_wake();
        if (enough)
            m_more.notify_one();
    }
    // Control thread, before a turn: gives a crowd of waiting clients a moment to come back together, so that
    // they share one commit. Does not wait for a single client.
    void gather()
    {
        std::unique_lock lock(m_mutex);
        const size_t found = m_inbox.size();
        if (found == 0)
            return;
        if (found < m_expected) {
            m_wanted = m_expected;
            m_more.wait_for(lock, kGather, [this] { return m_closed || m_inbox.size() >= m_wanted; });
            m_wanted = 0;
        }
        m_expected = std::max(m_inbox.size(), m_expected - (m_expected + 7) / 8);
    }
    // From now on submissions are answered with Refused "stopping". Any thread.
    void close()
    {
        std::lock_guard lock(m_mutex);
        m_closed = true;
    }
    // Answers what still waits in the same way: no turn follows any more. Control thread.
    void refuseWaiting()
    {
        std::vector<Submission> waiting;
        {
            std::lock_guard lock(m_mutex);
            m_closed = true;
            waiting.swap(m_inbox);
        }
        for (const Submission& submission : waiting)
            submission.reply(fail(engineIsStopping()));
    }

    bool hasWork(qint64, qint64) const override
    {
        std::lock_guard lock(m_mutex);
        return !m_inbox.empty();
    }
    Status apply(Cycle& cycle) override
    {
        takeForThisTurn();
        if (m_writing.empty())
            return {};
        auto answers = std::make_shared<std::vector<Result<StoredIds>>>();
        answers->reserve(m_writing.size());
        for (size_t i = 0; i < m_writing.size(); ++i) {
            const bool alone = m_careful || m_writing[i].alone();
            if (alone)
                REDRIVE_TRY(finish(cycle));
            Result<StoredIds> answer = alone ? writeAlone(cycle, i) : writeOnce(cycle, m_writing[i]);
            if (!answer && (m_ender || !isItsOwn(answer.error(), alone)))
                return fail(answer.error());
            answers->push_back(std::move(answer));
        }
        REDRIVE_TRY(finish(cycle));
        cycle.afterCommit.push_back([this, answers] {
            for (size_t i = 0; i < answers->size(); ++i) {
                if ((*answers)[i] && !(*answers)[i]->duplicate)
                    count(m_writing[i]);
                m_writing[i].reply(std::move((*answers)[i]));
            }
            m_writing.clear();
            m_careful = false;
        });
        return {};
    }
    void rolledBack(const Error& error) override
    {
        const auto ender = std::exchange(m_ender, std::nullopt);
        forget();
        if (m_writing.empty())
            return;
        if (concernsTheStore(error) || (m_careful && !ender)) {
            m_careful = false;
            for (const Submission& submission : std::exchange(m_writing, {}))
                submission.reply(fail(error));
            return;
        }
        if (ender) {
            m_writing[ender->at].reply(fail(ender->error));
            m_writing.erase(m_writing.begin() + std::ptrdiff_t(ender->at));
        } else {
            m_careful = true;
        }
        std::lock_guard lock(m_mutex);
        m_inbox.insert(m_inbox.begin(), std::make_move_iterator(m_writing.begin()),
                       std::make_move_iterator(m_writing.end()));
        m_writing.clear();
    }
    void storeRefuses(const std::optional<Error>& why) override
    {
        std::vector<Submission> waiting;
        {
            std::lock_guard lock(m_mutex);
            m_refusal = why;
            if (why)
                waiting.swap(m_inbox);
        }
        for (const Submission& submission : waiting)
            submission.reply(fail(*why));
    }
    std::optional<qint64> nextDeadline() const override { return std::nullopt; }

protected:
    // `wake` is called when the first submission of a burst waits; a turn takes submissions, each whole,
    // until it has `rowsPerTurn`.
    SubmissionInbox(std::function<void()> wake, size_t rowsPerTurn)
        : m_wake(std::move(wake)), m_rowsPerTurn(rowsPerTurn)
    {
    }

    // Writes all of it; the ids in its order. Where it is not alone(), it refuses before it writes.
    virtual Result<QStringList> write(Cycle& cycle, const Submission& submission) = 0;
    // Writes what write() has put aside, for several submissions at once: before and after one that is alone,
    // and at the end of the turn.
    virtual Status finish(Cycle&) { return {}; }
    // What was put aside is not to be written.
    virtual void forget() {}
    // It is durable.
    virtual void count(const Submission& submission) = 0;

private:
    static constexpr std::chrono::microseconds kGather{500};

    // Its sender's trouble, and nobody else's.
    static bool isItsOwn(const Error& error, bool alone)
    {
        return error.kind == ErrorKind::InvalidInput || error.kind == ErrorKind::Conflict ||
               error.kind == ErrorKind::Refused || (alone && !concernsTheStore(error));
    }
    void takeForThisTurn()
    {
        m_writing.clear();
        std::lock_guard lock(m_mutex);
        size_t rows = 0;
        auto end = m_inbox.begin();
        for (; end != m_inbox.end() && rows < m_rowsPerTurn; ++end)
            rows += end->size();
        m_writing.assign(std::make_move_iterator(m_inbox.begin()), std::make_move_iterator(end));
        m_inbox.erase(m_inbox.begin(), end);
    }
    Result<StoredIds> writeOnce(Cycle& cycle, const Submission& submission)
    {
        const auto& key = submission.idempotencyKey;
        if (key) {
            REDRIVE_ASSIGN(known, idempotency_store::find(cycle, *key));
            if (known && known->bodySha256 != key->bodySha256)
                return fail(ErrorKind::Conflict, u"this Idempotency-Key was used with another body"_s);
            if (known)
                return StoredIds{known->ids, true};
        }
        REDRIVE_ASSIGN(ids, write(cycle, submission));
        if (key)
            REDRIVE_TRY(idempotency_store::remember(cycle, *key, ids));
        return StoredIds{std::move(ids), false};
    }

    // As changeAlone(), and sees when the database has ended the whole turn because of it.
    Result<StoredIds> writeAlone(Cycle& cycle, size_t at)
    {
        REDRIVE_ASSIGN(savepoint, Savepoint::begin(cycle.db));
        Result<StoredIds> answer = writeOnce(cycle, m_writing[at]);
        if (const Status finished = answer ? finish(cycle) : Status(); !finished)
            answer = fail(finished.error());
        if (answer) {
            REDRIVE_TRY(savepoint.release());
            return answer;
        }
        forget();
        if (!savepoint.undo())
            m_ender = Ender{at, answer.error()};
        return answer;
    }

    // A submission that a trigger answered with RAISE(ROLLBACK). The others are written without it.
    struct Ender
    {
        size_t at;
        Error error;
    };

    const std::function<void()> m_wake;
    const size_t m_rowsPerTurn;
    std::optional<Ender> m_ender;      // of this turn
    std::vector<Submission> m_writing; // of this turn
    bool m_careful = false; // after an error that one row of the turn may have caused: each by itself

    size_t m_expected = 1; // submissions of the largest of the last bursts

    mutable std::mutex m_mutex; // guards the rest
    std::condition_variable m_more;
    size_t m_wanted = 0; // submissions that gather() waits for
    std::vector<Submission> m_inbox;
    bool m_closed = false;
    std::optional<Error> m_refusal; // the store cannot be written: everything is answered so
};

} // namespace redrive
