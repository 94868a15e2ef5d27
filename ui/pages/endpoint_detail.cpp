#include "ui/pages/endpoint_detail.h"

#include "core/base/result.h"
#include "ui/models/endpoint_rows.h"
#include "ui/pages/secret_rows.h"
#include "ui/widgets/fact_page.h"
#include "ui/widgets/heat_strip.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QVBoxLayout>

namespace redrive {

namespace {

QStringList textsOf(const QJsonValue& value)
{
    QStringList texts;
    for (const QJsonValue& item : value.toArray())
        texts.append(cellText(item.toString()));
    return texts;
}

QString scheduleText(const QJsonValue& value)
{
    QStringList steps;
    for (const QJsonValue& step : value.toArray())
        steps.append(format::duration(qint64(step.toDouble() * 1000)));
    return steps.join(u", "_s);
}

QString secretsText(const QJsonObject& settings, qint64 nowMs)
{
    QStringList parts;
    const QJsonObject until = settings[u"secret_until"].toObject();
    for (const QString& name : textsOf(settings[u"secret"])) {
        const qint64 endMs = qint64(until[name].toDouble());
        if (endMs > nowMs)
            parts.append(
                EndpointDetailView::tr("%1 (for %2 more)").arg(name, format::duration(endMs - nowMs)));
        else if (endMs > 0)
            parts.append(EndpointDetailView::tr("%1 (ended)").arg(name));
        else
            parts.append(name);
    }
    return parts.isEmpty() ? EndpointDetailView::tr("none: deliveries are not signed") : parts.join(u", "_s);
}

QString headersText(const QJsonObject& headers)
{
    QStringList lines;
    for (auto header = headers.begin(); header != headers.end(); ++header)
        lines.append(cellText(header.key()) + u": "_s + cellText(header->toString()));
    return lines.join(u'\n');
}

} // namespace

EndpointDetailView::EndpointDetailView(QWidget* page)
    : QObject(page), m_pane(new DetailPane(page)), m_heat(new HeatStrip), m_now(new FactPage),
      m_secrets(new SecretRows), m_settings(new FactPage), m_versions(new FactPage)
{
    m_pane->hide(); // until the window takes it into its dock
    auto* health = new QWidget;
    auto* column = new QVBoxLayout(health);
    column->setContentsMargins(0, 12, 12, 0);
    column->setSpacing(8);
    column->addWidget(m_heat);
    column->addWidget(m_now, 1);
    m_pane->addTab(tr("Health"), health);
    auto* settings = new QWidget;
    auto* rows = new QVBoxLayout(settings);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    rows->addWidget(m_secrets);
    rows->addWidget(m_settings, 1);
    m_pane->addTab(tr("Settings"), settings);
    m_versionsTab = m_pane->addTab(tr("Versions"), m_versions);
    showNothing();
}

void EndpointDetailView::showNothing()
{
    m_pane->showNothing(tr("Choose an endpoint to see it here."));
}

void EndpointDetailView::show(const EndpointDetail& detail, qint64 nowMs, format::Zone zone)
{
    const EndpointRow& endpoint = detail.endpoint;
    const StateWord state = stateOf(endpoint);
    DetailHead head;
    head.state = state.glyph;
    head.stateText = state.word;
    head.title = cellText(endpoint.id);
    head.attempt = endpoint.version > 0 ? tr("version %1").arg(endpoint.version) : QString();
    head.id = endpoint.id;
    head.why = whyOfEndpoint(endpoint, nowMs);
    m_pane->setHead(head);
    m_heat->setZone(zone);
    m_heat->setSlots(detail.slots, nowMs);
    m_now->setFacts(endpointFacts(endpoint, nowMs, zone));
    m_secrets->setEndpoint(endpoint, nowMs);
    m_settings->setFacts(endpointSettings(endpoint.settings, nowMs));
    m_versions->setFacts(endpointVersions(detail.versions, zone));
    m_pane->setTabCount(m_versionsTab, detail.versions.size());
}

QList<FactView> endpointFacts(const EndpointRow& endpoint, qint64 nowMs, format::Zone zone)
{
    const auto& day = endpoint.lastDay;
    QList<FactView> facts{{EndpointDetailView::tr("Last day"),
                           day.attempts == 0 ? EndpointDetailView::tr("no attempts")
                                             : EndpointDetailView::tr("%1 of %2 attempts delivered, %3")
                                                   .arg(format::number(day.delivered),
                                                        format::number(day.attempts), successText(day))},
                          {EndpointDetailView::tr("Answers"),
                           day.answeredTotal() == 0 ? format::unknown()
                                                    : EndpointDetailView::tr("p50 %1, p95 %2, p99 %3")
                                                          .arg(withinText(day, 0.5), withinText(day, 0.95),
                                                               withinText(day, 0.99))},
                          {EndpointDetailView::tr("Waiting"), format::number(endpoint.waiting)},
                          {EndpointDetailView::tr("Held"), format::number(endpoint.held)},
                          {EndpointDetailView::tr("Dead"), format::number(endpoint.dead)},
                          {EndpointDetailView::tr("URL"), cellText(endpoint.url), true}};
    if (endpoint.certificateEndsAtMs)
        facts.append({EndpointDetailView::tr("Certificate"),
                      *endpoint.certificateEndsAtMs > nowMs
                          ? EndpointDetailView::tr("ends %1, in %2")
                                .arg(format::fullTime(*endpoint.certificateEndsAtMs, zone),
                                     format::duration(*endpoint.certificateEndsAtMs - nowMs))
                          : EndpointDetailView::tr("ended %1")
                                .arg(format::fullTime(*endpoint.certificateEndsAtMs, zone))});
    facts.append({EndpointDetailView::tr("From"), originWord(endpoint.origin)});
    facts.append({EndpointDetailView::tr("Known since"), format::fullTime(endpoint.createdAtMs, zone)});
    return facts;
}

QList<FactView> endpointSettings(const QByteArray& json, qint64 nowMs)
{
    const QJsonObject settings = QJsonDocument::fromJson(json).object();
    if (settings.isEmpty())
        return {
            {EndpointDetailView::tr("Settings"), EndpointDetailView::tr("those of each event's payload")}};
    const QStringList events = textsOf(settings[u"events"]);
    QList<FactView> facts{
        {EndpointDetailView::tr("URL"), cellText(settings[u"url"].toString()), true},
        {EndpointDetailView::tr("Events"),
         events.isEmpty() ? EndpointDetailView::tr("all") : events.join(u", "_s)},
        {EndpointDetailView::tr("Signed with"), secretsText(settings, nowMs)},
        {EndpointDetailView::tr("In flight"),
         EndpointDetailView::tr("up to %1 at once").arg(settings[u"max_in_flight"].toInt())},
        {EndpointDetailView::tr("Rate"),
         settings.contains(u"rate")
             ? EndpointDetailView::tr("up to %1 a second").arg(settings[u"rate"].toDouble(), 0, 'g', 6)
             : EndpointDetailView::tr("no limit")},
        {EndpointDetailView::tr("Retries"),
         settings.contains(u"schedule")
             ? EndpointDetailView::tr("after %1").arg(scheduleText(settings[u"schedule"]))
             : EndpointDetailView::tr("the backoff of jobs")}};
    if (const QJsonObject headers = settings[u"headers"].toObject(); !headers.isEmpty())
        facts.append({EndpointDetailView::tr("Headers"), headersText(headers), true});
    if (settings[u"allow_override"].toBool())
        facts.append({EndpointDetailView::tr("Override"),
                      EndpointDetailView::tr("an event's payload may name another URL")});
    if (settings[u"paused"].toBool())
        facts.append(
            {EndpointDetailView::tr("Paused"), EndpointDetailView::tr("yes: its deliveries are held")});
    return facts;
}

QList<FactView> endpointVersions(const QList<EndpointVersion>& versions, format::Zone zone)
{
    if (versions.isEmpty())
        return {{EndpointDetailView::tr("Versions"), EndpointDetailView::tr("none: it is not registered")}};
    QList<FactView> facts;
    for (const EndpointVersion& version : versions)
        facts.append({EndpointDetailView::tr("Version %1").arg(version.version),
                      EndpointDetailView::tr("%1 by %2\n%3")
                          .arg(format::fullTime(version.madeAtMs, zone), cellText(version.madeBy),
                               QString::fromUtf8(version.settings)),
                      true});
    return facts;
}

} // namespace redrive
