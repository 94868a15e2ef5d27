#include "tests/bench/window_scale/window_driver.h"

#include "ui/models/roles.h"

#include <QAction>
#include <QApplication>
#include <QFile>
#include <QGenericPlugin>
#include <QHeaderView>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QMainWindow>
#include <QMetaProperty>
#include <QScrollBar>
#include <QStackedWidget>
#include <QTableView>
#include <QTest>

#include <cstdio>
#include <ctime>

#include <unistd.h>

namespace redrive::bench {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int kLookMs = 2;
constexpr qint64 kSettleMs = 100; // after a step, for what it leaves to do
constexpr int kFrames = 150;
constexpr qint64 kGiveUpMs = 120'000;
constexpr qint64 kLiveMs = 6'000;

qint64 msOf(clockid_t clock)
{
    timespec time{};
    clock_gettime(clock, &time);
    return time.tv_sec * 1000 + time.tv_nsec / 1'000'000;
}

// VmRSS and the like, in MiB.
double statusMib(const QByteArray& name)
{
    QFile file(u"/proc/self/status"_s);
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    for (const QByteArray& line : file.readAll().split('\n'))
        if (line.startsWith(name + ':'))
            return line.mid(name.size() + 1).simplified().split(' ').first().toDouble() / 1024;
    return 0;
}

void say(const QJsonObject& object)
{
    const QByteArray line = QJsonDocument(object).toJson(QJsonDocument::Compact) + '\n';
    std::fwrite(line.constData(), 1, size_t(line.size()), stdout);
    std::fflush(stdout);
}

} // namespace

WindowDriver::WindowDriver(QObject* parent) : QObject(parent)
{
    m_look.setTimerType(Qt::PreciseTimer);
    connect(&m_look, &QTimer::timeout, this, &WindowDriver::look);
    m_look.start(kLookMs);
}

QTableView* WindowDriver::table() const
{
    QTableView* largest = nullptr;
    const auto tables = m_window->findChildren<QTableView*>();
    for (auto* table : tables)
        if (table->isVisible() && (!largest || table->height() > largest->height()))
            largest = table;
    return largest;
}

QObject* WindowDriver::watchdog() const
{
    return m_window->findChild<QObject*>(u"windowWatchdog"_s);
}

bool WindowDriver::hasRows() const
{
    const auto* view = table();
    if (!view || !view->model() || view->model()->rowCount() == 0)
        return false;
    const auto top = view->model()->index(qMax(0, view->rowAt(0)), 0);
    return !top.data(PlaceholderRole).toBool() && !top.data(Qt::DisplayRole).toString().startsWith(u'…');
}

bool WindowDriver::isComplete() const
{
    const auto* pages = m_window->findChild<QStackedWidget*>(u"pages"_s);
    const QString scope = pages->accessibleDescription();
    return !scope.isEmpty() && !scope.contains(u"so far"_s) && !scope.contains(u"earched"_s);
}

void WindowDriver::watchResets()
{
    m_reset = false;
    disconnect(m_resets);
    if (auto* view = table())
        m_resets = connect(view->model(), &QAbstractItemModel::modelReset, this, [this] { m_reset = true; });
}

void WindowDriver::typeFilter(const QString& text)
{
    auto* field = m_window->findChild<QLineEdit*>();
    field->setFocus();
    field->selectAll();
    if (text.isEmpty())
        QTest::keyClick(field, Qt::Key_Delete);
    else
        QTest::keyClicks(field, text);
    QTest::keyClick(field, Qt::Key_Return);
}

void WindowDriver::plan()
{
    m_steps.push_back({u"rows after the start"_s, u"start"_s, [] {}});
    addPages();
    addSorts();
    addFilters();
    addMovements({});
    m_steps.push_back({u"jobs come and run"_s, u"live"_s,
                       [] {
                           say({{u"wants"_s, u"load"_s}});
                       },
                       false, [this] { return m_took.elapsed() > kLiveMs; }});
}

QAction* WindowDriver::pageAction(const QString& title) const
{
    for (auto* action : m_window->findChildren<QAction*>())
        if (action->shortcut().count() == 2 && action->shortcut()[0].key() == Qt::Key_G &&
            action->text().remove(u'&').contains(title))
            return action;
    return nullptr;
}

void WindowDriver::addPages()
{
    QList<QAction*> pages;
    for (auto* action : m_window->findChildren<QAction*>())
        if (action->shortcut().count() == 2 && action->shortcut()[0].key() == Qt::Key_G)
            pages.append(action);
    for (auto* action : pages)
        if (!action->text().contains(u"Jobs"_s) && !action->text().contains(u"Telemetry"_s))
            m_steps.push_back({u"page "_s + action->text().remove(u'&'), u"page"_s,
                               [action] { action->trigger(); }, false,
                               [this] { return hasRows() || isComplete() || m_took.elapsed() > 1'000; }});
    addTelemetry();
    m_steps.push_back({u"page Jobs"_s, u"page"_s, [this] { pageAction(u"Jobs"_s)->trigger(); }});
}

void WindowDriver::addSorts()
{
    for (const auto* title : {u"State", u"Type", u"Queue", u"Error", u"Updated", u"Attempt", u"Next/age"})
        for (int click = 0; click < 2; ++click)
            m_steps.push_back(
                {u"sort by %1%2"_s.arg(QString::fromUtf16(title), click ? u", turned"_s : QString()),
                 u"sort"_s,
                 [this, title] {
                     auto* view = table();
                     auto* header = view->horizontalHeader();
                     for (int i = 0; i < header->count(); ++i)
                         if (view->model()->headerData(i, Qt::Horizontal).toString() == QStringView(title))
                             header->setSortIndicator(i, header->sortIndicatorSection() == i &&
                                                                 header->sortIndicatorOrder() ==
                                                                     Qt::AscendingOrder
                                                             ? Qt::DescendingOrder
                                                             : Qt::AscendingOrder);
                 },
                 true});
    // The last click was the order of the list itself.
    m_steps.push_back({u"newest first, all of it"_s, u"other"_s, [] {}});
    m_steps.back().done = [this] { return hasRows() && isComplete(); };
}

void WindowDriver::addFilters()
{
    for (const auto* text :
         {u"status:dead", u"status:done", u"type:send_email", u"error:\"timed out\"", u"queue:mail age:>2d",
          u"status:cancelled", u"attempt:>1", u"endpoint:acme", u"fox", u"error:nothinglikethis"}) {
        const QString filter = QString::fromUtf16(text);
        m_steps.push_back({u"filter "_s + filter, u"filter"_s, [this, filter] { typeFilter(filter); }, true});
        // What no row has is searched for in all of them, and the page says how far it is.
        if (filter == u"error:nothinglikethis" || filter == u"fox") {
            m_steps.back().kind = u"other"_s;
            m_steps.back().done = [this] { return isComplete() || (m_reset && hasRows()); };
        }
    }
    m_steps.push_back({u"no filter"_s, u"filter"_s, [this] { typeFilter({}); }, true});
}

void WindowDriver::addMovements(const QString& prefix)
{
    const auto scroll = [this, prefix](const QString& name, std::function<int(int)> place) {
        m_steps.push_back({prefix + name, u"scroll"_s,
                           [this, place] {
                               m_place = place;
                               m_frame = 0;
                               frame();
                           },
                           false, [this] { return m_frame >= kFrames; }});
    };
    m_steps.push_back(
        {prefix + u"all rows are there"_s, u"other"_s, [] {}, false, [this] { return isComplete(); }});
    scroll(u"scroll by the wheel"_s, [](int n) { return n * 90; });
    scroll(u"drag the scroll bar"_s,
           [this](int n) { return int(qint64(table()->verticalScrollBar()->maximum()) * n / kFrames); });
    const auto press = [this, prefix](const QString& name, Qt::Key key,
                                      Qt::KeyboardModifiers modifiers = {}) {
        m_steps.push_back({prefix + name, u"other"_s, [this, key, modifiers] {
                               table()->setFocus();
                               QTest::keyClick(table(), key, modifiers);
                           }});
    };
    press(u"key End"_s, Qt::Key_End);
    press(u"key Home"_s, Qt::Key_Home);
    press(u"select all"_s, Qt::Key_A, Qt::ControlModifier);
    press(u"clear the selection"_s, Qt::Key_Escape);
}

// One frame is a movement, its painting, and all that the window has to do besides.
void WindowDriver::frame()
{
    if (++m_frame >= kFrames)
        return;
    table()->verticalScrollBar()->setValue(m_place(m_frame));
    table()->viewport()->repaint();
    QTimer::singleShot(0, this, &WindowDriver::frame);
}

void WindowDriver::look()
{
    if (!m_window) {
        for (auto* widget : QApplication::topLevelWidgets())
            if (auto* window = qobject_cast<QMainWindow*>(widget); window && window->isVisible())
                m_window = window;
        if (!m_window || !watchdog())
            return m_window.clear();
        plan();
    }
    if (!m_begun)
        return begin();
    if (m_firstMs >= 0) {
        if (nextGoesOn() || m_took.elapsed() > m_firstMs + kSettleMs)
            end();
        return;
    }
    const auto& step = m_steps[m_at];
    const bool done = step.done ? step.done() : (!step.resets || m_reset) && hasRows();
    if (done || m_took.elapsed() > kGiveUpMs) {
        if (!step.done)
            table()->viewport()->repaint();
        m_firstMs = m_took.elapsed();
        m_usedMs = msOf(CLOCK_PROCESS_CPUTIME_ID) - m_processMs;
        m_gaveUp = !done;
    }
}

bool WindowDriver::nextGoesOn() const
{
    return m_at + 1 < m_steps.size() && m_steps[m_at + 1].goesOn;
}

void WindowDriver::begin()
{
    m_begun = true;
    m_gaveUp = false;
    m_firstMs = -1;
    if (m_steps[m_at].goesOn)
        return;
    auto* dog = watchdog();
    dog->metaObject()->property(dog->metaObject()->indexOfProperty("longestMs")).reset(dog);
    m_blocksBefore = m_at == 0 ? 0 : dog->property("blocks").toInt();
    m_threadMs = msOf(CLOCK_THREAD_CPUTIME_ID);
    m_processMs = m_at == 0 ? 0 : msOf(CLOCK_PROCESS_CPUTIME_ID);
    if (m_steps[m_at].resets)
        watchResets();
    m_took.start();
    m_steps[m_at].act();
}

void WindowDriver::end()
{
    const auto& step = m_steps[m_at];
    const auto* dog = watchdog();
    QJsonObject line{{u"step"_s, step.name},
                     {u"kind"_s, step.kind},
                     {u"ms"_s, m_gaveUp ? -1 : m_firstMs},
                     {u"blockedMs"_s, dog->property("longestMs").toInt()},
                     {u"blocks"_s, dog->property("blocks").toInt() - m_blocksBefore},
                     {u"processorMs"_s, m_usedMs},
                     {u"mib"_s, statusMib("VmRSS")}};
    if (m_at == 0)
        line[u"ms"_s] = msOf(CLOCK_MONOTONIC) - qEnvironmentVariable("REDRIVE_BENCH_STARTED_MS").toLongLong();
    if (step.kind == u"scroll")
        line[u"framesPerSecond"_s] = m_firstMs > 0 ? kFrames * 1000.0 / double(m_firstMs) : 0;
    if (step.kind == u"live")
        line[u"threadShare"_s] =
            double(msOf(CLOCK_THREAD_CPUTIME_ID) - m_threadMs) / double(qMax<qint64>(1, m_firstMs));
    say(line);
    m_begun = false;
    if (++m_at < m_steps.size())
        return;
    m_look.stop();
    say({{u"blocks"_s, dog->property("blocks").toInt()}, {u"highestMib"_s, statusMib("VmHWM")}});
    QCoreApplication::exit();
}

class WindowDriverPlugin final : public QGenericPlugin
{
    Q_OBJECT
    Q_PLUGIN_METADATA(IID QGenericPluginFactoryInterface_iid FILE "window_driver.json")
public:
    QObject* create(const QString&, const QString&) override { return new WindowDriver; }
};

} // namespace redrive::bench

#include "window_driver.moc"
