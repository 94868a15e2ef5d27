// Why the database cannot be opened, and what can be done about it: open a backup, begin with a new database,
// save what can still be read. It does not close while it works. Accepted: the database can be opened now.
// Window thread; what takes long runs on a thread of its own.
#pragma once

#include "core/domain/rescue_offer.h"

#include <QDialog>
#include <QTimer>

#include <atomic>
#include <mutex>
#include <thread>

class QHBoxLayout;
class QListWidget;
class QPushButton;
class QStackedWidget;
class QVBoxLayout;

namespace redrive {

class PlainLabel;

class RescueDialog final : public QDialog
{
    Q_OBJECT
public:
    explicit RescueDialog(RescueOffer offer, QWidget* parent = nullptr);
    ~RescueDialog() override;

    void done(int result) override;

private:
    struct Progress
    {
        QString table;
        qint64 rows = 0;
    };

    void addMessagePage();
    void addBackupPage();
    void addWorkPage();
    void showNote(const QString& title, const QString& text, bool selectable,
                  const QList<QPushButton*>& buttons);
    void showBackups();
    void chooseFile();
    void showProgress();
    void recover();
    void showRecovered(const RescuedFile& file);
    void showFailure(const Error& error);
    // Runs `work` on the thread; `then` is called on this one with its result, unless the dialog is gone.
    template <typename T>
    void run(const QString& words, bool canStop, std::function<Result<T>()> work,
             std::function<void(const T&)> then);
    void place(const QString& words, std::function<Result<QString>()> work);
    void endWork();
    QVBoxLayout* addPage(const QString& title);
    QHBoxLayout* addFoot(QVBoxLayout* column);
    void go(int page);

    const RescueOffer m_offer;
    QStackedWidget* m_pages = nullptr;
    QListWidget* m_backups = nullptr;
    QPushButton* m_quit = nullptr;
    PlainLabel* m_workWords = nullptr;
    PlainLabel* m_workProgress = nullptr;
    QPushButton* m_stop = nullptr;
    QWidget* m_note = nullptr;
    QTimer m_progressTimer;
    bool m_working = false;
    std::thread m_thread;
    std::atomic<bool> m_stopping = false;
    std::mutex m_mutex; // guards the rest
    Progress m_progress;
};

} // namespace redrive
