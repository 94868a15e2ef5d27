#include "ui/widgets/page_header.h"

#include "ui/widgets/buttons.h"
#include "ui/widgets/look.h"
#include "ui/widgets/paint.h"
#include "ui/widgets/plain_label.h"
#include "ui/widgets/run_label.h"

#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QMenu>
#include <QPainter>
#include <QToolButton>

namespace redrive {

namespace {

constexpr int kShownButtons = 4;

} // namespace

PageHeader::PageHeader(const QString& title, QWidget* parent)
    : QWidget(parent), m_title(new PlainLabel(title, PlainLabel::Step::Title, Emphasis::Primary, this)),
      m_scope(new RunLabel(this)), m_actions(new QHBoxLayout), m_row(new QHBoxLayout(this))
{
    const auto& look = Look::current();
    m_row->setContentsMargins(look.space.pageInset, 0, look.space.paneInset, 1);
    m_row->setSpacing(10);
    m_row->addWidget(m_title);
    m_row->addWidget(m_scope, 1);
    m_actions->setSpacing(8);
    m_row->addLayout(m_actions);
    applyMetrics();
}

void PageHeader::setTitle(const QString& title)
{
    m_title->setText(title);
}

void PageHeader::setScope(const QString& sentence, bool numbersStrong)
{
    if (m_scope->plainText() != sentence)
        m_scope->setRuns(numbersStrong ? strongNumbers(sentence)
                                       : QList<TextRun>{{sentence, Emphasis::Secondary}});
}

QString PageHeader::scope() const
{
    return m_scope->plainText();
}

void PageHeader::setActions(const QList<QAction*>& actions)
{
    while (auto* item = m_actions->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    QList<QAction*> verbs = actions;
    verbs.removeIf([](const QAction* action) { return action->isSeparator(); });
    for (auto* action : verbs.mid(0, kShownButtons))
        m_actions->addWidget(makeActionButton(action, true, this));
    if (verbs.size() <= kShownButtons)
        return;
    auto* more = makeIconButton(u"ui/more"_s, tr("More actions"), this);
    auto* menu = new QMenu(more);
    menu->addActions(verbs.mid(kShownButtons));
    connect(more, &QToolButton::clicked, menu,
            [more, menu] { menu->popup(more->mapToGlobal(QPoint(0, more->height()))); });
    m_actions->addWidget(more);
}

void PageHeader::addWidget(QWidget* widget)
{
    m_row->addWidget(widget);
}

void PageHeader::paintEvent(QPaintEvent*)
{
    const auto& look = Look::current();
    QPainter painter(this);
    painter.fillRect(rect(), look.background.base);
    paint::hairline(&painter, rect(), Qt::BottomEdge, look.border.standard);
}

void PageHeader::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::StyleChange)
        applyMetrics();
}

void PageHeader::applyMetrics()
{
    const auto& look = Look::current();
    const QFontMetricsF title(look.font.title);
    const QFontMetricsF body(look.font.body);
    m_scope->setShift(qRound((title.ascent() - title.height() / 2) - (body.ascent() - body.height() / 2)));
    setFixedHeight(qMax(look.size.pageHeader, int(title.height()) + 16));
}

} // namespace redrive
