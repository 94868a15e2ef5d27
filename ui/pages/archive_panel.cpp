#include "ui/pages/archive_panel.h"

#include "ui/models/state_words.h"
#include "ui/pages/import_action.h"
#include "ui/widgets/bars.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/icon.h"
#include "ui/widgets/plain_label.h"
#include "ui/widgets/row_table.h"

#include <QAction>
#include <QGridLayout>
#include <QHeaderView>
#include <QVBoxLayout>

#include <algorithm>

namespace redrive {

namespace {

constexpr int kLabelWidth = 200; // as the page's other parts
constexpr int kLeastRows = 2;
constexpr int kMostRows = 6;

} // namespace

ArchivePanel::ArchivePanel(const PageContext& context, QWidget* parent)
    : QWidget(parent), m_context(context), m_import(new ImportAction(context, this)),
      m_write(new QAction(tr("Write now"), this)), m_upload(new QAction(tr("Upload now"), this))
{
    m_write->setIcon(icon(u"archive"_s));
    m_upload->setIcon(icon(u"export"_s));
    connect(m_write, &QAction::triggered, this, [this] { doNow(ArchiveTask::Write); });
    connect(m_upload, &QAction::triggered, this, [this] { doNow(ArchiveTask::Upload); });
    connect(m_import, &ImportAction::said, this, &ArchivePanel::said);
    if (m_context.bridge->facts().archive.dir.isEmpty())
        buildEmpty();
    else
        build();
    updateActions();
}

QList<QAction*> ArchivePanel::actions() const
{
    return m_table ? QList<QAction*>{m_write, m_upload, m_import} : QList<QAction*>{m_import};
}

void ArchivePanel::buildEmpty()
{
    const EngineFacts facts = m_context.bridge->facts();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    auto* words = new PlainLabel(noArchiveText(facts), PlainLabel::Step::Body);
    words->setWordWrap(true);
    auto* lines = new PlainLabel(archiveLines(facts), PlainLabel::Step::Mono);
    lines->setSelectable(true);
    column->addWidget(words);
    column->addWidget(lines);
    column->addWidget(makeActionButton(m_import, true, this), 0, Qt::AlignLeft);
}

void ArchivePanel::build()
{
    const bool copies = !m_context.bridge->facts().archive.bucket.isEmpty();
    m_model = new PlainTableModel(archiveColumns(copies), this);
    m_table = new RowTable(tr("Files of the archive"), this);
    m_table->setClock(&m_context.bridge->clock());
    m_table->setModel(m_model);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->showSort(-1, Qt::AscendingOrder);
    m_table->setContextMenuPolicy(Qt::ActionsContextMenu);
    m_table->addActions(actions());

    auto* buttons = new QVBoxLayout;
    buttons->setSpacing(6);
    for (QAction* action : actions())
        buttons->addWidget(makeActionButton(action, true, this));
    buttons->addStretch(1);
    m_facts = new QGridLayout;
    m_facts->setHorizontalSpacing(16);
    m_facts->setVerticalSpacing(5);
    m_facts->setColumnMinimumWidth(0, kLabelWidth);
    m_facts->setColumnStretch(2, 1);
    auto* head = new QHBoxLayout;
    head->setSpacing(16);
    auto* facts = new QVBoxLayout;
    facts->setContentsMargins(0, 3, 0, 0);
    facts->addLayout(m_facts);
    facts->addStretch(1);
    head->addLayout(facts, 1);
    head->addLayout(buttons);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(10);
    column->addLayout(head);
    column->addWidget(m_table);
    fitHeight();

    m_timer.setInterval(kAskEveryMs);
    connect(&m_timer, &QTimer::timeout, this, &ArchivePanel::ask);
    connect(m_context.bridge, &EngineBridge::healthChanged, this, [this] {
        if (isVisible())
            showFacts();
        updateActions();
    });
}

void ArchivePanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (m_table)
        m_timer.start();
}

void ArchivePanel::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    m_timer.stop();
}

void ArchivePanel::ask()
{
    if (m_table)
        m_context.bridge->archive(
            this, m_latest.guard([this](const Result<ArchiveState>& state) { onState(state); }));
}

void ArchivePanel::onState(const Result<ArchiveState>& state)
{
    m_table->setStale(!state);
    if (!state) // the bridge tells of a store that cannot be read
        return;
    m_state = *state;
    m_known = true;
    m_model->setRows(archiveRows(m_state));
    m_table->setEmptyState(
        m_state.files.isEmpty()
            ? new EmptyState(tr("No file yet: the first letter that is due makes one."), {}, {})
            : nullptr);
    m_table->selectFirstRow();
    fitHeight();
    showFacts();
}

// Made anew only where something reads otherwise, so that what is marked to be copied stays marked.
void ArchivePanel::showFacts()
{
    if (!m_known)
        return;
    const auto facts = archiveFacts(m_context.bridge->facts().archive, m_state,
                                    m_context.bridge->health().archive, m_context.bridge->nowMs());
    for (int row = 0; row < std::max(facts.size(), m_shown.size()); ++row) {
        if (row < facts.size() && row < m_shown.size() && facts[row] == m_shown[row])
            continue;
        for (int column = 0; column < 3; ++column)
            if (auto* item = m_facts->itemAtPosition(row, column))
                delete item->widget();
        if (row >= facts.size())
            continue;
        const ArchiveFact& fact = facts[row];
        m_facts->addWidget(new PlainLabel(fact.label, PlainLabel::Step::Body, Emphasis::Secondary), row, 0,
                           Qt::AlignTop);
        auto* text = new PlainLabel(fact.text, PlainLabel::Step::Body);
        text->setSelectable(true);
        if (!fact.state.isEmpty()) { // what is wrong may be long
            text->setText(fact.note.isEmpty() ? fact.text : fact.text + u" \u00B7 "_s + fact.note);
            text->setStateColour(fact.state);
            text->setWordWrap(true);
            m_facts->addWidget(text, row, 1, 1, 2);
            continue;
        }
        auto* note = new PlainLabel(fact.note, PlainLabel::Step::Body, Emphasis::Tertiary);
        m_facts->addWidget(text, row, 1, Qt::AlignTop);
        m_facts->addWidget(note, row, 2, Qt::AlignTop);
    }
    m_shown = facts;
}

void ArchivePanel::fitHeight()
{
    const int rows = std::clamp(m_model->rowCount(), kLeastRows, kMostRows);
    m_table->setFixedHeight(m_table->horizontalHeader()->sizeHint().height() +
                            rows * m_table->verticalHeader()->defaultSectionSize() + 4);
}

void ArchivePanel::doNow(ArchiveTask task)
{
    m_underWay.append(task);
    updateActions();
    m_context.bridge->archiveNow(this, task, [this, task](const Result<ArchiveTaskDone>& done) {
        m_underWay.removeOne(task);
        updateActions();
        ask();
        Q_EMIT said(archiveDoneText(task, done));
    });
}

void ArchivePanel::updateActions()
{
    const EngineFacts::Archive configured = m_context.bridge->facts().archive;
    const auto judge = [this](QAction* action, ArchiveTask task, const QString& obstacle,
                              const QString& what) {
        const QString why = m_context.readOnly                    ? tr("This profile is read-only.")
                            : !m_context.bridge->health().running ? tr("The engine is not running.")
                            : m_underWay.contains(task)           ? tr("It is under way.")
                                                                  : obstacle;
        action->setEnabled(why.isEmpty());
        action->setToolTip(format::plainToolTip(why.isEmpty() ? what : why));
    };
    judge(m_write, ArchiveTask::Write, {},
          tr("Writes the letters that are due; it does so by itself each minute."));
    judge(m_upload, ArchiveTask::Upload,
          configured.bucket.isEmpty() ? tr("There is no bucket: the table archive.s3 names one.") : QString(),
          tr("Copies every file that is not in the bucket as it is, today's too."));
}

} // namespace redrive
