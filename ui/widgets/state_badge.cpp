#include "ui/widgets/state_badge.h"

#include "ui/widgets/icon.h"
#include "ui/widgets/look.h"
#include "ui/widgets/paint.h"

#include <QCoreApplication>
#include <QPainter>

namespace redrive {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(states)
};

constexpr int kPad = 8;

} // namespace

QString stateWord(const QString& state)
{
    if (state == u"pending")
        return Words::tr("Pending");
    if (state == u"processing")
        return Words::tr("Processing");
    if (state == u"done")
        return Words::tr("Done");
    if (state == u"dead")
        return Words::tr("Dead");
    if (state == u"cancelled")
        return Words::tr("Cancelled");
    if (state == u"retrying")
        return Words::tr("Retrying");
    if (state == u"held")
        return Words::tr("Held");
    if (state == u"failed")
        return Words::tr("Failed");
    if (state == u"delivered")
        return Words::tr("Delivered");
    if (state == u"sending")
        return Words::tr("Sending");
    if (state == u"never")
        return Words::tr("Never attempted");
    if (state == u"unsubscribed")
        return Words::tr("Not subscribed");
    if (state == u"breakerOpen")
        return Words::tr("Breaker open");
    return Words::tr("Unknown");
}

StateBadge::StateBadge(QWidget* parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void StateBadge::setState(const QString& state, const QString& text)
{
    m_state = state;
    m_text = text.isEmpty() ? stateWord(state) : text;
    setAccessibleName(m_text);
    updateGeometry();
    update();
}

QSize StateBadge::sizeHint() const
{
    const auto& look = Look::current();
    const QFontMetrics metrics(look.font.smallStrong);
    return {2 * kPad + look.icon.state + look.space.iconToText + metrics.horizontalAdvance(m_text),
            qMax(look.size.badge, metrics.height() + 4)};
}

void StateBadge::paintEvent(QPaintEvent*)
{
    const auto& look = Look::current();
    const auto& state = look.state(m_state);
    QPainter painter(this);
    paint::roundedBox(&painter, rect(), look.radius.badge, state.tint, {});
    const QRectF glyph(kPad, height() / 2.0 - look.icon.state / 2.0, look.icon.state, look.icon.state);
    paintStateGlyph(&painter, glyph, m_state);
    paint::text(&painter, QRectF(rect()).adjusted(glyph.right() + look.space.iconToText, 0, 0, 0), m_text,
                look.font.smallStrong, state.text);
}

} // namespace redrive
