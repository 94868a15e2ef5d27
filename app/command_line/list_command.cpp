#include "app/command_line/commands.h"
#include "app/command_line/output.h"
#include "app/command_line/row_lines.h"
#include "app/place.h"
#include "core/base/clock.h"
#include "core/db/store_fault.h"
#include "core/store/activity_read_store.h"
#include "core/store/delivery_read_store.h"
#include "core/store/job_read_store.h"
#include "core/store/letter_read_store.h"
#include "core/store/list_store.h"
#include "core/store/telemetry_read_store.h"

namespace redrive {

namespace {

constexpr std::size_t kRowsAtOnce = 1'000;

std::size_t rowsAtOnce(ListKind kind)
{
    return kind == ListKind::Telemetry ? telemetry_read_store::kWholeAtOnce : kRowsAtOnce;
}

ListRequest requestOf(const Invocation& invocation)
{
    ListRequest request;
    if (invocation.command == u"deliveries")
        request.kind = ListKind::Deliveries;
    else if (invocation.command == u"dead")
        request.kind = invocation.bin ? ListKind::Bin : ListKind::DeadLetters;
    else if (invocation.command == u"activity")
        request.kind = ListKind::Activity;
    else if (invocation.command == u"telemetry")
        request.kind = ListKind::Telemetry;
    request.filter = invocation.where.value_or(QString());
    request.limit = invocation.limit > 0 ? invocation.limit + 1 : 0; // one more tells that there are more
    return request;
}

QueueAttempts attemptsOf(const Settings& settings)
{
    QueueAttempts attempts;
    for (const ConsumerSettings& consumer : settings.consumers)
        attempts.insert(consumer.queue, consumer.maxRetries + 1);
    return attempts;
}

Status printRows(Connection& db, ListKind kind, const std::vector<qint64>& keys,
                 const QueueAttempts& attempts, RowPrinter& printer)
{
    if (kind == ListKind::Jobs) {
        REDRIVE_ASSIGN(rows, job_read_store::rows(db, keys, attempts));
        for (const JobRow& row : rows)
            printer.print(row);
    } else if (kind == ListKind::Deliveries) {
        REDRIVE_ASSIGN(rows, delivery_read_store::rows(db, keys));
        for (const DeliveryRow& row : rows)
            printer.print(row);
    } else if (kind == ListKind::Activity) {
        REDRIVE_ASSIGN(rows, activity_read_store::rows(db, keys));
        for (const ActivityRow& row : rows)
            printer.print(row);
    } else if (kind == ListKind::Telemetry) {
        REDRIVE_ASSIGN(rows, telemetry_read_store::wholeRows(db, keys));
        for (const TelemetryRow& row : rows)
            printer.print(row);
    } else {
        REDRIVE_ASSIGN(rows, letter_read_store::rows(db, keys));
        for (const LetterRow& row : rows)
            printer.print(row);
    }
    return {};
}

Status list(const Invocation& invocation, const Place& place)
{
    REDRIVE_ASSIGN(db, openExisting(place, Access::Reader));
    const ListRequest request = requestOf(invocation);
    REDRIVE_ASSIGN(cursor, ListCursor::open(request, SystemClock().wallMs()));
    std::vector<qint64> keys;
    for (bool last = false; !last;) {
        REDRIVE_ASSIGN(slice, cursor->next(*db));
        keys.insert(keys.end(), slice.keys.begin(), slice.keys.end());
        last = slice.last;
    }
    const bool more = invocation.limit > 0 && keys.size() > std::size_t(invocation.limit);
    if (more)
        keys.resize(std::size_t(invocation.limit));
    RowPrinter printer(request.kind, invocation.csv    ? RowForm::Csv
                                     : invocation.json ? RowForm::Json
                                                       : RowForm::Table);
    const std::size_t atOnce = rowsAtOnce(request.kind);
    for (std::size_t begin = 0; begin < keys.size(); begin += atOnce) {
        const auto end = std::min(begin + atOnce, keys.size());
        REDRIVE_TRY(printRows(*db, request.kind,
                              {keys.begin() + qsizetype(begin), keys.begin() + qsizetype(end)},
                              attemptsOf(place.settings), printer));
    }
    printer.finish();
    if (more)
        printNotice(
            u"more match than the %1 shown: --limit N shows N, --limit 0 all"_s.arg(invocation.limit));
    return {};
}

} // namespace

int runList(const Invocation& invocation)
{
    const auto place = findPlace(invocation);
    if (!place)
        return failed(place.error());
    const auto listed = list(invocation, *place);
    return listed ? exit_code::kDone : failed(describeFailure(place->target, listed.error()));
}

} // namespace redrive
