#include "ui/pages/telemetry_page.h"

#include "core/domain/filter_edit.h"
#include "ui/models/queues_model.h"
#include "ui/models/telemetry_model.h"
#include "ui/pages/telemetry_detail.h"
#include "ui/pages/telemetry_strip.h"
#include "ui/pages/telemetry_tiles.h"
#include "ui/widgets/icon.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>

#include <limits>

namespace redrive {

namespace {

constexpr qsizetype kRatesKept = 60;
constexpr int kContextLines = 2;         // what was pruned has one of its own
constexpr qint64 kWholeAgainMs = 60'000; // what retention deletes and what came very late is seen by then
constexpr qsizetype kTenantsOffered = 20;

const QueueStats* queueOf(const std::optional<StoreCounts>& counts, const QString& name)
{
    if (!counts || name.isEmpty())
        return nullptr;
    for (const QueueStats& queue : counts->queues)
        if (queue.name == name)
            return &queue;
    return nullptr;
}

} // namespace

TelemetryPage::TelemetryPage(const PageContext& context)
    : ListPage(context, new TelemetryModel(*context.bridge), tr("Telemetry"), new TelemetryDetail(context)),
      m_tiles(new TileBand(kTelemetryTiles, this, kContextLines)), m_strip(new TelemetryStrip(this)),
      m_copyCommand(new QAction(icon(u"copy"_s), tr("Copy the command"), this)),
      m_startDemo(new QAction(tr("Start demo traffic"), this))
{
    setVerbs({});
    addAboveTable(m_tiles);
    addAboveTable(m_strip);
    m_again.setSingleShot(true);
    m_again.setInterval(kCountAgainMs);
    connectStrip();
    connect(m_tiles, &TileBand::tileChosen, this, &TelemetryPage::openTile);
    connect(m_copyCommand, &QAction::triggered, this, [this] {
        QGuiApplication::clipboard()->setText(command());
        Q_EMIT messageRaised(tr("Copied. The token stays out of it: the shell puts it in."));
    });
    connect(m_startDemo, &QAction::triggered, this, [this] { this->context().startDemo(); });
    connect(&bridge(), &EngineBridge::countsChanged, this, &TelemetryPage::showTiles);
    connect(&bridge(), &EngineBridge::healthChanged, this, [this](const EngineHealth& health) {
        m_rates.append(health.telemetry.rowsPerSecond);
        if (m_rates.size() > kRatesKept)
            m_rates.removeFirst();
        showTiles();
    });
    connect(&bridge(), &EngineBridge::connectionProblem, this,
            [this] { m_strip->setStale(bridge().isCutOff()); });
    showTiles();
}

void TelemetryPage::connectStrip()
{
    connect(&m_again, &QTimer::timeout, this, [this] { count(false); });
    connect(m_strip, &TelemetryStrip::spanChosen, this, [this] { count(true); });
    connect(m_strip, &TelemetryStrip::tenantChosen, this, [this](const QString& tenant) {
        replaceTerms({u"tenant"_s},
                     tenant.isNull() ? QStringList() : QStringList{filterTermText(u"tenant"_s, tenant)});
    });
    connect(m_strip, &TelemetryStrip::rangeChosen, this, [this](qint64 fromMs, qint64 toMs) {
        replaceTerms({u"since"_s, u"until"_s, u"age"_s},
                     {filterTimeText(u"since"_s, fromMs), filterTimeText(u"until"_s, toMs)});
    });
    connect(m_strip, &TelemetryStrip::rangeCleared, this, [this] {
        replaceTerms({u"since"_s, u"until"_s}, {});
    });
}

// A choice in the strip takes the place of what the filter said about it.
void TelemetryPage::replaceTerms(const QStringList& fields, const QStringList& terms)
{
    QString changed = withoutFields(filter(), fields);
    for (const QString& term : terms)
        changed = withTerm(changed, term);
    setFilter(changed);
    Q_EMIT filterChanged(changed);
}

void TelemetryPage::setFilter(const QString& filter)
{
    ListPage::setFilter(filter);
    followFilter();
}

void TelemetryPage::followFilter()
{
    const auto parsed = parseFilter(filter());
    if (!parsed)
        return;
    const auto tenant = requiredTerm(parsed->root, FilterField::Tenant);
    const bool exact = tenant && !tenant->anyStart && !tenant->anyEnd;
    m_strip->setTenant(exact ? u""_s + tenant->text : QString());
    const auto since = requiredTerm(parsed->root, FilterField::Since);
    const auto until = requiredTerm(parsed->root, FilterField::Until);
    if (since || until)
        m_strip->setRange(since ? since->number : 0,
                          until ? until->number : std::numeric_limits<qint64>::max());
    else
        m_strip->setRange(0, 0);
}

NavEntry TelemetryPage::entry() const
{
    return {u"telemetry"_s, tr("Telemetry"), u"telemetry"_s, u"M"_s, {}};
}

QString TelemetryPage::filterPlaceholder() const
{
    return tr("Filter telemetry: tenant: source: age: since: until: id: payload.user.id: words in payloads");
}

QStringList TelemetryPage::filterWords() const
{
    QStringList words;
    const QStringList tenants = m_strip->history().tenants();
    for (const QString& tenant : tenants.first(qMin(kTenantsOffered, tenants.size())))
        words.append(filterTermText(u"tenant"_s, tenant));
    for (const QString& source : m_strip->history().sources())
        words.append(filterTermText(u"source"_s, source));
    return words + QStringList{u"tenant:"_s, u"source:"_s, u"age:<15m"_s, u"age:<1h"_s, u"age:<1d"_s,
                               u"since:"_s,  u"until:"_s,  u"id:"_s,      u"payload."_s};
}

void TelemetryPage::setZone(format::Zone zone)
{
    m_zone = zone;
    ListPage::setZone(zone);
    m_strip->setZone(zone);
    showTiles();
}

void TelemetryPage::setCurrent(bool current)
{
    m_current = current;
    ListPage::setCurrent(current);
    if (current)
        count(false);
    else
        m_again.stop();
}

void TelemetryPage::resync()
{
    ListPage::resync();
    count(true);
}

// The whole span at first and now and then, else only its end.
void TelemetryPage::count(bool whole)
{
    if (!m_current || (m_counting && !whole))
        return;
    const qint64 nowMs = bridge().nowMs();
    const TelemetryHistory& history = m_strip->history();
    const qint64 again = history.countFromMs();
    const qint64 spanBegin = nowMs - nowMs % kMsOfMinute + kMsOfMinute - history.spanMs();
    whole = whole || again <= spanBegin || nowMs < again || nowMs - m_wholeAtMs >= kWholeAgainMs;
    m_counting = true;
    m_again.stop();
    bridge().telemetryMinutes(this, whole ? spanBegin : again, nowMs + 1,
                              m_counted.guard([this, whole, nowMs](const Result<TelemetryMinutes>& counted) {
                                  m_counting = false;
                                  if (m_current)
                                      m_again.start();
                                  if (!counted)
                                      return; // the bridge says what is wrong
                                  if (whole)
                                      m_wholeAtMs = nowMs;
                                  m_strip->take(*counted, whole);
                              }));
}

void TelemetryPage::showTiles()
{
    const auto& counts = bridge().counts();
    TelemetryView view;
    view.writer = bridge().health().telemetry;
    view.kept = counts ? &counts->telemetry : nullptr;
    view.queue = queueOf(counts, bridge().facts().telemetryQueue);
    view.rates = m_rates;
    view.nowMs = bridge().nowMs();
    view.zone = m_zone;
    for (int tile = 0; tile < kTelemetryTiles; ++tile)
        m_tiles->setTile(tile, telemetryTile(TelemetryTile(tile), view));
}

void TelemetryPage::openTile(int tile)
{
    const QString queue = bridge().facts().telemetryQueue;
    switch (TelemetryTile(tile)) {
    case PoisonTile:
        Q_EMIT pageWanted(u"dead-letters"_s, queueFilter(queue));
        break;
    case LagTile:
    case BatchesTile:
    case WaitingTile:
        Q_EMIT pageWanted(u"queues"_s, queueFilter(queue));
        break;
    case KeptTile:
        Q_EMIT pageWanted(u"settings"_s, {});
        break;
    default:
        setFilter({});
        Q_EMIT filterChanged({});
        break;
    }
}

qint64 TelemetryPage::total() const
{
    const auto& counts = bridge().counts();
    return counts ? counts->telemetry.size.rows : -1;
}

QString TelemetryPage::emptySentence() const
{
    if (bridge().facts().telemetryQueue.isEmpty())
        return tr("No telemetry: the configuration has no queue for it (redrive.telemetry.queue).");
    if (bridge().health().listenUrl.isEmpty())
        return tr("No telemetry yet.");
    return bridge().facts().ingestTokenSecret.isEmpty()
               ? tr("No telemetry yet. An event is sent like this, with a token of the Settings page:")
               : tr("No telemetry yet. An event is sent like this:");
}

QString TelemetryPage::command() const
{
    const QString url = bridge().health().listenUrl;
    if (url.isEmpty() || bridge().facts().telemetryQueue.isEmpty())
        return {};
    const QString secret = bridge().facts().ingestTokenSecret;
    return u"curl %1/ingest -H \"Authorization: Bearer $%2\" -H 'Content-Type: application/json' "
           "-d '{\"source\":\"audit\",\"tenantId\":\"acme\",\"action\":\"user.login\"}'"_s.arg(
               url, secret.isEmpty() ? u"TOKEN"_s : secret);
}

QString TelemetryPage::emptyCommand() const
{
    return command();
}

QList<QAction*> TelemetryPage::emptyActions()
{
    QList<QAction*> actions;
    if (!command().isEmpty())
        actions.append(m_copyCommand);
    if (context().startDemo)
        actions.append(m_startDemo);
    return actions;
}

} // namespace redrive
