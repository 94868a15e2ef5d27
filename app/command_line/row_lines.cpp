#include "app/command_line/row_lines.h"

namespace redrive {

using namespace Qt::Literals::StringLiterals;

namespace {

// What a row of a user's own says is shown as it is.
template <typename Row>
QString statusText(const Row& row)
{
    return row.otherStatus.isEmpty() ? toText(row.status) : row.otherStatus;
}

constexpr qsizetype kErrorWidth = 60;

QStringList titles(ListKind kind)
{
    switch (kind) {
    case ListKind::Deliveries:
        return {u"ID"_s, u"STATE"_s, u"EVENT"_s, u"ENDPOINT"_s, u"ATTEMPTS"_s, u"NEXT"_s, u"ERROR"_s};
    case ListKind::DeadLetters:
    case ListKind::Bin:
        return {u"ID"_s, u"KIND"_s, u"TYPE"_s, u"FROM"_s, u"ATTEMPTS"_s, u"DIED"_s, u"WHY"_s, u"ERROR"_s};
    default:
        return {u"ID"_s, u"STATE"_s, u"TYPE"_s, u"QUEUE"_s, u"ATTEMPTS"_s, u"NEXT"_s, u"ERROR"_s};
    }
}

QString firstLine(const QString& error)
{
    const QString line = error.section(u'\n', 0, 0).trimmed();
    return line.size() > kErrorWidth ? line.left(kErrorWidth - 1) + u'…' : line;
}

QString ofMost(int attempts, int most)
{
    return most > 0 ? u"%1/%2"_s.arg(attempts).arg(most) : QString::number(attempts);
}

} // namespace

RowPrinter::RowPrinter(ListKind kind, bool json) : m_json(json), m_table(titles(kind)) {}

void RowPrinter::print(const JobRow& row)
{
    m_empty = false;
    if (!m_json) {
        m_table.add({row.id, statusText(row), row.type, row.queue, ofMost(row.attempts, row.maxAttempts),
                     utcText(row.dueAtMs), firstLine(row.error)});
        return;
    }
    JsonLine()
        .add("id", row.id)
        .add("type", row.type)
        .add("status", statusText(row))
        .addTextOrNull("queue", row.queue)
        .addTextOrNull("reason", row.reason)
        .addTextOrNull("error", row.error)
        .add("run", row.run)
        .add("attempts", row.attempts)
        .add("maxAttempts", row.maxAttempts)
        .add("crashes", row.crashes)
        .add("createdAt", row.createdAtMs)
        .add("updatedAt", row.updatedAtMs)
        .add("nextAttemptAt", row.dueAtMs)
        .add("discarded", row.discarded)
        .addTextOrNull("parentId", row.parentId)
        .addTextOrNull("supersededBy", row.supersededBy)
        .add("deliveries", row.deliveries)
        .add("deliveriesOpen", row.deliveriesOpen)
        .add("deliveriesDead", row.deliveriesDead)
        .print();
}

void RowPrinter::print(const DeliveryRow& row)
{
    m_empty = false;
    if (!m_json) {
        m_table.add({row.id, statusText(row), row.eventType, row.endpointId, ofMost(row.spent, row.budget),
                     utcText(row.dueAtMs), firstLine(row.error)});
        return;
    }
    JsonLine()
        .add("id", row.id)
        .add("status", statusText(row))
        .add("endpointId", row.endpointId)
        .addTextOrNull("url", row.url)
        .addTextOrNull("eventId", row.eventId)
        .add("eventType", row.eventType)
        .addTextOrNull("jobId", row.jobId)
        .addTextOrNull("reason", row.reason)
        .addTextOrNull("error", row.error)
        .add("attempts", row.attempts)
        .add("spent", row.spent)
        .add("budget", row.budget)
        .add("createdAt", row.createdAtMs)
        .add("updatedAt", row.updatedAtMs)
        .add("nextAttemptAt", row.dueAtMs)
        .add("discarded", row.discarded)
        .print();
}

void RowPrinter::print(const LetterRow& row)
{
    m_empty = false;
    if (!m_json) {
        m_table.add({row.subjectId, toText(row.kind), row.type,
                     row.kind == LetterKind::Delivery ? row.endpointId : row.sourceQueue,
                     ofMost(row.attempts, row.maxAttempts), utcText(row.deadAtMs), row.reason,
                     firstLine(row.error)});
        return;
    }
    JsonLine()
        .add("id", row.subjectId)
        .add("letter", row.key)
        .add("kind", toText(row.kind))
        .add("state", toText(row.state))
        .add("type", row.type)
        .addTextOrNull("sourceQueue", row.sourceQueue)
        .addTextOrNull("deadLetterQueue", row.deadLetterQueue)
        .addTextOrNull("endpointId", row.endpointId)
        .add("run", row.run)
        .add("attempts", row.attempts)
        .add("maxAttempts", row.maxAttempts)
        .add("reason", row.reason)
        .addTextOrNull("error", row.error)
        .add("sentAt", row.sentAtMs)
        .add("deadAt", row.deadAtMs)
        .add("changedAt", row.changedAtMs)
        .addTextOrNull("supersededBy", row.supersededBy)
        .print();
}

void RowPrinter::finish()
{
    if (!m_json && !m_empty)
        m_table.print();
}

} // namespace redrive
