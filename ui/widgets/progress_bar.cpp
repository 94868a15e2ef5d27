#include "ui/widgets/progress_bar.h"

#include "ui/widgets/look.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace redrive {

ProgressBar::ProgressBar(QWidget* parent) : QWidget(parent)
{
    setFixedHeight(kHeight);
    setMinimumWidth(kWidth / 2);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void ProgressBar::setProgress(int done, int failed, int total)
{
    m_done = done;
    m_failed = failed;
    m_total = total;
    setAccessibleName(tr("%1 of %2").arg(done).arg(total));
    update();
}

void ProgressBar::paintEvent(QPaintEvent*)
{
    const auto& look = Look::current();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF room = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    QPainterPath shape;
    shape.addRoundedRect(room, room.height() / 2, room.height() / 2);
    painter.fillPath(shape, look.background.sunken);
    if (m_total > 0) {
        painter.setClipPath(shape);
        const qreal done = room.width() * std::min(m_done, m_total) / m_total;
        const qreal failed = room.width() * std::min(m_failed, m_done) / m_total;
        painter.fillRect(QRectF(room.left(), room.top(), done, room.height()), look.accent.fill);
        painter.fillRect(QRectF(room.left() + done - failed, room.top(), failed, room.height()),
                         look.state(u"dead"_s).icon);
        painter.setClipping(false);
    }
    painter.setPen(QPen(look.border.standard, 1));
    painter.drawPath(shape);
}

} // namespace redrive
