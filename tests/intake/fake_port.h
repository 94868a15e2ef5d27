// An engine that answers at once, or keeps its callbacks for the test. Any thread.
#pragma once

#include "core/base/ids.h"
#include "core/intake/intake_port.h"

#include <atomic>
#include <mutex>
#include <vector>

namespace redrive::test {

class FakePort final : public IntakePort
{
public:
    using EnqueueCallback = std::function<void(Result<EnqueueReply>)>;

    void enqueue(EnqueueRequest request, EnqueueCallback reply) override
    {
        ++calls;
        std::unique_lock lock(mutex);
        requests.push_back(std::move(request));
        if (hold) {
            held.push_back(std::move(reply));
            return;
        }
        const auto answer = error ? Result<EnqueueReply>(tl::unexpected(*error))
                                  : Result<EnqueueReply>(EnqueueReply{idsFor(requests.back()), duplicate});
        lock.unlock();
        reply(answer);
    }
    void ingest(IngestRequest request, std::function<void(Result<IngestReply>)> reply) override
    {
        ++calls;
        std::unique_lock lock(mutex);
        ingests.push_back(std::move(request));
        const QStringList ids(ingests.back().events.size(), QString::fromUtf8(kJobId));
        const auto answer = error ? Result<IngestReply>(tl::unexpected(*error))
                                  : Result<IngestReply>(IngestReply{ids, duplicate});
        lock.unlock();
        reply(answer);
    }
    void job(QString id, std::function<void(Result<QByteArray>)> reply) override
    {
        ++calls;
        if (id == QString::fromUtf8(kJobId))
            reply(QByteArray("{\"id\":\"") + kJobId + "\",\"status\":\"done\"}");
        else
            reply(fail(ErrorKind::NotFound, u"no such job"_s));
    }
    void metrics(std::function<void(Result<QByteArray>)> reply) override
    {
        ++calls;
        reply(QByteArray("redrive_jobs 1\n"));
    }
    void health(std::function<void(Health)> reply) override
    {
        ++calls;
        reply(healthy ? Health{} : Health{false, {u"the disk is \"full\""_s}});
    }
    // Answers everything held, in the order given by `reverse`.
    void release(bool reverse = false)
    {
        std::vector<EnqueueCallback> due;
        {
            std::lock_guard lock(mutex);
            due.swap(held);
        }
        if (reverse)
            std::reverse(due.begin(), due.end());
        for (std::size_t i = 0; i < due.size(); ++i)
            due[i](EnqueueReply{{u"job-%1"_s.arg(reverse ? due.size() - 1 - i : i)}, false});
    }
    static QStringList idsFor(const EnqueueRequest& request)
    {
        return QStringList(qsizetype(request.jobs.size()), QString::fromUtf8(kJobId));
    }
    std::size_t heldCount()
    {
        std::lock_guard lock(mutex);
        return held.size();
    }

    static constexpr const char* kJobId = "019a0000-0000-7000-8000-000000000000";
    std::atomic<int> calls = 0;
    std::mutex mutex; // guards the rest while a server runs
    std::vector<EnqueueRequest> requests;
    std::vector<IngestRequest> ingests;
    std::vector<EnqueueCallback> held;
    std::optional<Error> error;
    std::atomic<bool> hold = false;
    std::atomic<bool> duplicate = false;
    std::atomic<bool> healthy = true;
};

} // namespace redrive::test
