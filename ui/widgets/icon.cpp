#include "ui/widgets/icon.h"

#include "ui/widgets/look.h"

#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>

namespace redrive {

namespace {

enum class Tint { Role, State, OnAccent };

// One tinted rendering, kept by QPixmapCache under everything it depends on.
QPixmap tinted(const QString& name, const QColor& colour, QSize pixels)
{
    const auto key = u"redrive:%1:%2:%3x%4"_s.arg(name, colour.name(QColor::HexArgb))
                         .arg(pixels.width())
                         .arg(pixels.height());
    QPixmap pixmap;
    if (QPixmapCache::find(key, &pixmap))
        return pixmap;
    QImage image(pixels, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QSvgRenderer renderer(u":/redrive/icons/%1.svg"_s.arg(name));
    QPainter painter(&image);
    renderer.render(&painter, QRectF(QPointF(), QSizeF(pixels)));
    painter.setCompositionMode(QPainter::CompositionMode_SourceIn);
    painter.fillRect(image.rect(), colour);
    painter.end();
    pixmap = QPixmap::fromImage(image);
    QPixmapCache::insert(key, pixmap);
    return pixmap;
}

class TintedIconEngine final : public QIconEngine
{
public:
    TintedIconEngine(QString name, Tint tint) : m_name(std::move(name)), m_tint(tint) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override
    {
        paintIcon(painter, rect, fileName(), colour(mode, state));
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override
    {
        return tinted(fileName(), colour(mode, state), size);
    }
    QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State state, qreal) override
    {
        return pixmap(size, mode, state);
    }
    QIconEngine* clone() const override { return new TintedIconEngine(*this); }
    QString key() const override { return u"redrive"_s; }
    bool isNull() override { return !QFile::exists(u":/redrive/icons/%1.svg"_s.arg(fileName())); }

private:
    QString fileName() const
    {
        return m_tint == Tint::State ? Look::current().state(m_name).iconName : m_name;
    }
    QColor colour(QIcon::Mode mode, QIcon::State state) const
    {
        const auto& look = Look::current();
        if (mode == QIcon::Disabled)
            return look.text.disabled;
        if (m_tint == Tint::State)
            return look.state(m_name).icon;
        if (m_tint == Tint::OnAccent)
            return look.text.onAccent;
        return mode != QIcon::Normal || state == QIcon::On ? look.text.primary : look.text.secondary;
    }

    QString m_name;
    Tint m_tint;
};

} // namespace

QIcon icon(const QString& name)
{
    Look::current(); // the resources are registered with the first look
    return QIcon(new TintedIconEngine(name, Tint::Role));
}

QIcon stateGlyph(const QString& state)
{
    return QIcon(new TintedIconEngine(state, Tint::State));
}

QIcon accentIcon(const QString& name)
{
    return QIcon(new TintedIconEngine(name, Tint::OnAccent));
}

QIcon applicationIcon()
{
    Look::current();
    QIcon result;
    QSvgRenderer renderer(u":/redrive/redrive.svg"_s);
    for (const int size : {16, 24, 32, 48, 64, 128, 256}) {
        QPixmap pixmap(size, size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        renderer.render(&painter);
        painter.end();
        result.addPixmap(pixmap);
    }
    return result;
}

void paintIcon(QPainter* painter, const QRectF& rect, const QString& name, const QColor& colour)
{
    const auto ratio = painter->device()->devicePixelRatioF();
    const auto side = qMin(rect.width(), rect.height());
    const int pixels = qRound(side * ratio);
    auto pixmap = tinted(name, colour, QSize(pixels, pixels));
    pixmap.setDevicePixelRatio(ratio);
    // On whole device pixels, or the glyph blurs at 125 %.
    const auto snap = [ratio](qreal v) { return std::round(v * ratio) / ratio; };
    const auto origin = painter->deviceTransform().map(QPointF(0, 0)) / ratio;
    const auto x = snap(rect.center().x() - side / 2 + origin.x()) - origin.x();
    const auto y = snap(rect.center().y() - side / 2 + origin.y()) - origin.y();
    painter->drawPixmap(QPointF(x, y), pixmap);
}

void paintStateGlyph(QPainter* painter, const QRectF& rect, const QString& state)
{
    const auto& style = Look::current().state(state);
    paintIcon(painter, rect, style.iconName, style.icon);
}

} // namespace redrive
