// What happened to a job or delivery, oldest first: time, glyph, sentence. Window thread; plain text only.
#pragma once

#include "ui/models/format.h"

#include <QAbstractScrollArea>
#include <QList>

namespace redrive {

struct TimelineEntry
{
    qint64 atMs = 0;     // UTC; 0: unknown
    QString glyph;       // state glyph name; empty: a small dot
    QString text;        // "Attempt 1 failed: TLS, certificate has expired"
    QString detail;      // second line, tertiary; may be empty
    bool future = false; // planned: drawn in tertiary

    bool operator==(const TimelineEntry&) const = default;
};

class TimelineList final : public QAbstractScrollArea
{
    Q_OBJECT
public:
    explicit TimelineList(QWidget* parent = nullptr);

    void setEntries(const QList<TimelineEntry>& entries);
    void setZone(format::Zone zone);
    void setNow(qint64 utcMs); // for dates: times of another day carry it

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Placed
    {
        int top = 0;
        int height = 0;
        int textHeight = 0;
    };
    void layOut();
    int timeWidth() const;

    QList<TimelineEntry> m_entries;
    QList<Placed> m_placed;
    format::Zone m_zone = format::Zone::Utc;
    qint64 m_nowMs = 0;
};

} // namespace redrive
