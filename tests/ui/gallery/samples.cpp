#include "tests/ui/gallery/samples.h"

#include "ui/widgets/attempts_list.h"
#include "ui/widgets/bars.h"
#include "ui/widgets/icon.h"
#include "ui/widgets/page_header.h"
#include "ui/widgets/payload_view.h"
#include "ui/widgets/segmented_switch.h"
#include "ui/widgets/tile_band.h"
#include "ui/widgets/timeline_list.h"

#include <QAction>
#include <QSplitter>
#include <QVBoxLayout>

namespace redrive::samples {

namespace {

struct Column
{
    QString name;
    QString title;
    int width;
    CellKind kind = CellKind::Text;
    bool stretch = false;
};

void setColumns(QStandardItemModel* model, const QList<Column>& columns)
{
    model->setColumnCount(int(columns.size()));
    for (int i = 0; i < columns.size(); ++i) {
        model->setHeaderData(i, Qt::Horizontal, columns[i].title, Qt::DisplayRole);
        model->setHeaderData(i, Qt::Horizontal, columns[i].name, HeaderNameRole);
        model->setHeaderData(i, Qt::Horizontal, columns[i].width, HeaderWidthRole);
        model->setHeaderData(i, Qt::Horizontal, int(columns[i].kind), HeaderKindRole);
        model->setHeaderData(i, Qt::Horizontal, columns[i].stretch, HeaderStretchRole);
        if (isRightAligned(columns[i].kind))
            model->setHeaderData(i, Qt::Horizontal, int(Qt::AlignRight | Qt::AlignVCenter),
                                 Qt::TextAlignmentRole);
    }
}

QStandardItem* cell(CellKind kind, const QVariant& text, Emphasis emphasis = Emphasis::Secondary)
{
    auto* item = new QStandardItem;
    item->setData(text, Qt::DisplayRole);
    item->setData(int(kind), KindRole);
    item->setData(int(emphasis), EmphasisRole);
    return item;
}

QStandardItem* instant(CellKind kind, qint64 atMs)
{
    auto* item = cell(kind, {}, Emphasis::Primary);
    item->setData(atMs, InstantRole);
    return item;
}

QStandardItem* state(const QString& glyph, const QString& word)
{
    auto* item = cell(CellKind::State, word, Emphasis::Primary);
    item->setData(glyph, GlyphRole);
    return item;
}

struct Dead
{
    QString reason, id, type, where, error, attempt;
    qint64 ageMs;
};

QList<Dead> deadRows()
{
    const auto tls = u"TLS: certificate expired 29 Nov 23:59 UTC"_s;
    const auto busy = u"503 Service Unavailable: upstream draining"_s;
    const auto used = u"Retries used up"_s;
    const auto permanent = u"Permanent"_s;
    const auto fan = u"webhook_fanout"_s;
    return {
        {used, u"01a22cd4-1b11-7c3e-a4f0-2d8e61b03346"_s, fan, u"kestrel-pay"_s, tls, u"4/4"_s, 12'000},
        {used, u"01a22cd3-9c11-7c3e-a4f0-2d8e61b02229"_s, fan, u"quayline-tms"_s, busy, u"4/4"_s, 41'000},
        {used, u"01a22cd3-9b11-7c3e-a4f0-2d8e61b09e41"_s, fan, u"kestrel-pay"_s, tls, u"4/4"_s, 48'000},
        {used, u"01a22cd2-0b11-7c3e-a4f0-2d8e61b09237"_s, fan, u"kestrel-pay"_s, tls, u"4/4"_s, 64'000},
        {used, u"01a22cd1-3b11-7c3e-a4f0-2d8e61b0a5b2"_s, fan, u"quayline-tms"_s, busy, u"4/4"_s, 140'000},
        {used, u"01a22cd1-1b11-7c3e-a4f0-2d8e61b002fc"_s, fan, u"kestrel-pay"_s, tls, u"4/4"_s, 185'000},
        {permanent, u"01a22cd0-8b11-7c3e-a4f0-2d8e61b085b0"_s, u"send_email"_s, u"queue mail"_s,
         u"SMTP 550 5.1.1 mailbox unavailable"_s, u"1/13"_s, 366'000},
        {used, u"01a22cd0-7b11-7c3e-a4f0-2d8e61b0174f"_s, u"render_invoice"_s, u"queue files"_s,
         u"Time limit of 30 s reached"_s, u"4/4"_s, 547'000},
        {permanent, u"01a22cd0-2b11-7c3e-a4f0-2d8e61b08d1a"_s, fan, u"helio-wms"_s,
         u"Target refused: 10.20.0.14 is private"_s, u"1/4"_s, 664'000},
        {permanent, u"01a22ccf-9b11-7c3e-a4f0-2d8e61b00bdf"_s, u"process_file"_s, u"queue files"_s,
         u"<img src=/dev/zero> exit 65: unsupported colour profile, said the converter at great length"_s,
         u"1/4"_s, 1'083'000},
        {u"Crashed"_s, u"01a22cce-1b11-7c3e-a4f0-2d8e61b0f501"_s, u"resize_image"_s, u"queue files"_s,
         u"3 crashes of its handler, last signal 11"_s, u"2/4"_s, 2'224'000},
        {permanent, u"01a22cce-0b11-7c3e-a4f0-2d8e61b00358"_s, fan, u"tallow-crm"_s,
         u"422: \"currency\" is missing"_s, u"1/4"_s, 3'125'000}};
}

QVBoxLayout* pageColumn(QWidget* page)
{
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    page->setBackgroundRole(QPalette::Base);
    page->setAutoFillBackground(true);
    return column;
}

} // namespace

QStandardItemModel* deadLetters(QObject* parent)
{
    auto* model = new QStandardItemModel(parent);
    setColumns(model, {{u"state"_s, u"State and reason"_s, 15, CellKind::State},
                       {u"job"_s, u"Job"_s, 13, CellKind::Id},
                       {u"type"_s, u"Type"_s, 14},
                       {u"where"_s, u"Where"_s, 13},
                       {u"error"_s, u"Error"_s, 30, CellKind::Text, true},
                       {u"attempt"_s, u"Attempt"_s, 8, CellKind::Number},
                       {u"age"_s, u"Dead for"_s, 9, CellKind::Age}});
    const auto rows = deadRows();
    for (const auto& row : rows) {
        QList<QStandardItem*> items{state(u"dead"_s, row.reason),
                                    cell(CellKind::Id, row.id),
                                    cell(CellKind::Text, row.type, Emphasis::Primary),
                                    cell(CellKind::Text, row.where),
                                    cell(CellKind::Text, row.error, Emphasis::Primary),
                                    cell(CellKind::Number, row.attempt),
                                    instant(CellKind::Age, kNowMs - row.ageMs)};
        for (auto* item : items)
            item->setData(row.id, RowIdRole);
        model->appendRow(items);
    }
    model->item(1, 6)->setData(qint64(1'000'900), FlashUntilRole);
    for (int column = 0; column < 7; ++column)
        model->setItem(int(rows.size()), column, cell(CellKind::Text, {}));
    for (int column = 0; column < 7; ++column)
        model->item(int(rows.size()), column)->setData(true, PlaceholderRole);
    return model;
}

QStandardItemModel* groups(QObject* parent)
{
    auto* model = new QStandardItemModel(parent);
    setColumns(model, {{u"count"_s, u"Count"_s, 8, CellKind::Count},
                       {u"failure"_s, u"Failure"_s, 30, CellKind::Text, true},
                       {u"where"_s, u"Where"_s, 13},
                       {u"spark"_s, u"Last 90 min"_s, 14, CellKind::Spark},
                       {u"first"_s, u"First"_s, 9, CellKind::Number},
                       {u"last"_s, u"Last"_s, 9, CellKind::Number}});
    const QList<double> growing{0, 0, 2, 4, 4, 6, 6, 6, 5, 8, 9, 7, 9, 9, 6, 7, 6, 4};
    const QList<double> gone{0, 3, 5, 6, 4, 2, 2, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0};
    const auto add = [&](qint64 count, const QString& failure, const QString& where,
                         const QList<double>& bars, int hot, const QString& first, const QString& last) {
        auto* spark = cell(CellKind::Spark, {});
        spark->setData(QVariant::fromValue(bars), SparkRole);
        spark->setData(hot, SparkHotRole);
        model->appendRow({cell(CellKind::Count, count, Emphasis::Strong),
                          cell(CellKind::Text, failure, Emphasis::Primary), cell(CellKind::Text, where),
                          spark, cell(CellKind::Number, first), cell(CellKind::Number, last)});
    };
    add(1268, u"503 Service Unavailable"_s, u"quayline-tms"_s, growing, 4, u"12:48"_s, u"41 s"_s);
    add(207, u"TLS: certificate has expired"_s, u"kestrel-pay"_s, gone, 3, u"13:52"_s, u"12 s"_s);
    add(94, u"exit 65: unsupported colour profile"_s, u"process_file"_s, {0, 6, 0, 0, 2, 0, 0, 7, 0, 0, 0, 3},
        2, u"11:02"_s, u"18 min"_s);
    return model;
}

QStandardItemModel* timers(QObject* parent)
{
    auto* model = new QStandardItemModel(parent);
    setColumns(model, {{u"state"_s, u"State"_s, 16, CellKind::State},
                       {u"job"_s, u"Job"_s, 13, CellKind::Id},
                       {u"type"_s, u"Type"_s, 18},
                       {u"error"_s, u"Last error"_s, 30, CellKind::Text, true},
                       {u"attempt"_s, u"Attempt"_s, 8, CellKind::Number},
                       {u"due"_s, u"Due"_s, 12, CellKind::Instant},
                       {u"left"_s, u"Left"_s, 14, CellKind::Countdown}});
    const QList<qint64> left{-500, 9'000, 42'000, 67'000, 111'000, 745'000, 4'021'000, 190'000'000};
    const QStringList glyphs{u"processing"_s, u"retrying"_s, u"retrying"_s, u"retrying"_s,
                             u"held"_s,       u"retrying"_s, u"pending"_s,  u"unknown"_s};
    for (int i = 0; i < left.size(); ++i) {
        const auto id = u"01a22cd4-1b11-7c3e-a4f0-2d8e61b0334"_s + QString::number(i);
        const auto word = i == 4 ? u"Held"_s : i == 0 ? u"Processing"_s : u"Retrying"_s;
        QList<QStandardItem*> items{
            state(glyphs[i], word),
            cell(CellKind::Id, id),
            cell(CellKind::Text, i % 2 ? u"send_email"_s : u"webhook_fanout"_s, Emphasis::Primary),
            cell(CellKind::Text, u"421 4.7.0 Try again later, closing connection"_s, Emphasis::Primary),
            cell(CellKind::Number, u"%1/4"_s.arg(i % 4 + 1)),
            instant(CellKind::Instant, kNowMs + left[i]),
            instant(CellKind::Countdown, kNowMs + left[i])};
        for (auto* item : items)
            item->setData(id, RowIdRole);
        items[5]->setData(int(Emphasis::Secondary), EmphasisRole);
        model->appendRow(items);
    }
    return model;
}

QWidget* tiles(QWidget* parent)
{
    auto* band = new TileBand(6, parent);
    const QList<double> calm{5, 6, 5, 7, 6, 5, 5, 6, 4, 5, 4, 3, 4, 5, 5, 6, 7, 7, 6, 7};
    band->setTile(0, {u"Backlog"_s,
                      format::number(qint64(2318)),
                      u"jobs"_s,
                      u"6 queues \u00B7 largest jobs, 1\u202F940"_s,
                      {},
                      {},
                      calm});
    band->setTile(1, {u"Throughput"_s,
                      u"412"_s,
                      u"jobs/s"_s,
                      u"peak 561 at 13:41"_s,
                      {},
                      {},
                      {7, 6, 6, 6, 5, 5, 6, 5, 4, 5, 4, 4, 5}});
    band->setTile(2, {u"Oldest waiting"_s,
                      u"3:42"_s,
                      u"min"_s,
                      u"queue files \u00B7 concurrency 2 of 2"_s,
                      {},
                      {},
                      {1, 4, 2, 5, 3, 6, 2, 4, 1, 5, 3}});
    band->setTile(3, {u"Dead now"_s,
                      format::number(qint64(1204)),
                      {},
                      u"+1\u202F118 new today"_s,
                      u"dead"_s,
                      u"dead"_s,
                      {1, 1, 2, 1, 1, 2, 1, 1, 2, 2, 6, 9, 5, 2, 1},
                      true,
                      15});
    band->setTile(4, {u"Retries due next hour"_s,
                      u"612"_s,
                      u"timers"_s,
                      u"16 over capacity at 14:22"_s,
                      {},
                      {},
                      {1, 5, 6, 4, 5, 7, 6, 3, 1, 2, 1}});
    band->setTile(
        5,
        {u"Open breakers"_s, u"2"_s, u"of 11"_s, u"kestrel-pay, quayline-tms"_s, {}, u"breakerOpen"_s, {}});
    return band;
}

DetailPane* detail(QWidget* parent)
{
    auto* pane = new DetailPane(parent);
    pane->setHead({u"dead"_s,
                   {},
                   u"webhook_fanout"_s,
                   u"attempt 4 of 4"_s,
                   u"01a22cd3-9b11-7c3e-a4f0-2d8e61b09e41"_s,
                   u"retries used up. The certificate of kestrel-pay expired 29 Nov 23:59 UTC. Its breaker "
                   u"is open and probes at "
                   "14:21:40."_s});
    auto* timeline = new TimelineList(pane);
    timeline->setNow(kNowMs);
    timeline->setEntries(
        {{kNowMs - 140'000, u"pending"_s, u"Accepted over HTTP"_s, u"event evt_7Qm2Xe"_s},
         {kNowMs - 139'000, u"processing"_s, u"Attempt 1 started"_s, {}},
         {kNowMs - 138'000, u"failed"_s, u"Attempt 1 failed: TLS, certificate has expired"_s,
          u"Next attempt 14:19:13, 20 s later by the backoff of queue jobs"_s},
         {kNowMs - 90'000, u"retrying"_s, u"Attempt 2 failed: TLS, certificate has expired"_s, {}},
         {kNowMs - 48'000, u"dead"_s, u"Dead: attempt 4 was the last of the budget"_s, {}},
         {kNowMs + 18'000, {}, u"Breaker of kestrel-pay probes"_s, {}, true}});
    auto* attempts = new AttemptsList(pane);
    attempts->setNow(kNowMs);
    const auto failed = [](qint64 number, qint64 ageMs, double dns, double connect, double tls) {
        return AttemptView{
            number,
            kNowMs - ageMs,
            u"failed"_s,
            u"TLS failed"_s,
            {{PhaseKind::Dns, dns, false}, {PhaseKind::Connect, connect, false}, {PhaseKind::Tls, tls, true}},
            qint64(dns + connect + tls),
            {{u"Request"_s, u"POST https://hooks.kestrel-pay.io/v2/in"_s, true},
             {u"Peer"_s, u"203.0.113.24:443"_s, true},
             {u"Phases"_s, u"DNS 3 \u00B7 connect 21 \u00B7 TLS failed after 388 ms"_s},
             {u"Class"_s, u"Not sent: no byte of the body left this machine"_s},
             {u"Certificate"_s, u"CN hooks.kestrel-pay.io, ended 14 h 21 min ago"_s},
             {u"Then"_s, u"Dead: attempt 4 was the last of the budget"_s}}};
    };
    attempts->setAttempts({failed(4, 13'000, 3, 21, 388), failed(3, 90'000, 2, 20, 376),
                           failed(2, 129'000, 2, 21, 418), failed(1, 151'000, 80, 60, 593)});
    auto* payload = new PayloadView(pane);
    payload->setPayload(
        R"({"eventType":"order.paid","eventData":{"orderId":9007199254740993,"total":"1284.50","currency":"EUR",)"
        R"("customer":"cus_7Qm2Xe"},"endpoints":[{"id":"kestrel-pay","url":"https://hooks.kestrel-pay.io/v2/in"}],"tags":[]})");
    pane->addTab(u"Timeline"_s, timeline);
    const int tab = pane->addTab(u"Attempts"_s, attempts);
    pane->setTabCount(tab, 4);
    pane->addTab(u"Payload"_s, payload);
    pane->setCurrentTab(tab);
    return pane;
}

DeadPage::DeadPage(QWidget* parent)
    : Page(parent), m_table(new RowTable(u"Dead letters"_s, this)), m_detail(samples::detail(this))
{
    auto* requeue = new QAction(icon(u"requeue"_s), u"Requeue 8"_s, this);
    requeue->setShortcut(QKeySequence(u"R"_s));
    connect(requeue, &QAction::triggered, this, [this] { ++m_requeues; });
    auto* discard = new QAction(icon(u"discard"_s), u"Discard 8"_s, this);
    discard->setShortcut(QKeySequence(u"D"_s));
    auto* restore = new QAction(icon(u"replay"_s), u"Restore"_s, this);
    restore->setEnabled(false);
    restore->setStatusTip(u"Nothing of the bin is selected."_s);
    auto* curl = new QAction(icon(u"copy"_s), u"Copy as curl"_s, this);
    m_actions = {requeue, discard, restore, curl};
    for (auto* action : {requeue, discard})
        m_table->addLetterAction(action);
    m_detail->setActions(m_actions);

    auto* column = pageColumn(this);
    auto* header = new PageHeader(u"Dead letters"_s, this);
    header->setScope(scopeText());
    header->setActions({requeue, discard});
    auto* view = new SegmentedSwitch(u"View"_s, {u"Table"_s, u"Groups"_s, u"Both"_s}, true, header);
    view->setCurrent(2);
    header->addWidget(view);
    column->addWidget(header);
    auto* splitter = new QSplitter(Qt::Vertical, this);
    auto* grouped = new RowTable(u"Failure groups"_s, splitter);
    grouped->setClock(&m_clock);
    grouped->setModel(groups(this));
    grouped->showSort(0, Qt::DescendingOrder);
    m_table->setClock(&m_clock);
    m_table->setModel(deadLetters(this));
    m_table->showSort(6, Qt::AscendingOrder);
    splitter->addWidget(grouped);
    splitter->addWidget(m_table);
    splitter->setSizes({110, 500});
    splitter->setStretchFactor(1, 1);
    column->addWidget(splitter, 1);
    auto* bar = new NewRowsBar(this);
    bar->setNewRows(37, u"14:19"_s);
    column->addWidget(bar);
    for (const int row : {0, 2, 3, 5})
        m_table->selectionModel()->select(m_table->model()->index(row, 0),
                                          QItemSelectionModel::Select | QItemSelectionModel::Rows);
    m_table->selectionModel()->setCurrentIndex(m_table->model()->index(2, 0), QItemSelectionModel::NoUpdate);
}

NavEntry DeadPage::entry() const
{
    return {u"dead-letters"_s, u"Dead letters"_s, u"dead-letter"_s, u"X"_s, {}};
}

QString DeadPage::filterPlaceholder() const
{
    return u"Filter dead letters: status: type: queue: endpoint: error:"_s;
}

void DeadPage::setFilter(const QString& filter)
{
    m_filter = filter;
    if (const auto at = filter.indexOf(u">3x"); at >= 0)
        Q_EMIT filterRejected(u"'3x' is not a duration (use 90s, 5m, 2h, 7d)."_s, int(at) + 1);
    else
        Q_EMIT filterAccepted();
}

QString DeadPage::scopeText() const
{
    return u"862 of 1\u202F999 match \u00B7 8 selected"_s;
}

PlainPage::PlainPage(const NavEntry& entry, int group, const QList<NavEntry>& children, QWidget* parent)
    : Page(parent), m_entry(entry), m_children(children), m_group(group)
{
    auto* column = pageColumn(this);
    auto* header = new PageHeader(entry.title, this);
    column->addWidget(header);
    if (entry.id == u"overview") {
        header->setScope(u"Mon 30 Nov, 14:05:22 UTC"_s, false);
        fillOverview();
    } else if (entry.id == u"timers") {
        header->setScope(u"612 timers \u00B7 16 due now"_s);
        fillTimers();
    } else {
        header->setScope(u"0 of 18\u202F330 match"_s);
        fillEmpty();
    }
}

QString PlainPage::filterPlaceholder() const
{
    return u"Filter jobs, deliveries and dead letters: status: type: queue: endpoint: error:"_s;
}

void PlainPage::fillOverview()
{
    auto* column = static_cast<QVBoxLayout*>(layout());
    column->addWidget(tiles(this));
    auto* table = new RowTable(u"Top failure groups"_s, this);
    table->setModel(groups(this));
    column->addWidget(table, 1);
}

void PlainPage::fillTimers()
{
    auto* table = new RowTable(u"Timers"_s, this);
    table->setClock(&m_clock);
    table->setModel(timers(this));
    table->showSort(6, Qt::AscendingOrder);
    static_cast<QVBoxLayout*>(layout())->addWidget(table, 1);
}

void PlainPage::fillEmpty()
{
    auto* column = static_cast<QVBoxLayout*>(layout());
    auto* broken = new BrokenBar(this);
    broken->showCause(u"The database is locked by another program; shown as of 14:02:11."_s, u"Try again"_s);
    column->addWidget(broken);
    auto* table = new RowTable(m_entry.title, this);
    table->setModel(deadLetters(this));
    table->model()->removeRows(0, table->model()->rowCount());
    auto* clear = new QAction(u"Clear filter"_s, this);
    table->setEmptyState(new EmptyState(u"0 of 18\u202F330 match"_s, u"error:tls <b>bold</b>"_s, {clear}));
    column->addWidget(table, 1);
}

QList<Page*> allPages()
{
    auto* dead = new DeadPage;
    return {new PlainPage({u"overview"_s, u"Overview"_s, u"overview"_s, u"O"_s, {}}, 0),
            new PlainPage({u"jobs"_s, u"Jobs"_s, u"jobs"_s, u"J"_s, {}}, 1,
                          {{u"jobs/active"_s, u"Active"_s, {}, {}, u"status:processing"_s}}),
            new PlainPage({u"timers"_s, u"Timers"_s, u"timers"_s, u"T"_s, {}}, 1), dead,
            new PlainPage({u"deliveries"_s, u"Deliveries"_s, u"deliveries"_s, u"D"_s, {}}, 2)};
}

} // namespace redrive::samples
