#include "ui/models/endpoint_rows.h"

#include "core/base/result.h"
#include "core/domain/endpoint_status.h"
#include "ui/models/format.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace redrive {

namespace {

constexpr qint64 kCertificateSoonMs = 14 * 86'400'000LL;

QString words(const char* text)
{
    return QCoreApplication::translate("Endpoints", text);
}

QJsonObject settingsOf(const EndpointRow& endpoint)
{
    return QJsonDocument::fromJson(endpoint.settings).object();
}

QString eventsText(const EndpointRow& endpoint)
{
    QStringList events;
    for (const QJsonValue& event : settingsOf(endpoint)[u"events"].toArray())
        events.append(event.toString());
    if (!events.isEmpty())
        return cellText(events.join(u", "_s));
    return endpoint.version > 0 ? words("all") : format::unknown();
}

PlainCell countCell(qint64 count)
{
    PlainCell cell{QVariant(count)};
    if (count == 0)
        cell.emphasis = Emphasis::Tertiary;
    return cell;
}

PlainCell certificateCell(const EndpointRow& endpoint, qint64 nowMs)
{
    if (!endpoint.certificateEndsAtMs)
        return {};
    const qint64 left = *endpoint.certificateEndsAtMs - nowMs;
    if (left <= 0)
        return {words("ended"), {}, 0, Emphasis::Strong};
    return {words("%1 left").arg(format::age(left)),
            {},
            0,
            left < kCertificateSoonMs ? std::optional(Emphasis::Strong) : std::nullopt};
}

} // namespace

QString originWord(EndpointOrigin origin)
{
    switch (origin) {
    case EndpointOrigin::Configuration:
        return words("configuration");
    case EndpointOrigin::Made:
        return words("made here");
    case EndpointOrigin::Payload:
        return words("payloads");
    }
    return {};
}

StateWord stateOf(const EndpointRow& endpoint)
{
    switch (statusOf(endpoint)) {
    case EndpointStatus::Deleted:
        return {u"cancelled"_s, words("Deleted")};
    case EndpointStatus::Gone:
        return {u"dead"_s, words("Gone")};
    case EndpointStatus::Disabled:
        return {u"held"_s, words("Disabled")};
    case EndpointStatus::Paused:
        return {u"held"_s, words("Paused")};
    case EndpointStatus::BreakerOpen:
        return {u"breakerOpen"_s, words("Breaker open")};
    case EndpointStatus::Waiting:
        return {u"retrying"_s, words("Asked to wait")};
    case EndpointStatus::Enabled:
        break;
    }
    return {u"done"_s, words("Enabled")};
}

QString whyOfEndpoint(const EndpointRow& endpoint, qint64 nowMs)
{
    const QString by = endpoint.changedBy.isEmpty() ? QString() : cellText(endpoint.changedBy);
    const auto since = [&](qint64 atMs) { return format::duration(nowMs - atMs); };
    if (endpoint.deletedAtMs)
        return words("Deleted %1 ago; what was open and not cancelled is held.")
            .arg(since(*endpoint.deletedAtMs));
    if (endpoint.disabledAtMs && endpoint.disabledCause == DisabledCause::Gone)
        return words("It answered 410 Gone %1 ago: its deliveries are held until it is enabled, or a replay "
                     "succeeds.")
            .arg(since(*endpoint.disabledAtMs));
    if (endpoint.disabledAtMs)
        return words("Disabled by %1 %2 ago: its deliveries are held.")
            .arg(by.isEmpty() ? format::unknown() : by, since(*endpoint.disabledAtMs));
    if (endpoint.pausedAtMs)
        return words("Paused by %1 %2 ago: its deliveries are held.")
            .arg(by.isEmpty() ? format::unknown() : by, since(*endpoint.pausedAtMs));
    if (isPausedBySettings(endpoint))
        return words("Its settings pause it: its deliveries are held.");
    if (endpoint.breakerUntilMs)
        return *endpoint.breakerUntilMs > nowMs
                   ? words(
                         "Its breaker is open for %1: it failed too often. The next delivery is tried in %2.")
                         .arg(since(endpoint.breakerOpenedAtMs.value_or(nowMs)),
                              format::duration(*endpoint.breakerUntilMs - nowMs))
                   : words("Its breaker is open: the next delivery is the probe.");
    if (endpoint.pausedUntilMs)
        return words("It asked to wait: nothing goes out for %1.")
            .arg(format::duration(*endpoint.pausedUntilMs - nowMs));
    if (endpoint.version == 0)
        return words("Known from the payloads of events, which say its settings.");
    return words("Takes deliveries.");
}

QString successText(const EndpointFigures& figures)
{
    const auto rate = figures.successRate();
    return rate ? format::percent(*rate, 1) : format::unknown();
}

QString withinText(const EndpointFigures& figures, double part)
{
    const auto ms = figures.withinMs(part);
    return ms ? u"\u2264 "_s + format::elapsed(*ms) : format::unknown();
}

QList<Column> endpointColumns()
{
    return {
        {u"state"_s, words("State"), CellKind::State, 12},
        {u"id"_s, words("Endpoint"), CellKind::Text, 16},
        {u"success"_s, words("Delivered"), CellKind::Number, 9},
        {u"p50"_s, words("p50"), CellKind::Number, 9},
        {u"p95"_s, words("p95"), CellKind::Number, 9},
        {u"waiting"_s, words("Waiting"), CellKind::Number, 8},
        {u"held"_s, words("Held"), CellKind::Number, 7},
        {u"dead"_s, words("Dead"), CellKind::Number, 6},
        {u"events"_s, words("Events"), CellKind::Text, 10},
        {u"certificate"_s, words("Certificate"), CellKind::Text, 10, false, false, {}, false, true},
        {u"origin"_s, words("From"), CellKind::Text, 12, false, false, {}, false, true},
        {u"url"_s, words("URL"), CellKind::Text, 22, true},
    };
}

QList<PlainRow> endpointRows(const QList<EndpointRow>& endpoints, qint64 nowMs)
{
    QList<PlainRow> rows;
    rows.reserve(endpoints.size());
    for (const EndpointRow& endpoint : endpoints) {
        const StateWord state = stateOf(endpoint);
        rows.append({endpoint.id,
                     {{state.word, state.glyph},
                      {cellText(endpoint.id), {}, 0, Emphasis::Primary},
                      {successText(endpoint.lastDay)},
                      {withinText(endpoint.lastDay, 0.5)},
                      {withinText(endpoint.lastDay, 0.95)},
                      countCell(endpoint.waiting),
                      countCell(endpoint.held),
                      countCell(endpoint.dead),
                      {eventsText(endpoint)},
                      certificateCell(endpoint, nowMs),
                      {originWord(endpoint.origin)},
                      {cellText(endpoint.url)}}});
    }
    return rows;
}

} // namespace redrive
