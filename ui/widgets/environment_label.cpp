#include "ui/widgets/environment_label.h"

#include "ui/widgets/icon.h"
#include "ui/widgets/look.h"
#include "ui/widgets/paint.h"

#include <QPainter>

namespace redrive {

namespace {

constexpr int kPad = 12;
constexpr int kLock = 12;

} // namespace

EnvironmentLabel::EnvironmentLabel(const QString& name, const QString& colour, QWidget* parent)
    : QWidget(parent), m_name(name), m_colour(colour)
{
    setAccessibleName(tr("Environment %1").arg(name));
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
}

void EnvironmentLabel::setReadOnly(bool readOnly)
{
    m_readOnly = readOnly;
    setAccessibleName(readOnly ? tr("Environment %1, read-only").arg(m_name)
                               : tr("Environment %1").arg(m_name));
    updateGeometry();
    update();
}

void EnvironmentLabel::setSquare(bool square)
{
    m_square = square;
    updateGeometry();
    update();
}

QSize EnvironmentLabel::sizeHint() const
{
    const auto& look = Look::current();
    const QFontMetrics metrics(look.font.smallStrong);
    const int lock = m_readOnly ? kLock + look.space.iconToText : 0;
    const int height = m_square ? qMax(look.size.navRow, QFontMetrics(look.font.body).height() + 10)
                                : qMax(look.size.badge, metrics.height() + 6);
    return {metrics.horizontalAdvance(m_name) + lock + 2 * kPad, height};
}

void EnvironmentLabel::paintEvent(QPaintEvent*)
{
    const auto& look = Look::current();
    const auto fill = look.environments.value(m_colour, look.environments.value(u"slate"_s));
    QPainter painter(this);
    if (m_square)
        painter.fillRect(rect(), fill);
    else
        paint::roundedBox(&painter, rect(), look.radius.badge, fill, {});
    qreal x = kPad;
    if (m_readOnly) {
        paintIcon(&painter, QRectF(x, height() / 2.0 - kLock / 2.0, kLock, kLock), u"ui/lock"_s,
                  look.environmentLabel);
        x += kLock + look.space.iconToText;
    }
    paint::text(&painter, QRectF(x, 0, width() - x, height()), m_name, look.font.smallStrong,
                look.environmentLabel);
}

} // namespace redrive
