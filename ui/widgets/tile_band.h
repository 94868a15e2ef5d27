// The overview's band of figures. Each tile is a link to its rows. Window thread.
#pragma once

#include <QAbstractButton>
#include <QList>

class QHBoxLayout;

namespace redrive {

struct TileView
{
    QString caption;      // "Backlog"
    QString figure;       // "2 318", finished text
    QString unit;         // "jobs"
    QString context;      // a line, or as many as the band has: "6 queues · largest jobs, 1 940"
    QString contextState; // context in state.x.text; empty: tertiary
    QString glyph;        // before the figure; may be empty
    QList<double> spark;
    bool bars = false; // spark as bars, the last sparkHot in the colour of dead; else a line
    int sparkHot = 0;
};

class Tile final : public QAbstractButton
{
    Q_OBJECT
public:
    explicit Tile(QWidget* parent = nullptr, int contextLines = 1);

    void setView(const TileView& view);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    int m_contextLines;
    TileView m_view;
};

class TileBand final : public QWidget
{
    Q_OBJECT
public:
    explicit TileBand(int tiles, QWidget* parent = nullptr, int contextLines = 1);

    void setTile(int index, const TileView& view);

Q_SIGNALS:
    void tileChosen(int index);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QList<Tile*> m_tiles;
};

} // namespace redrive
