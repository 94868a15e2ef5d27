// Works the window of the real program like an operator: a plugin of Qt's own kind that runs inside it. Says
// on standard output, one JSON object a line, how long each step took and how long the window was blocked in
// it. Window thread.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QPointer>
#include <QTimer>

#include <functional>
#include <vector>

class QAction;
class QMainWindow;
class QTableView;

namespace redrive::bench {

class WindowDriver final : public QObject
{
    Q_OBJECT
public:
    explicit WindowDriver(QObject* parent = nullptr);

private:
    struct Step
    {
        QString name;
        QString
            kind; // budget that it stands under: start, page, sort, filter, aggregate, scroll, live, other
        std::function<void()> act;
        bool resets = false;             // rows count only once the list was asked anew
        std::function<bool()> done = {}; // instead of rows
        bool goesOn = false;             // part of the step before: measured from its begin
    };

    void plan();
    void addPages();
    void addSorts();
    void addFilters();
    void addMovements(const QString& prefix);
    void addTelemetry();
    void look();
    void begin();
    void end();
    bool hasRows() const;
    bool isComplete() const;
    void watchResets();
    void typeFilter(const QString& text);
    void frame();

    bool nextGoesOn() const;
    QAction* pageAction(const QString& title) const;
    QString minutesInWords() const; // what the strip of the Telemetry page says

    QTableView* table() const;
    QObject* watchdog() const;

    std::vector<Step> m_steps;
    size_t m_at = 0;
    QPointer<QMainWindow> m_window;
    QTimer m_look;
    QElapsedTimer m_took;
    QMetaObject::Connection m_resets;
    bool m_begun = false;
    bool m_reset = false;
    int m_blocksBefore = 0;
    qint64 m_firstMs = -1; // when the step was done
    bool m_gaveUp = false;
    QString m_words;
    qint64 m_processMs = 0;          // used by all threads before the step
    qint64 m_usedMs = 0;             // and in it, the engine included
    qint64 m_threadMs = 0;           // used by the window thread before the step
    std::function<int(int)> m_place; // of the scroll bar in a frame
    int m_frame = 0;
};

} // namespace redrive::bench
