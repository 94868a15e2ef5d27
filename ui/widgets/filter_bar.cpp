#include "ui/widgets/filter_bar.h"

#include "ui/widgets/filter_completer.h"
#include "ui/widgets/icon.h"
#include "ui/widgets/look.h"
#include "ui/widgets/paint.h"
#include "ui/widgets/plain_label.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPainter>

namespace redrive {

namespace {

constexpr int kPauseMs = 400;
constexpr int kIconRoom = 32;
constexpr int kKeyRoom = 30;

} // namespace

FilterBar::FilterBar(QWidget* parent)
    : QFrame(parent), m_field(new QLineEdit(this)), m_chips(new QHBoxLayout), m_row(new QWidget(this)),
      m_errorRow(new QWidget(this)),
      m_error(new PlainLabel({}, PlainLabel::Step::Small, Emphasis::Primary, this)),
      m_completer(new FilterCompleter(m_field))
{
    m_field->setCompleter(m_completer);
    // Queued: the field takes the word first.
    connect(m_completer, qOverload<const QString&>(&QCompleter::activated), this, &FilterBar::send,
            Qt::QueuedConnection);
    m_field->setFrame(false);
    m_field->setAccessibleName(tr("Filter"));
    m_field->setClearButtonEnabled(false);
    m_field->installEventFilter(this);
    setFocusProxy(m_field);

    auto* row = new QHBoxLayout(m_row);
    row->setContentsMargins(kIconRoom, 1, kKeyRoom, 1);
    row->setSpacing(4);
    m_chips->setContentsMargins(0, 0, 0, 0);
    m_chips->setSpacing(Look::current().space.chipGap);
    row->addLayout(m_chips);
    row->addWidget(m_field, 1);

    m_error->setStateColour(u"dead"_s);
    m_error->setMinimumWidth(40);
    auto* errorRow = new QHBoxLayout(m_errorRow);
    errorRow->setContentsMargins(kIconRoom, 3, 8, 1);
    errorRow->addWidget(m_error, 1);
    m_errorRow->hide();

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_row);
    column->addWidget(m_errorRow);

    m_pause.setSingleShot(true);
    m_pause.setInterval(kPauseMs);
    connect(&m_pause, &QTimer::timeout, this, &FilterBar::send);
    connect(m_field, &QLineEdit::textChanged, this, &FilterBar::applyMetrics);
    connect(m_field, &QLineEdit::textEdited, this, &FilterBar::onEdited);
    connect(m_field, &QLineEdit::returnPressed, this, [this] {
        m_sent.clear();
        send();
        if (m_field->text().isEmpty()) // an empty text equals the forgotten one, but Enter always says it
            Q_EMIT filterEntered(QString());
    });
    applyMetrics();
}

QString FilterBar::text() const
{
    return m_field->text();
}

void FilterBar::setText(const QString& text)
{
    m_pause.stop();
    m_field->setText(text.left(kLongest));
    m_field->setCursorPosition(int(m_field->text().size()));
    m_sent = m_field->text();
    clearError();
}

void FilterBar::setWords(std::function<QStringList()> words)
{
    m_completer->setWords(std::move(words));
}

void FilterBar::setPlaceholder(const QString& text)
{
    m_field->setPlaceholderText(text);
}

void FilterBar::onEdited(const QString& text)
{
    clearError();
    if (text.size() > kLongest) {
        const int cursor = qMin(m_field->cursorPosition(), kLongest);
        m_field->setText(text.left(kLongest));
        m_field->setCursorPosition(cursor);
        showError(tr("The filter was shortened to 4096 characters."), -1);
    }
    m_pause.start();
}

void FilterBar::send()
{
    m_pause.stop();
    if (m_field->text() == m_sent)
        return;
    m_sent = m_field->text();
    Q_EMIT filterEntered(m_sent);
}

void FilterBar::showError(const QString& message, int position)
{
    m_errorPosition = position;
    m_error->setText(message);
    m_field->setAccessibleDescription(message);
    m_errorRow->show();
    update();
}

void FilterBar::clearError()
{
    if (m_errorRow->isHidden())
        return;
    m_errorPosition = -1;
    m_error->clear();
    m_field->setAccessibleDescription(QString());
    m_errorRow->hide();
    update();
}

QString FilterBar::errorText() const
{
    return m_error->text();
}

void FilterBar::focusField()
{
    m_field->setFocus(Qt::ShortcutFocusReason);
    m_field->selectAll();
}

bool FilterBar::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_field && (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut))
        update();
    if (watched == m_field && event->type() == QEvent::KeyPress &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        Q_EMIT escaped();
        return true;
    }
    return QFrame::eventFilter(watched, event);
}

QRect FilterBar::fieldRect() const
{
    return m_row->geometry();
}

void FilterBar::paintEvent(QPaintEvent*)
{
    const auto& look = Look::current();
    QPainter painter(this);
    const QRectF box = fieldRect();
    const bool focused = m_field->hasFocus();
    paint::roundedBox(&painter, box, look.radius.control, look.background.base,
                      focused ? look.border.focus : look.border.control, focused ? look.size.focusRing : 1);
    paintIcon(&painter, QRectF(box.left() + 9, box.center().y() - 7, 14, 14), u"filter"_s,
              look.text.tertiary);
    const auto cap = paint::keyCap(nullptr, {}, u"/"_s);
    paint::keyCap(&painter, QRectF(box.right() - cap - 7, box.top(), cap, box.height()), u"/"_s);
    if (m_errorRow->isHidden())
        return;
    const auto& dead = look.state(u"dead"_s);
    const QRectF line = m_errorRow->geometry();
    paintIcon(&painter, QRectF(box.left() + 9, line.center().y() - 6, 14, 14), u"warning"_s, dead.text);
    if (m_errorPosition < 0)
        return;
    // A caret under the character that the message is about, as far as it is in view.
    const QFontMetricsF metrics(m_field->font());
    const auto place = qMin<qsizetype>(m_errorPosition, m_field->text().size());
    const auto left =
        m_field->mapTo(this, QPoint(2, 0)).x() + metrics.horizontalAdvance(m_field->text().left(place));
    const auto x = qBound<qreal>(kIconRoom, left + metrics.averageCharWidth() / 2, box.right() - kKeyRoom);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(dead.text);
    painter.drawPolygon(
        QPolygonF({{x, box.bottom() - 1}, {x - 4, box.bottom() + 4}, {x + 4, box.bottom() + 4}}));
}

void FilterBar::changeEvent(QEvent* event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::StyleChange)
        applyMetrics();
}

void FilterBar::applyMetrics()
{
    const auto& look = Look::current();
    const auto& font =
        m_field->text().isEmpty() ? look.font.body : look.font.mono; // the placeholder is a sentence
    if (m_field->font() != font)
        m_field->setFont(font);
    m_row->setFixedHeight(look.atLeast(look.size.field, look.font.body));
}

} // namespace redrive
