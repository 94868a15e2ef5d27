#include "ui/widgets/detail_pane.h"

#include "ui/models/format.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/look.h"
#include "ui/widgets/paint.h"
#include "ui/widgets/plain_label.h"
#include "ui/widgets/run_label.h"
#include "ui/widgets/state_badge.h"
#include "ui/widgets/tab_strip.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QMenu>
#include <QPainter>
#include <QStackedWidget>
#include <QToolButton>

namespace redrive {

namespace {

constexpr int kShownButtons = 3;

QHBoxLayout* line(QVBoxLayout* column, int top)
{
    auto* row = new QHBoxLayout;
    row->setContentsMargins(0, top, 0, 0);
    row->setSpacing(8);
    column->addLayout(row);
    return row;
}

} // namespace

DetailPane::DetailPane(QWidget* parent)
    : QWidget(parent), m_badge(new StateBadge(this)),
      m_title(new PlainLabel({}, PlainLabel::Step::Heading, Emphasis::Primary, this)),
      m_attempt(new PlainLabel({}, PlainLabel::Step::Body, Emphasis::Secondary, this)),
      m_id(new PlainLabel({}, PlainLabel::Step::MonoSmall, Emphasis::Secondary, this)),
      m_why(new RunLabel(this)), m_buttons(nullptr), m_tabs(new TabStrip(this)),
      m_pages(new QStackedWidget(this)),
      m_nothing(new PlainLabel({}, PlainLabel::Step::Body, Emphasis::Secondary, this)),
      m_whole(new QStackedWidget(this))
{
    const auto& look = Look::current();
    const int inset = look.space.paneInset;
    auto* filled = new QWidget(this);
    auto* column = new QVBoxLayout(filled);
    column->setContentsMargins(0, inset, 0, 0);
    column->setSpacing(0);
    auto* head = new QVBoxLayout;
    head->setContentsMargins(inset, 0, inset, inset);
    head->setSpacing(0);
    column->addLayout(head);

    auto* first = line(head, 2);
    m_title->setMinimumWidth(40);
    first->addWidget(m_badge);
    first->addWidget(m_title, 1);
    first->addWidget(m_attempt);

    auto* second = line(head, 10);
    second->setSpacing(2);
    m_id->setSelectable(true);
    auto* copy = makeIconButton(u"copy"_s, tr("Copy the id"), this);
    copy->setIconSize({14, 14});
    copy->setFixedSize(22, 22);
    second->addWidget(m_id);
    second->addWidget(copy);
    second->addStretch(1);
    connect(copy, &QToolButton::clicked, this, [this] {
        QGuiApplication::clipboard()->setText(m_id->text());
        Q_EMIT idCopied(m_id->text());
    });

    m_why->setWrapping(true);
    auto* third = line(head, 6);
    third->addWidget(m_why, 1);
    m_buttons = line(head, inset);

    auto* tabs = new QHBoxLayout;
    tabs->setContentsMargins(inset - 9, 0, inset, 1);
    tabs->addWidget(m_tabs);
    tabs->addStretch(1);
    column->addLayout(tabs);
    column->addWidget(m_pages, 1);
    connect(m_tabs, &QTabBar::currentChanged, m_pages, &QStackedWidget::setCurrentIndex);
    connect(m_tabs, &QTabBar::tabBarClicked, this, &DetailPane::tabChosen);

    m_nothing->setWordWrap(true);
    m_nothing->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_nothing->setContentsMargins(inset, inset, inset, inset);
    m_whole->addWidget(m_nothing);
    m_whole->addWidget(filled);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->addWidget(m_whole);
    setAccessibleName(tr("Detail"));
}

void DetailPane::showNothing(const QString& sentence)
{
    m_nothing->setText(sentence);
    m_whole->setCurrentIndex(0);
    update();
}

void DetailPane::setHead(const DetailHead& head)
{
    m_badge->setState(head.state, head.stateText);
    m_badge->setVisible(!head.state.isEmpty());
    m_title->setText(format::firstLine(head.title));
    m_attempt->setText(head.attempt);
    m_id->setText(head.id);
    m_why->setRuns({{tr("Why:"), Emphasis::Strong}, {u" "_s + head.why, Emphasis::Primary}});
    m_why->setVisible(!head.why.isEmpty());
    m_whole->setCurrentIndex(1);
    update();
}

void DetailPane::setActions(const QList<QAction*>& actions)
{
    while (auto* item = m_buttons->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (int i = 0; i < actions.size() && i < kShownButtons; ++i)
        m_buttons->addWidget(makeActionButton(actions[i], false, this));
    m_buttons->addStretch(1);
    if (actions.size() <= kShownButtons)
        return;
    auto* more = makeIconButton(u"ui/more"_s, tr("More actions"), this);
    auto* menu = new QMenu(more);
    menu->addActions(actions.mid(kShownButtons));
    connect(more, &QToolButton::clicked, menu,
            [more, menu] { menu->popup(more->mapToGlobal(QPoint(0, more->height()))); });
    m_buttons->addWidget(more);
}

int DetailPane::addTab(const QString& title, QWidget* widget)
{
    m_pages->addWidget(widget);
    const int index = m_tabs->addTab(title);
    m_tabs->setCount(index, -1);
    return index;
}

void DetailPane::setTabCount(int index, qint64 count)
{
    m_tabs->setCount(index, count);
}

void DetailPane::setTabShown(int index, bool shown)
{
    if (!shown && m_tabs->currentIndex() == index)
        m_tabs->setCurrentIndex(0);
    m_tabs->setTabVisible(index, shown);
}

void DetailPane::setCurrentTab(int index)
{
    m_tabs->setCurrentIndex(index);
}

int DetailPane::currentTab() const
{
    return m_tabs->currentIndex();
}

QSize DetailPane::sizeHint() const
{
    return {Look::current().size.detailWidth, 600};
}

QSize DetailPane::minimumSizeHint() const
{
    return {Look::current().size.detailWidthMin, 240};
}

void DetailPane::paintEvent(QPaintEvent*)
{
    const auto& look = Look::current();
    QPainter painter(this);
    painter.fillRect(rect(), look.background.base);
    if (m_whole->currentIndex() == 0)
        return;
    // Two full hairlines: the head ends, the tabs end.
    const auto tabs =
        QRectF(QPointF(0, m_tabs->mapTo(this, QPoint()).y()), QSizeF(width(), m_tabs->height() + 1));
    paint::hairline(&painter, tabs.adjusted(0, -1, 0, 0), Qt::TopEdge, look.border.standard);
    paint::hairline(&painter, tabs, Qt::BottomEdge, look.border.standard);
}

} // namespace redrive
