#include "ui/shell/main_window.h"

#include "ui/widgets/bars.h"
#include "ui/widgets/filter_bar.h"
#include "ui/widgets/look.h"
#include "ui/widgets/nav_view.h"
#include "ui/widgets/segmented_switch.h"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QCloseEvent>
#include <QDockWidget>
#include <QGuiApplication>
#include <QMenu>
#include <QMenuBar>
#include <QPainter>
#include <QScreen>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace redrive {

namespace {

constexpr QSize kUsualSize(1440, 900);
constexpr QSize kWindowFrame(16, 48); // room for what the desktop draws around it

} // namespace

MainWindow::MainWindow(ThemeController& themes, const WindowSetup& setup, QWidget* parent)
    : QMainWindow(parent), m_themes(themes), m_setup(setup), m_layout(setup.layoutFile)
{
    const auto& look = Look::current();
    if (!setup.environmentColour.isEmpty())
        setContentsMargins(look.size.frame, look.size.frame, look.size.frame, look.size.frame);
    setDockOptions(AllowNestedDocks);
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::BottomDockWidgetArea);
    auto* centre = new QWidget(this);
    auto* column = new QVBoxLayout(centre);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_notices = new BrokenBar(centre);
    m_pages = new QStackedWidget(centre);
    m_pages->setObjectName(u"pages"_s);
    column->addWidget(m_notices);
    column->addWidget(m_pages, 1);
    setCentralWidget(centre);
    buildFilterRow();
    buildNavigator();
    buildDetailDock();
    buildMenus();
    resize(kUsualSize.boundedTo(screen()->availableSize() - kWindowFrame));
    connect(&themes, &ThemeController::changed, this, [this] {
        showTheme();
        update();
    });
}

// The docks are hidden while the base class takes the children down.
MainWindow::~MainWindow()
{
    m_detailDock->disconnect(this);
    if (m_operationsDock)
        m_operationsDock->disconnect(this);
}

void MainWindow::addPage(Page* page)
{
    const auto entry = page->entry();
    m_pages->addWidget(page);
    Shown shown{page, nullptr, -1};
    const auto actions = page->pageActions();
    if (!actions.isEmpty()) {
        shown.menu = new QMenu(page->menuTitle(), this);
        shown.menu->addActions(actions);
        menuBar()->insertMenu(m_helpMenu, shown.menu);
    }
    if (auto* detail = page->detail())
        shown.detail = m_details->addWidget(detail);
    m_byEntry.insert(entry.id, shown);
    m_nav->addEntry(
        {entry.id, entry.title, entry.iconName, entry.goKey, page->navGroup(), entry.id == u"dead-letters"});
    const auto children = page->children();
    for (const auto& child : children) {
        m_byEntry.insert(child.id, shown);
        m_childFilter.insert(child.id, child.filter);
        m_nav->addEntry({child.id, child.title, {}, child.goKey, page->navGroup(), false}, entry.id);
    }
    auto* go =
        addWindowAction(m_goMenu, entry.title, entry.goKey.isEmpty() ? QString() : u"G, "_s + entry.goKey,
                        [this, id = entry.id] { showEntry(id); });
    go->setIconVisibleInMenu(true);
    connectPage(page);
}

void MainWindow::connectPage(Page* page)
{
    const auto isCurrent = [this, page] { return page == currentPage(); };
    connect(page, &Page::navCountChanged, m_nav, &NavView::setCount);
    connect(page, &Page::pageWanted, this, qOverload<const QString&, const QString&>(&MainWindow::showEntry));
    connect(page, &Page::messageRaised, this, &MainWindow::showMessage);
    connect(page, &Page::zoneWanted, this, &MainWindow::setZone);
    connect(page, &Page::detailWanted, this, [this, isCurrent] {
        if (isCurrent())
            updateDetail(true);
    });
    connect(page, &Page::filterChanged, this, [this, isCurrent](const QString& filter) {
        if (!isCurrent())
            return;
        m_filter->setText(filter);
        syncEntry();
    });
    connect(page, &Page::filterRejected, this, [this, isCurrent](const QString& message, int position) {
        if (isCurrent())
            m_filter->showError(message, position);
    });
    connect(page, &Page::filterAccepted, this, [this, isCurrent] {
        if (isCurrent())
            m_filter->clearError();
    });
    connect(page, &Page::scopeChanged, this, [this, isCurrent] {
        if (isCurrent())
            m_pages->setAccessibleDescription(currentPage()->scopeText());
    });
}

void MainWindow::start()
{
    setZone(m_layout.zone());
    m_themes.setTheme(m_layout.theme());
    m_themes.setDensity(m_layout.density());
    m_themes.chooseFonts(m_layout.listFont(), m_layout.payloadFont());
    showTheme();
    m_showDetail->setChecked(m_layout.detailShown());
    for (int i = 0; i < m_pages->count(); ++i) {
        auto* page = static_cast<Page*>(m_pages->widget(i));
        const auto id = page->entry().id;
        if (const auto state = m_layout.pageState(id); !state.isEmpty())
            page->restoreState(state);
        if (const auto filter = m_layout.pageFilter(id); !filter.isEmpty())
            page->setFilter(filter);
    }
    if (!m_layout.restoreWindow(this))
        resizeDocks({m_detailDock}, {Look::current().size.detailWidth}, Qt::Horizontal);
    m_started = true;
    const auto last = m_byEntry.constFind(m_layout.page());
    if (last != m_byEntry.cend())
        showEntry(last.key(), last->page->filter());
    else if (m_pages->count() > 0)
        showEntry(static_cast<Page*>(m_pages->widget(0))->entry().id);
}

Page* MainWindow::currentPage() const
{
    return static_cast<Page*>(m_pages->currentWidget());
}

void MainWindow::showEntry(const QString& entryId)
{
    if (!m_byEntry.contains(entryId))
        return;
    m_nav->setCurrentId(entryId);
    choose(entryId);
}

void MainWindow::showEntry(const QString& entryId, const QString& filter)
{
    if (!m_byEntry.contains(entryId))
        return;
    setCurrentPage(m_byEntry.value(entryId).page);
    m_filter->setText(filter);
    applyFilter(filter);
}

void MainWindow::choose(const QString& entryId)
{
    auto* page = m_byEntry.value(entryId).page;
    if (!page)
        return;
    const bool same = page == currentPage() && m_started;
    const auto child = m_childFilter.constFind(entryId);
    setCurrentPage(page);
    // A child is its filter. The page's own entry keeps what was typed, but leaves a child, and a second
    // choice clears.
    auto filter = page->filter();
    if (child != m_childFilter.constEnd())
        filter = *child;
    else if (same || entryFor(page, filter) != entryId)
        filter.clear();
    m_filter->setText(filter);
    if (filter != page->filter())
        page->setFilter(filter);
    m_nav->setCurrentId(entryId);
}

void MainWindow::setCurrentPage(Page* page)
{
    auto* before = currentPage();
    m_pages->setCurrentWidget(page);
    if (before && before != page)
        before->setCurrent(false);
    page->setCurrent(true);
    m_filter->setEnabled(page->takesFilter());
    m_filter->setPlaceholder(page->filterPlaceholder());
    m_filter->setWords([page] { return page->filterWords(); });
    m_pages->setAccessibleDescription(page->scopeText());
    updateDetail(false);
    Q_EMIT entryShown(page->entry().id);
    if (!m_nav->hasFocus())
        page->focusTarget()->setFocus(Qt::OtherFocusReason);
}

void MainWindow::applyFilter(const QString& filter)
{
    auto* page = currentPage();
    if (!page)
        return;
    page->setFilter(filter);
    syncEntry();
}

void MainWindow::syncEntry()
{
    if (auto* page = currentPage())
        m_nav->setCurrentId(entryFor(page, page->filter()));
}

QString MainWindow::entryFor(const Page* page, const QString& filter) const
{
    const auto children = page->children();
    for (const auto& child : children) {
        if (child.filter == filter.trimmed())
            return child.id;
    }
    return page->entry().id;
}

void MainWindow::setZone(format::Zone zone)
{
    m_zone = zone;
    m_zoneSwitch->setCurrent(zone == format::Zone::Local ? 1 : 0);
    for (int i = 0; i < m_pages->count(); ++i)
        static_cast<Page*>(m_pages->widget(i))->setZone(zone);
}

void MainWindow::copyId()
{
    const auto* page = currentPage();
    const auto id = page ? page->currentId() : QString();
    if (id.isEmpty())
        return;
    QGuiApplication::clipboard()->setText(id);
    showMessage(tr("Copied %1").arg(id));
}

void MainWindow::updateDetail(bool forceShow)
{
    const auto* page = currentPage();
    const auto shown = page ? m_byEntry.value(page->entry().id) : Shown();
    if (forceShow)
        m_showDetail->setChecked(true);
    const bool heldFocus = m_detailDock->isAncestorOf(QApplication::focusWidget());
    m_changingDetail = true;
    if (shown.detail >= 0)
        m_details->setCurrentIndex(shown.detail);
    m_detailDock->setVisible(shown.detail >= 0 && m_showDetail->isChecked());
    m_showDetail->setEnabled(shown.detail >= 0);
    m_changingDetail = false;
    if (heldFocus && m_detailDock->isHidden())
        currentPage()->focusTarget()->setFocus(Qt::OtherFocusReason);
}

void MainWindow::setStatus(const EngineStatus& status)
{
    m_status->setStatus(status);
}

void MainWindow::showMessage(const QString& text)
{
    m_status->say(text);
}

void MainWindow::setNotices(const QStringList& notices)
{
    if (notices.isEmpty())
        m_notices->clear();
    else
        m_notices->showCause(notices.join(u"  "_s), {});
}

void MainWindow::showTheme()
{
    const auto themes = m_themeActions->actions();
    for (auto* action : themes)
        action->setChecked(Theme(action->data().toInt()) == m_themes.theme());
}

void MainWindow::setCloseGuard(std::function<bool()> guard)
{
    m_closeGuard = std::move(guard);
}

void MainWindow::paintEvent(QPaintEvent* event)
{
    QMainWindow::paintEvent(event);
    if (m_setup.environmentColour.isEmpty())
        return;
    const auto& look = Look::current();
    QPainter painter(this);
    const auto colour =
        look.environments.value(m_setup.environmentColour, look.environments.value(u"slate"_s));
    const int f = look.size.frame;
    painter.fillRect(0, 0, width(), f, colour);
    painter.fillRect(0, height() - f, width(), f, colour);
    painter.fillRect(0, 0, f, height(), colour);
    painter.fillRect(width() - f, 0, f, height(), colour);
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (m_closeGuard && !m_closeGuard()) {
        event->ignore();
        return;
    }
    if (m_started)
        save();
    QMainWindow::closeEvent(event);
}

void MainWindow::save()
{
    m_layout.saveWindow(this);
    m_layout.setZone(m_zone);
    m_layout.setTheme(m_themes.theme());
    m_layout.setDensity(m_themes.density());
    m_layout.setFonts(m_themes.listFont(), m_themes.payloadFont());
    m_layout.setDetailShown(m_showDetail->isChecked());
    m_layout.setPage(m_nav->currentId());
    for (int i = 0; i < m_pages->count(); ++i) {
        const auto* page = static_cast<const Page*>(m_pages->widget(i));
        m_layout.setPageState(page->entry().id, page->saveState(), page->filter());
    }
}

} // namespace redrive
