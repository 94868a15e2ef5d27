// What MainWindow is made of: filter row, navigator, detail dock, menus. Built once.
#include "ui/dialogs/keyboard_dialog.h"
#include "ui/shell/main_window.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/environment_label.h"
#include "ui/widgets/filter_bar.h"
#include "ui/widgets/look.h"
#include "ui/widgets/nav_view.h"
#include "ui/widgets/segmented_switch.h"

#include <QAction>
#include <QActionGroup>
#include <QDockWidget>
#include <QHBoxLayout>
#include <QMenu>
#include <QMenuBar>
#include <QStackedWidget>
#include <QToolBar>
#include <QToolButton>

namespace redrive {

void MainWindow::buildFilterRow()
{
    auto* bar = new QToolBar(tr("Filter"), this);
    bar->setObjectName(u"filterRow"_s);
    bar->setMovable(false);
    bar->setFloatable(false);
    bar->setContextMenuPolicy(Qt::PreventContextMenu);
    auto* row = new QWidget(bar);
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(8, 4, 12, 8);
    layout->setSpacing(8);
    m_filter = new FilterBar(row);
    m_zoneSwitch = new SegmentedSwitch(tr("Time zone"), {tr("UTC"), tr("Local")}, false, row);
    layout->addWidget(m_filter, 1);
    layout->addWidget(m_zoneSwitch, 0, Qt::AlignTop);
    m_bell = makeIconButton(u"ui/bell"_s, tr("New alerts"), row);
    m_bell->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_bell->hide();
    layout->addWidget(m_bell, 0, Qt::AlignTop);
    connect(m_bell, &QToolButton::clicked, this, [this] { showEntry(u"activity/alerts"_s); });
    bar->addWidget(row);
    addToolBar(Qt::TopToolBarArea, bar);
    connect(m_filter, &FilterBar::filterEntered, this, &MainWindow::applyFilter);
    connect(m_filter, &FilterBar::escaped, this, [this] {
        if (auto* page = currentPage())
            page->focusTarget()->setFocus(Qt::OtherFocusReason);
    });
    connect(m_zoneSwitch, &SegmentedSwitch::chosen, this,
            [this](int index) { setZone(index == 1 ? format::Zone::Local : format::Zone::Utc); });
}

void MainWindow::setBell(int alerts, const QString& toolTip)
{
    m_bell->setText(format::number(qint64(alerts)));
    m_bell->setToolTip(format::plainToolTip(toolTip));
    m_bell->setAccessibleName(tr("%1 new alerts").arg(format::number(qint64(alerts))));
    m_bell->setVisible(alerts > 0);
}

void MainWindow::buildNavigator()
{
    const auto& look = Look::current();
    auto* dock = new QDockWidget(this);
    dock->setObjectName(u"navigator"_s);
    dock->setFeatures(QDockWidget::NoDockWidgetFeatures);
    dock->setTitleBarWidget(new QWidget(dock));
    dock->setWindowTitle(tr("Navigator"));
    m_nav = new NavView(dock);
    m_nav->setMinimumWidth(look.size.navWidthMin);
    m_nav->setMaximumWidth(look.size.navWidthMax);
    dock->setWidget(m_nav);
    addDockWidget(Qt::LeftDockWidgetArea, dock);
    resizeDocks({dock}, {look.size.navWidth}, Qt::Horizontal);
    connect(m_nav, &NavView::entryChosen, this, &MainWindow::choose);
}

void MainWindow::buildDetailDock()
{
    m_detailDock = new QDockWidget(tr("Detail"), this);
    m_detailDock->setObjectName(u"detail"_s);
    m_detailDock->setAllowedAreas(Qt::RightDockWidgetArea | Qt::LeftDockWidgetArea |
                                  Qt::BottomDockWidgetArea);
    m_details = new QStackedWidget(m_detailDock);
    m_detailDock->setWidget(m_details);
    addDockWidget(Qt::RightDockWidgetArea, m_detailDock);
    connect(m_detailDock, &QDockWidget::visibilityChanged, this, [this] {
        // Only the operator's closing counts, not a page without a detail or a minimised window.
        if (m_changingDetail || !m_started || !isVisible() || !m_detailDock->isHidden() ||
            !m_showDetail->isEnabled())
            return;
        m_showDetail->setChecked(false);
        currentPage()->focusTarget()->setFocus(Qt::OtherFocusReason);
    });

    m_status = new StatusLine(this);
    setStatusBar(m_status);
    m_status->setRight(m_setup.readOnly ? tr("Read-only") : tr("Changes allowed"), m_setup.readOnly);
}

void MainWindow::addOperations(QWidget* operations, std::function<void(bool)> showAll)
{
    m_operationsDock = new QDockWidget(tr("Operations"), this);
    m_operationsDock->setObjectName(u"operations"_s);
    m_operationsDock->setAllowedAreas(Qt::BottomDockWidgetArea | Qt::TopDockWidgetArea);
    m_operationsDock->setWidget(operations);
    addDockWidget(Qt::BottomDockWidgetArea, m_operationsDock);
    m_operationsDock->hide();
    m_showOperations = addWindowAction(m_viewMenu, tr("&Operations"), u"Ctrl+Shift+O"_s, [] {});
    m_showOperations->setCheckable(true);
    connect(m_showOperations, &QAction::toggled, this, std::move(showAll));
    connect(m_showOperations, &QAction::triggered, this,
            [this](bool shown) { m_operationsDock->setVisible(shown || m_operations > 0); });
    connect(m_operationsDock, &QDockWidget::visibilityChanged, this, [this] {
        if (m_operationsDock->isHidden()) // closed by hand
            m_showOperations->setChecked(false);
    });
}

void MainWindow::setOperationsCount(int count)
{
    const bool more = count > m_operations;
    m_operations = count;
    if (more || count == 0) // one that was closed by hand stays closed while nothing new comes
        m_operationsDock->setVisible(count > 0 || m_showOperations->isChecked());
}

QAction* MainWindow::addWindowAction(QMenu* menu, const QString& text, const QString& keys,
                                     std::function<void()> run)
{
    auto* action = new QAction(text, this);
    if (!keys.isEmpty())
        action->setShortcut(QKeySequence(keys));
    connect(action, &QAction::triggered, this, std::move(run));
    menu->addAction(action);
    addAction(action);
    return action;
}

void MainWindow::addTool(const QString& text, std::function<void()> run)
{
    if (!m_toolsMenu) {
        m_toolsMenu = new QMenu(tr("&Tools"), this);
        menuBar()->insertMenu(m_helpMenu, m_toolsMenu);
    }
    addWindowAction(m_toolsMenu, text, {}, std::move(run));
}

void MainWindow::buildMenus()
{
    auto title = tr("Redrive");
    if (!m_setup.environment.isEmpty())
        title += u" \u2014 "_s + m_setup.environment;
    setWindowTitle(m_setup.readOnly ? title + u" \u00B7 "_s + tr("read-only") : title);

    auto* file = menuBar()->addMenu(tr("&File"));
    addWindowAction(file, tr("&Close window"), u"Ctrl+W"_s, [this] { close(); });
    addWindowAction(file, tr("&Quit"), u"Ctrl+Q"_s, [this] { close(); })->setMenuRole(QAction::QuitRole);

    auto* edit = menuBar()->addMenu(tr("&Edit"));
    addWindowAction(edit, tr("&Undo the last action"), u"Ctrl+Z"_s, [this] { Q_EMIT undoWanted(); });
    addWindowAction(edit, tr("&Copy id"), u"Ctrl+C"_s, [this] { copyId(); });
    edit->addSeparator();
    addWindowAction(edit, tr("&Filter"), u"/"_s, [this] { m_filter->focusField(); });

    auto* view = menuBar()->addMenu(tr("&View"));
    m_viewMenu = view;
    auto* theme = view->addMenu(tr("&Theme"));
    m_themeActions = new QActionGroup(this);
    const QList<QPair<Theme, QString>> themes{
        {Theme::System, tr("As the &system")}, {Theme::Light, tr("&Light")}, {Theme::Dark, tr("&Dark")}};
    for (const auto& [value, text] : themes) {
        auto* action = theme->addAction(text);
        action->setCheckable(true);
        action->setChecked(value == m_themes.theme());
        action->setData(int(value));
        m_themeActions->addAction(action);
        connect(action, &QAction::triggered, this, [this, chosen = value] { m_themes.setTheme(chosen); });
    }
    addWindowAction(view, tr("UTC or local &time"), u"T"_s, [this] {
        setZone(m_zone == format::Zone::Utc ? format::Zone::Local : format::Zone::Utc);
    });
    m_showDetail = addWindowAction(view, tr("&Detail"), u"Ctrl+D"_s, [] {});
    m_showDetail->setCheckable(true);
    m_showDetail->setChecked(true);
    connect(m_showDetail, &QAction::toggled, this, [this] { updateDetail(false); });
    view->addSeparator();
    addWindowAction(view, tr("&Resync"), u"F5"_s, [this] {
        if (auto* page = currentPage())
            page->resync();
    });

    m_goMenu = menuBar()->addMenu(tr("&Go"));
    auto* help = menuBar()->addMenu(tr("&Help"));
    m_helpMenu = help->menuAction();
    addWindowAction(help, tr("&Keyboard"), u"?"_s, [this] {
        auto* dialog = new KeyboardDialog(menuBar(), this);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->open();
    });

    if (m_setup.environment.isEmpty() || m_setup.environmentColour.isEmpty())
        return;
    auto* label = new EnvironmentLabel(m_setup.environment, m_setup.environmentColour, this);
    label->setReadOnly(m_setup.readOnly);
    label->setSquare(true);
    menuBar()->setCornerWidget(label);
}

} // namespace redrive
