// The window: menu bar, filter row, navigator, the pages, the detail dock, the status line, framed in the
// colour of the environment. Knows pages only as Page; they bring their own actions. Window thread.
#pragma once

#include "ui/shell/status_line.h"
#include "ui/shell/window_layout.h"
#include "ui/widgets/page.h"

#include <QHash>
#include <QList>
#include <QMainWindow>

#include <functional>

class QActionGroup;
class QDockWidget;
class QMenu;
class QStackedWidget;
class QToolButton;

namespace redrive {

class BrokenBar;
class FilterBar;
class NavView;
class SegmentedSwitch;
class ThemeController;

struct WindowSetup
{
    QString environment;       // "PROD-EU"; empty: no name
    QString environmentColour; // token name; empty: plain, without a frame
    bool readOnly = false;
    QString layoutFile; // INI file in the data folder, one per environment
};

class MainWindow final : public QMainWindow
{
    Q_OBJECT
public:
    MainWindow(ThemeController& themes, const WindowSetup& setup, QWidget* parent = nullptr);
    ~MainWindow() override;

    // All pages first, then start(). Takes the page.
    void addPage(Page* page);
    // Brings back layout, filters and the last page (else the first). Call once, before show().
    void start();
    // What runs along the bottom; before start(). Takes it. `showAll`: whether the operator wants to see
    // everything it keeps.
    void addOperations(QWidget* operations, std::function<void(bool)> showAll);
    // It is shown while it has rows, or when the operator wants to see it.
    void setOperationsCount(int count);

    void showEntry(const QString& entryId);
    void showEntry(const QString& entryId, const QString& filter);
    Page* currentPage() const;
    void setStatus(const EngineStatus& status);
    void showMessage(const QString& text);
    // Sentences that stay over every page as long as they hold.
    void setNotices(const QStringList& notices);
    // Alerts that nobody has looked at; 0: the bell is not shown. A press shows the entry of the alerts.
    void setBell(int alerts, const QString& toolTip);
    // An entry of the Tools menu, which comes with the first. Before start().
    void addTool(const QString& text, std::function<void()> run);
    // Asked before the window closes; false keeps it open.
    void setCloseGuard(std::function<bool()> guard);
    QString layoutFile() const { return m_setup.layoutFile; }
    NavView* navigator() const { return m_nav; }
    FilterBar* filterBar() const { return m_filter; }

Q_SIGNALS:
    void entryShown(const QString& entryId);
    void undoWanted();

protected:
    void paintEvent(QPaintEvent* event) override;
    void closeEvent(QCloseEvent* event) override;

private:
    struct Shown
    {
        Page* page = nullptr;
        QMenu* menu = nullptr;
        int detail = -1; // index in the detail stack
    };

    void buildFilterRow();
    void buildNavigator();
    void buildDetailDock();
    void buildMenus();
    QAction* addWindowAction(QMenu* menu, const QString& text, const QString& keys,
                             std::function<void()> run);
    void connectPage(Page* page);
    void choose(const QString& entryId);
    void setCurrentPage(Page* page);
    void applyFilter(const QString& filter);
    void syncEntry();
    void setZone(format::Zone zone);
    void showTheme();
    void copyId();
    void updateDetail(bool forceShow);
    void save();
    QString entryFor(const Page* page, const QString& filter) const;

    ThemeController& m_themes;
    WindowSetup m_setup;
    WindowLayout m_layout;
    FilterBar* m_filter = nullptr;
    SegmentedSwitch* m_zoneSwitch = nullptr;
    NavView* m_nav = nullptr;
    BrokenBar* m_notices = nullptr;
    QToolButton* m_bell = nullptr;
    QStackedWidget* m_pages = nullptr;
    QDockWidget* m_detailDock = nullptr;
    QStackedWidget* m_details = nullptr;
    QDockWidget* m_operationsDock = nullptr;
    QAction* m_showOperations = nullptr;
    QMenu* m_viewMenu = nullptr;
    int m_operations = 0; // rows
    StatusLine* m_status = nullptr;
    QMenu* m_goMenu = nullptr;
    QMenu* m_toolsMenu = nullptr;
    QAction* m_helpMenu = nullptr;
    QAction* m_showDetail = nullptr;
    QActionGroup* m_themeActions = nullptr;
    QHash<QString, Shown> m_byEntry;       // page and child entries
    QHash<QString, QString> m_childFilter; // of child entries
    format::Zone m_zone = format::Zone::Utc;
    std::function<bool()> m_closeGuard;
    bool m_started = false;
    bool m_changingDetail = false;
};

} // namespace redrive
