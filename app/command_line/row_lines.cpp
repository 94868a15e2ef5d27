#include "app/command_line/row_lines.h"

#include <utility>

namespace redrive {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qsizetype kErrorWidth = 60;

QStringList titles(ListKind kind)
{
    switch (kind) {
    case ListKind::Deliveries:
        return {u"ID"_s, u"STATE"_s, u"EVENT"_s, u"ENDPOINT"_s, u"ATTEMPTS"_s, u"NEXT"_s, u"ERROR"_s};
    case ListKind::DeadLetters:
    case ListKind::Bin:
        return {u"ID"_s, u"KIND"_s, u"TYPE"_s, u"FROM"_s, u"ATTEMPTS"_s, u"DIED"_s, u"WHY"_s, u"ERROR"_s};
    case ListKind::Activity:
        return {u"AT"_s, u"BY"_s, u"WHAT"_s, u"SUBJECT"_s, u"COUNT"_s, u"STATE"_s, u"OUTCOME"_s, u"REASON"_s};
    case ListKind::Telemetry:
        return {u"ID"_s, u"AT"_s, u"TENANT"_s, u"SOURCE"_s, u"BYTES"_s, u"PAYLOAD"_s};
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

RowPrinter::RowPrinter(ListKind kind, RowForm form) : m_form(form), m_table(titles(kind)) {}

void RowPrinter::printFields(const QList<RowField>& fields)
{
    if (m_form == RowForm::Json) {
        printLine(jsonLineOf(fields));
        return;
    }
    if (std::exchange(m_empty, false))
        printLine(csvTitlesOf(fields).chopped(1)); // the line end is whole with the printed one
    printLine(csvLineOf(fields).chopped(1));
}

void RowPrinter::print(const JobRow& row)
{
    if (m_form == RowForm::Table) {
        m_table.add({row.id, statusOf(row), row.type, row.queue, ofMost(row.attempts, row.maxAttempts),
                     utcText(row.dueAtMs), firstLine(row.error)});
        m_empty = false;
        return;
    }
    printFields(fieldsOf(row));
}

void RowPrinter::print(const DeliveryRow& row)
{
    if (m_form == RowForm::Table) {
        m_table.add({row.id, statusOf(row), row.eventType, row.endpointId, ofMost(row.spent, row.budget),
                     utcText(row.dueAtMs), firstLine(row.error)});
        m_empty = false;
        return;
    }
    printFields(fieldsOf(row));
}

void RowPrinter::print(const LetterRow& row)
{
    if (m_form == RowForm::Table) {
        m_table.add({row.subjectId, toText(row.kind), row.type,
                     row.kind == LetterKind::Delivery ? row.endpointId : row.sourceQueue,
                     ofMost(row.attempts, row.maxAttempts), utcText(row.deadAtMs), row.reason,
                     firstLine(row.error)});
        m_empty = false;
        return;
    }
    printFields(fieldsOf(row));
}

void RowPrinter::print(const ActivityRow& row)
{
    if (m_form == RowForm::Table) {
        m_table.add({utcText(row.atMs), row.isAlert ? u"-"_s : row.actor, row.what, firstLine(row.target),
                     QString::number(row.count), row.state(),
                     firstLine(row.isAlert ? row.postError : row.result), firstLine(row.reason)});
        m_empty = false;
        return;
    }
    printFields(fieldsOf(row));
}

void RowPrinter::print(const TelemetryRow& row)
{
    if (m_form == RowForm::Table) {
        m_table.add({row.id, utcText(row.createdAtMs), row.tenantId, row.source,
                     QString::number(row.payloadBytes), firstLine(row.payload.left(300).simplified())});
        m_empty = false;
        return;
    }
    printFields(fieldsOf(row));
}

void RowPrinter::finish()
{
    if (m_form == RowForm::Table && !m_empty)
        m_table.print();
}

} // namespace redrive
