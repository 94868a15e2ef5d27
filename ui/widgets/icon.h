// Icons are one-colour SVGs on a 16 grid, tinted while painting, so they follow theme, state and device pixel
// ratio by themselves: build a QIcon once and keep it. Window thread. Names: resources/icons without ".svg"
// ("requeue", "ui/close", "state/dead").
#pragma once

#include <QIcon>
#include <QPixmap>
#include <QRectF>
#include <QString>

class QPainter;

namespace redrive {

// text.secondary at rest, text.primary in QIcon::Active, Selected or On, text.disabled when disabled.
QIcon icon(const QString& name);
// Always in the colour of the state: "dead", "retrying", "sending", "never", "breakerOpen" …
QIcon stateGlyph(const QString& state);
// White on accent, for the one filled button of a surface.
QIcon accentIcon(const QString& name);
QIcon applicationIcon();

void paintIcon(QPainter* painter, const QRectF& rect, const QString& name, const QColor& colour);
void paintStateGlyph(QPainter* painter, const QRectF& rect, const QString& state);

} // namespace redrive
