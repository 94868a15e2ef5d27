// The window's last line: engine, rate, lag of the view, a note; at the right what may be changed. Window
// thread.
#pragma once

#include <QStatusBar>
#include <QTimer>

namespace redrive {

struct EngineStatus
{
    QString glyph;             // state glyph name: "processing" running, "held" paused, "dead" stopped
    QString text;              // "Engine running"
    double jobsPerSecond = -1; // -1: unknown, left out
    qint64 viewLagMs = -1;     // -1: left out
    QString note;              // "Breaker open: kestrel-pay"; may be empty
    QString noteGlyph;
};

class StatusLine final : public QStatusBar
{
    Q_OBJECT
public:
    explicit StatusLine(QWidget* parent = nullptr);

    void setStatus(const EngineStatus& status);
    void setRight(const QString& text, bool locked); // "Read-only", "Changes allowed"
    // One plain line over the note for six seconds.
    void say(const QString& text);
    QString text() const; // the whole line, for screen readers and tests

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void describe();

    EngineStatus m_status;
    QString m_right;
    bool m_locked = false;
    QString m_message;
    QTimer m_messageEnd;
};

} // namespace redrive
