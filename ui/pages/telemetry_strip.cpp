#include "ui/pages/telemetry_strip.h"

#include "ui/models/state_words.h"
#include "ui/widgets/look.h"
#include "ui/widgets/paint.h"
#include "ui/widgets/segmented_switch.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QSignalBlocker>
#include <QToolTip>

#include <algorithm>

namespace redrive {

namespace {

constexpr int kHead = 36;
constexpr int kTenantCharacters = 16;
constexpr qint64 kSpans[] = {15 * kMsOfMinute, 60 * kMsOfMinute, 360 * kMsOfMinute};

} // namespace

TelemetryStrip::TelemetryStrip(QWidget* parent)
    : QWidget(parent), m_tenants(new QComboBox(this)),
      m_spans(new SegmentedSwitch(tr("How far back"), {tr("15 min"), tr("1 h"), tr("6 h")}, true, this))
{
    setAccessibleName(tr("Rows of telemetry per minute"));
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_tenants->setAccessibleName(tr("Tenant"));
    m_tenants->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_tenants->setMinimumContentsLength(kTenantCharacters);
    m_spans->setCurrent(1);
    const auto& look = Look::current();
    auto* row = new QHBoxLayout;
    row->setContentsMargins(look.space.pageInset, 4, look.space.pageInset, 0);
    row->setSpacing(8);
    row->addStretch(1);
    row->addWidget(m_tenants);
    row->addWidget(m_spans);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addLayout(row);
    column->addStretch(1);
    fillTenants();
    connect(m_tenants, &QComboBox::activated, this,
            [this](int index) { Q_EMIT tenantChosen(m_tenants->itemData(index).toString()); });
    connect(m_spans, &SegmentedSwitch::chosen, this, [this](int index) {
        m_history.setSpan(kSpans[index]);
        rebuild();
        Q_EMIT spanChosen(kSpans[index]);
    });
}

QSize TelemetryStrip::sizeHint() const
{
    return {640, qMax(kHead, m_tenants->sizeHint().height() + 8) + kPlot + kAxis};
}

QSize TelemetryStrip::minimumSizeHint() const
{
    return {240, sizeHint().height()};
}

void TelemetryStrip::take(const TelemetryMinutes& counted, bool whole)
{
    m_history.take(counted, whole);
    fillTenants();
    rebuild();
}

void TelemetryStrip::setZone(format::Zone zone)
{
    m_zone = zone;
    update();
}

void TelemetryStrip::setStale(bool stale)
{
    m_stale = stale;
    update();
}

void TelemetryStrip::setTenant(const QString& tenant)
{
    if (tenant == m_tenant && tenant.isNull() == m_tenant.isNull())
        return;
    m_tenant = tenant;
    fillTenants();
    rebuild();
}

void TelemetryStrip::setRange(qint64 fromMs, qint64 toMs)
{
    m_rangeFromMs = fromMs;
    m_rangeToMs = toMs;
    update();
}

void TelemetryStrip::fillTenants()
{
    if (m_tenants->view()->isVisible())
        return; // somebody is choosing
    QStringList tenants = m_history.tenants();
    if (!m_tenant.isNull() && !tenants.contains(m_tenant))
        tenants.prepend(m_tenant);
    const QSignalBlocker quiet(m_tenants);
    m_tenants->clear();
    m_tenants->addItem(tr("All tenants"), QString());
    for (const QString& tenant : std::as_const(tenants))
        m_tenants->addItem(cellText(tenant), tenant);
    m_tenants->setCurrentIndex(m_tenant.isNull() ? 0 : 1 + int(tenants.indexOf(m_tenant)));
}

void TelemetryStrip::rebuild()
{
    m_bars = m_history.bars(m_tenant);
    if (m_cursor >= m_bars.size())
        m_cursor = m_anchor = -1;
    qint64 rows = 0;
    const TelemetryBar* most = nullptr;
    for (const TelemetryBar& bar : std::as_const(m_bars)) {
        rows += bar.all;
        if (!most || bar.all > most->all)
            most = &bar;
    }
    setAccessibleDescription(rows == 0 ? tr("No rows")
                                       : tr("%1 rows, most at %2").arg(format::number(rows), wordsOf(*most)));
    update();
}

QString TelemetryStrip::sourceWords(const QString& source)
{
    return source.isEmpty() ? tr("no source") : cellText(source);
}

QString TelemetryStrip::wordsOf(const TelemetryBar& bar) const
{
    QStringList parts;
    for (qsizetype i = 0; i < bar.rows.size(); ++i)
        if (bar.rows[i] > 0)
            parts.append(sourceWords(m_history.sources()[i]) + u' ' + format::number(bar.rows[i]));
    const QString at = format::clockTime(bar.atMs, m_zone, m_history.toMs()).chopped(3);
    return at + u": "_s + (parts.isEmpty() ? tr("no rows") : parts.join(u", "_s));
}

QRectF TelemetryStrip::plot() const
{
    const int inset = Look::current().space.pageInset;
    return QRectF(inset, height() - kAxis - kPlot, width() - 2 * inset, kPlot);
}

QRectF TelemetryStrip::rectOf(qsizetype bar) const
{
    const QRectF area = plot();
    const qreal wide = area.width() / qMax<qsizetype>(1, m_bars.size());
    return {area.left() + wide * qreal(bar), area.top(), wide, area.height()};
}

int TelemetryStrip::barAt(const QPointF& place) const
{
    const QRectF area = plot();
    if (m_bars.isEmpty() || !area.adjusted(0, -4, 0, kAxis).contains(place))
        return -1;
    const auto at = int((place.x() - area.left()) / area.width() * qreal(m_bars.size()));
    return std::clamp(at, 0, int(m_bars.size()) - 1);
}

void TelemetryStrip::mousePressEvent(QMouseEvent* event)
{
    const int bar = event->button() == Qt::LeftButton ? barAt(event->position()) : -1;
    if (bar < 0) {
        QWidget::mousePressEvent(event);
        return;
    }
    m_dragging = true;
    moveTo(bar, event->modifiers() & Qt::ShiftModifier);
}

void TelemetryStrip::mouseMoveEvent(QMouseEvent* event)
{
    if (!m_dragging || m_bars.isEmpty())
        return;
    const QRectF area = plot();
    const QPointF within(std::clamp(event->position().x(), area.left(), area.right() - 1), area.center().y());
    moveTo(barAt(within), true);
}

void TelemetryStrip::mouseReleaseEvent(QMouseEvent* event)
{
    if (m_dragging && event->button() == Qt::LeftButton) {
        m_dragging = false;
        choose();
    }
}

void TelemetryStrip::keyPressEvent(QKeyEvent* event)
{
    const bool extend = event->modifiers() & Qt::ShiftModifier;
    const int last = int(m_bars.size()) - 1;
    const int at = m_cursor < 0 ? last + 1 : m_cursor;
    switch (event->key()) {
    case Qt::Key_Left:
        moveTo(std::max(0, at - 1), extend);
        return;
    case Qt::Key_Right:
        moveTo(std::min(last, at + 1), extend);
        return;
    case Qt::Key_Home:
        moveTo(0, extend);
        return;
    case Qt::Key_End:
        moveTo(last, extend);
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        choose();
        return;
    case Qt::Key_Escape:
        m_cursor = m_anchor = -1;
        update();
        if (m_rangeFromMs < m_rangeToMs) {
            Q_EMIT rangeCleared();
            return;
        }
        break;
    default:
        break;
    }
    QWidget::keyPressEvent(event);
}

void TelemetryStrip::moveTo(int bar, bool extend)
{
    if (bar < 0 || bar >= m_bars.size())
        return;
    if (!extend || m_anchor < 0)
        m_anchor = bar;
    m_cursor = bar;
    setAccessibleDescription(wordsOf(m_bars[bar]));
    update();
}

void TelemetryStrip::choose()
{
    if (m_cursor < 0 || m_anchor < 0 || m_anchor >= m_bars.size())
        return;
    const auto [first, last] = std::minmax(m_cursor, m_anchor);
    Q_EMIT rangeChosen(m_bars[first].atMs, m_bars[last].atMs + kMsOfMinute);
}

bool TelemetryStrip::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    if (const int bar = barAt(help->pos()); bar >= 0)
        QToolTip::showText(help->globalPos(), format::plainToolTip(wordsOf(m_bars[bar])), this);
    else
        QToolTip::hideText();
    return true;
}

} // namespace redrive
