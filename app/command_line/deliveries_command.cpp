#include "app/command_line/commands.h"
#include "app/command_line/output.h"
#include "app/place.h"
#include "core/base/json_chars.h"
#include "core/db/store_fault.h"
#include "core/domain/row_fields.h"
#include "core/engine/detail_reading.h"

namespace redrive {

namespace {

QString textOf(const QByteArray& bytes)
{
    return json::isText(bytes.cbegin(), bytes.cend())
               ? QString::fromUtf8(bytes)
               : u"%1 bytes that are no text; --json has them in base64"_s.arg(bytes.size());
}

// "name      first line", further lines below the first; nothing where there is no text.
void printFact(const QString& indent, const QString& name, const QString& text)
{
    constexpr int kNameWidth = 10;
    bool first = true;
    for (const QString& line : text.split(u'\n')) {
        const QString shown = line.endsWith(u'\r') ? line.chopped(1) : line;
        if (text.isEmpty())
            return;
        printLine(indent + (first ? name : QString()).leftJustified(kNameWidth) + shown);
        first = false;
    }
}

QString msText(qint64 us)
{
    return u"%1 ms"_s.arg(double(us) / 1000.0, 0, 'f', us < 10'000 ? 1 : 0);
}

QString phasesOf(const DeliveryAttempt& attempt)
{
    QStringList phases;
    const auto add = [&](const QString& name, qint64 us) {
        if (us > 0)
            phases.append(name + u' ' + msText(us));
    };
    add(u"DNS"_s, attempt.dnsUs);
    add(u"connect"_s, attempt.connectUs);
    add(u"TLS"_s, attempt.tlsUs);
    add(u"first byte"_s, attempt.firstByteUs);
    add(u"whole"_s, attempt.totalUs);
    return phases.join(u", "_s);
}

QString tlsOf(const DeliveryAttempt& attempt)
{
    if (!attempt.certificateEndsAtMs)
        return attempt.tlsVersion;
    return u"%1, certificate ends %2"_s.arg(attempt.tlsVersion, utcText(attempt.certificateEndsAtMs));
}

QString errorOf(const QString& code, const QString& error)
{
    return code.isEmpty() || error.contains(code) ? error : code + u": "_s + error;
}

QString nextOf(const DeliveryAttempt& attempt)
{
    if (!attempt.nextAtMs)
        return attempt.nextReason;
    const QString at = utcText(attempt.nextAtMs);
    return attempt.nextReason.isEmpty() ? at : u"%1: %2"_s.arg(at, attempt.nextReason);
}

void printAttempt(const DeliveryAttempt& attempt)
{
    QString outcome = attempt.outcome.isEmpty() ? u"running"_s : attempt.outcome;
    if (attempt.statusCode)
        outcome += u' ' + QString::number(*attempt.statusCode);
    if (!attempt.outcomeClass.isEmpty())
        outcome += u" (%1)"_s.arg(attempt.outcomeClass);
    if (attempt.kind == u"replay")
        outcome += attempt.replayOf ? u", replay of attempt %1"_s.arg(*attempt.replayOf) : u", replay"_s;
    printLine(QString());
    printLine(u"attempt %1, %2: %3"_s.arg(attempt.attempt).arg(utcText(attempt.startedAtMs), outcome));
    const QString indent(2, u' ');
    printFact(indent, u"request"_s, u"POST "_s + attempt.url);
    printFact(indent, u"peer"_s, attempt.peer);
    printFact(indent, u"settings"_s,
              attempt.endpointVersion ? u"version %1 of its endpoint"_s.arg(*attempt.endpointVersion)
                                      : u"the event's own"_s);
    printFact(indent, u"phases"_s, phasesOf(attempt));
    printFact(indent, u"TLS"_s, tlsOf(attempt));
    printFact(indent, u"ended"_s, attempt.finishedAtMs ? utcText(attempt.finishedAtMs) : QString());
    printFact(indent, u"error"_s, errorOf(attempt.errorCode, attempt.error));
    printFact(indent, u"next"_s, nextOf(attempt));
    printFact(indent, u"sent"_s, attempt.requestHeaders.trimmed());
    printFact(indent, u"answer"_s, attempt.responseHeaders.trimmed());
    printFact(indent, u"body"_s, textOf(attempt.responseBody));
}

void printDelivery(const DeliveryDetail& detail)
{
    const DeliveryRow& row = detail.delivery;
    printLine(u"%1 %2, %3 for %4"_s.arg(row.id, statusOf(row), row.eventType, row.endpointId));
    printFact({}, u"url"_s, row.url);
    printFact({}, u"event"_s,
              row.jobId.isEmpty() ? row.eventId : u"%1 of job %2"_s.arg(row.eventId, row.jobId));
    printFact({}, u"why"_s, row.reason);
    printFact({}, u"error"_s, row.error);
    printFact({}, u"attempts"_s,
              u"%1, and %2 of its budget of %3 spent"_s.arg(row.attempts).arg(row.spent).arg(row.budget));
    printFact({}, u"next"_s, row.dueAtMs ? utcText(row.dueAtMs) : QString());
    if (row.breakerUntilMs)
        printFact({}, u"breaker"_s, u"open, probes "_s + utcText(row.breakerUntilMs));
    if (row.pausedUntilMs)
        printFact({}, u"pause"_s, u"its endpoint asked for one until "_s + utcText(row.pausedUntilMs));
    printFact({}, u"made"_s, utcText(row.createdAtMs));
    printFact({}, u"changed"_s, utcText(row.updatedAtMs));
    printFact({}, u"bin"_s, row.discarded ? u"discarded"_s : QString());
    printFact({}, u"body"_s, textOf(detail.body));
    for (const DeliveryAttempt& attempt : detail.attempts)
        printAttempt(attempt);
}

// The delivery, then a line for each attempt.
void printJson(const DeliveryDetail& detail)
{
    printLine(jsonLineOf(fieldsOf(detail.delivery) + bodyFields("body", "bodyBase64", detail.body)));
    for (const DeliveryAttempt& attempt : detail.attempts)
        printLine(jsonLineOf(QList<RowField>{{"delivery", detail.delivery.id}} + fieldsOf(attempt)));
}

Status show(const Place& place, const QString& id, bool json)
{
    REDRIVE_ASSIGN(db, openExisting(place, Access::Reader));
    REDRIVE_ASSIGN(detail, readDeliveryDetail(*db, id));
    if (json)
        printJson(detail);
    else
        printDelivery(detail);
    return {};
}

} // namespace

int runDeliveries(const Invocation& invocation)
{
    if (invocation.names.isEmpty())
        return runList(invocation);
    const bool understood = invocation.names.size() == 2 && invocation.names.first() == u"show";
    if (!understood || invocation.where || invocation.csv) {
        printError(u"deliveries takes show with the ID of a delivery (and --json), or lists them"_s);
        return exit_code::kUsage;
    }
    const auto place = findPlace(invocation);
    if (!place)
        return failed(place.error());
    const Status shown = show(*place, invocation.names.at(1), invocation.json);
    return shown ? exit_code::kDone : failed(describeFailure(place->target, shown.error()));
}

} // namespace redrive
