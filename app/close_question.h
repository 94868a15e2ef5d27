// What happens when the window is closed: with work running it asks once whether to keep running in the tray,
// to stop after the current jobs, or to stay; without, the program ends. Window thread.
#pragma once

#include <QObject>
#include <QSystemTrayIcon>

namespace redrive {

class EngineBridge;
class MainWindow;

class CloseQuestion final : public QObject
{
    Q_OBJECT
public:
    // `works`: the engine of this program runs jobs.
    CloseQuestion(MainWindow& window, EngineBridge& bridge, bool works);

    // On the desktop, where there is a tray; false: nowhere.
    bool notify(const QString& title, const QString& text);
    // As the tray is to be given it: what shows notifications reads markup in their texts.
    static QString trayText(const QString& text);

Q_SIGNALS:
    void notificationPressed(); // the window is there again

private:
    bool mayClose();
    bool isBusy() const;
    void goToTray();
    void comeBack();

    MainWindow& m_window;
    EngineBridge& m_bridge;
    bool m_works;
    QSystemTrayIcon m_tray;
};

} // namespace redrive
