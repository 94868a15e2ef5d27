#include "core/telemetry/telemetry_writer.h"

#include "core/base/ids.h"
#include "core/base/log.h"
#include "core/db/telemetry_table.h"
#include "core/domain/reason.h"
#include "core/queue/message_burial.h"
#include "core/store/lone_change.h"
#include "core/store/redrive_ledger_store.h"
#include "core/telemetry/telemetry_event.h"

#include <algorithm>

namespace redrive {

namespace {

// Trying again changes nothing. Other errors may be of the table as a whole.
bool isOfTheRow(const Error& error)
{
    return error.kind == ErrorKind::Constraint || error.kind == ErrorKind::InvalidInput;
}

QString wordsOf(const Error& error)
{
    return error.detail.isEmpty() ? error.message : error.detail;
}

// A dead letter that was requeued was received when its id was made.
qint64 receivedAtMs(const WaitingMessage& message)
{
    const qint64 idMs = mayBeRedriven(message) ? idTimeMs(message.id) : -1;
    return idMs > 0 ? std::min(idMs, message.sentAtMs) : message.sentAtMs;
}

std::vector<BatchRow> rowsOf(const QList<WaitingMessage>& messages)
{
    std::vector<BatchRow> rows;
    rows.reserve(size_t(messages.size()));
    for (const WaitingMessage& message : messages) {
        BatchRow row;
        if (auto made = telemetryRow(message.id, message.body, receivedAtMs(message)))
            row.row = *std::move(made);
        else
            row.error = std::move(made.error());
        rows.push_back(std::move(row));
    }
    return rows;
}

// How many of them, from `first` on, are one unit.
qsizetype unitFrom(const QList<WaitingMessage>& messages, qsizetype first)
{
    qint64 bytes = messages[first].body.size();
    qsizetype end = first + 1;
    while (end < messages.size() && bytes + messages[end].body.size() <= TelemetryWriter::kMostBytes)
        bytes += messages[end++].body.size();
    return end - first;
}

// In runs without a gap, each by one statement.
Status removeAll(Cycle& cycle, std::vector<qint64> seqs)
{
    std::sort(seqs.begin(), seqs.end());
    for (size_t first = 0; first < seqs.size();) {
        size_t last = first;
        while (last + 1 < seqs.size() && seqs[last + 1] == seqs[last] + 1)
            ++last;
        REDRIVE_TRY(message_store::removeRun(cycle, seqs[first], seqs[last]));
        first = last + 1;
    }
    return {};
}

} // namespace

Status TelemetryWriter::write(Cycle& cycle, const ConsumerSettings& queue,
                              const QList<WaitingMessage>& messages)
{
    m_waitsUntil.reset();
    if (m_waitMs > 0)
        REDRIVE_TRY(mendTable(cycle));
    for (qsizetype first = 0; first < messages.size() && !m_waitsUntil;) {
        const qsizetype count = unitFrom(messages, first);
        REDRIVE_TRY(writeUnit(cycle, queue, messages.mid(first, count)));
        first += count;
    }
    return {};
}

Status TelemetryWriter::writeUnit(Cycle& cycle, const ConsumerSettings& queue,
                                  const QList<WaitingMessage>& messages)
{
    std::vector<BatchRow> rows = rowsOf(messages);
    RowWriter writer(cycle, rows, m_enders);
    REDRIVE_TRY(writer.run());

    const auto unclear = std::find_if(
        rows.cbegin(), rows.cend(), [](const BatchRow& row) { return row.error && !isOfTheRow(*row.error); });
    const bool waits = unclear != rows.cend() && writer.written() == 0;
    TelemetryBatch batch;
    batch.rows = writer.written();
    batch.extraTransactions = writer.extraTransactions();
    batch.writtenAtMs = cycle.nowMs;
    batch.oldestMs = cycle.nowMs;
    std::vector<qint64> written;
    written.reserve(rows.size());
    for (qsizetype i = 0; i < messages.size(); ++i) {
        const WaitingMessage& message = messages[i];
        const std::optional<Error>& error = rows[size_t(i)].error;
        if (!error) {
            written.push_back(message.seq);
            batch.oldestMs = std::min(batch.oldestMs, message.sentAtMs);
            if (mayBeRedriven(message))
                REDRIVE_TRY(redrive_ledger_store::noteSuccess(cycle, message.id));
        } else if (!waits || isOfTheRow(*error)) {
            REDRIVE_TRY(bury(cycle, queue, message, *error));
            ++batch.poison;
        }
    }
    REDRIVE_TRY(removeAll(cycle, std::move(written)));
    cycle.changes.queues = true;
    cycle.changes.telemetry = true;
    Counters& counters = m_counters;
    cycle.afterCommit.push_back([&counters, batch, name = queue.queue] {
        counters.telemetry.add(batch);
        counters.queues.add(name, &QueueTotals::done, quint64(batch.rows));
    });
    if (waits)
        return wait(cycle, *unclear->error);
    if (batch.rows > 0)
        goOn(cycle);
    return {};
}

Status TelemetryWriter::bury(Cycle& cycle, const ConsumerSettings& queue, const WaitingMessage& message,
                             const Error& error)
{
    const QString words = wordsOf(error);
    if (mayBeRedriven(message))
        REDRIVE_TRY(redrive_ledger_store::noteFailure(cycle, message.id, words));
    REDRIVE_TRY(buryMessage(cycle, {queue, message, {}, message.attempts + 1, reason::kPermanent, words},
                            m_counters));
    cycle.afterCommit.push_back([this, id = message.id] { m_enders.remove(id); });
    return {};
}

// A table that was put back meanwhile may have none of the rules, and its rows may not be counted.
Status TelemetryWriter::mendTable(Cycle& cycle)
{
    REDRIVE_ASSIGN(missing, telemetryTableIsMissing(cycle.db));
    if (missing)
        return {};
    const Status mended = changeAlone(cycle, [&] { return ensureTelemetryTable(cycle.db); });
    return mended || !concernsTheStore(mended.error()) ? Status() : mended; // the rows say what is wrong
}

Status TelemetryWriter::wait(Cycle& cycle, const Error& because)
{
    QString reason = because.text();
    REDRIVE_ASSIGN(missing, telemetryTableIsMissing(cycle.db));
    if (missing)
        reason += u"; put the table system_telemetry back, or restart Redrive, which makes it anew, empty"_s;
    const qint64 waitMs = std::clamp(2 * m_waitMs, kFirstWaitMs, kLongestWaitMs);
    m_waitsUntil = cycle.steadyMs + waitMs;
    cycle.afterCommit.push_back([this, waitMs, words = reason, untilMs = cycle.nowMs + waitMs] {
        m_waitMs = waitMs;
        logEvent(LogLevel::Error, "telemetry_waits", {{"error", words}});
        m_counters.telemetry.setWaiting(words, untilMs);
    });
    return {};
}

void TelemetryWriter::nothingWaits(Cycle& cycle)
{
    cycle.changes.telemetry = true;
    cycle.afterCommit.push_back([this] {
        m_waitsUntil.reset();
        m_waitMs = 0;
        m_counters.telemetry.setWaiting();
    });
}

void TelemetryWriter::goOn(Cycle& cycle)
{
    if (m_waitMs == 0)
        return;
    cycle.afterCommit.push_back([this] {
        m_waitMs = 0;
        m_counters.telemetry.setWaiting();
    });
}

} // namespace redrive
