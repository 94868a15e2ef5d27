#include "app/close_question.h"

#include "ui/bridge/engine_bridge.h"
#include "ui/shell/main_window.h"

#include <QApplication>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>

namespace redrive {

CloseQuestion::CloseQuestion(MainWindow& window, EngineBridge& bridge, bool works)
    : m_window(window), m_bridge(bridge), m_works(works)
{
    m_tray.setIcon(window.windowIcon());
    m_tray.setToolTip(tr("Redrive is running"));
    auto* menu = new QMenu(&window);
    connect(menu->addAction(tr("Open")), &QAction::triggered, this, [this] { comeBack(); });
    connect(menu->addAction(tr("Stop after the current jobs")), &QAction::triggered, qApp,
            [] { QCoreApplication::exit(); });
    m_tray.setContextMenu(menu);
    connect(&m_tray, &QSystemTrayIcon::activated, this, [this] { comeBack(); });
    connect(&m_tray, &QSystemTrayIcon::messageClicked, this, [this] {
        comeBack();
        Q_EMIT notificationPressed();
    });
    if (QSystemTrayIcon::isSystemTrayAvailable())
        m_tray.show();
    window.setCloseGuard([this] { return mayClose(); });
}

bool CloseQuestion::isBusy() const
{
    const auto& counts = m_bridge.counts();
    return m_works && counts && (counts->processing > 0 || counts->pending > 0 || counts->deliveriesOpen > 0);
}

bool CloseQuestion::mayClose()
{
    if (!isBusy()) {
        QCoreApplication::exit(); // quit() would close the window, and ask again
        return true;
    }
    QMessageBox box(&m_window);
    box.setTextFormat(Qt::PlainText);
    box.setIcon(QMessageBox::Question);
    box.setWindowTitle(tr("Close Redrive"));
    box.setText(tr("%n job(s) running or waiting.", nullptr,
                   int(m_bridge.counts()->processing + m_bridge.counts()->pending)));
    box.setInformativeText(tr("Jobs that wait stay in the database and go on at the next start."));
    QPushButton* tray = nullptr;
    if (QSystemTrayIcon::isSystemTrayAvailable())
        tray = box.addButton(tr("Keep running in the tray"), QMessageBox::AcceptRole);
    QPushButton* stop = box.addButton(tr("Stop after the current jobs"), QMessageBox::DestructiveRole);
    box.addButton(QMessageBox::Cancel);
    box.exec();
    if (tray && box.clickedButton() == tray) {
        goToTray();
        return false;
    }
    if (box.clickedButton() != stop)
        return false;
    QCoreApplication::exit();
    return true;
}

bool CloseQuestion::notify(const QString& title, const QString& text)
{
    if (!QSystemTrayIcon::isSystemTrayAvailable() || !QSystemTrayIcon::supportsMessages())
        return false;
    m_tray.show();
    m_tray.showMessage(title, trayText(text), QSystemTrayIcon::Warning);
    return true;
}

QString CloseQuestion::trayText(const QString& text)
{
    return text.toHtmlEscaped();
}

void CloseQuestion::goToTray()
{
    m_tray.show();
    m_window.hide();
}

void CloseQuestion::comeBack()
{
    m_window.show();
    m_window.raise();
    m_window.activateWindow();
}

} // namespace redrive
