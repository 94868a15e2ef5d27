#include "ui/pages/dead_letters_page.h"

#include "ui/models/dead_letters_model.h"
#include "ui/pages/import_action.h"
#include "ui/widgets/page_header.h"
#include "ui/widgets/row_table.h"
#include "ui/widgets/segmented_switch.h"

namespace redrive {

namespace {

bool isOpen(const RowValue& row)
{
    return std::get<LetterRow>(row).state == LetterState::Open;
}

bool canBeEdited(const RowValue& row)
{
    return isOpen(row) && std::get<LetterRow>(row).kind != LetterKind::Delivery;
}

bool isDiscarded(const RowValue& row)
{
    return std::get<LetterRow>(row).state == LetterState::Discarded;
}

} // namespace

DeadLettersPage::DeadLettersPage(const PageContext& context)
    : ListPage(context, new DeadLettersModel(*context.bridge), tr("Dead letters")),
      m_switch(new SegmentedSwitch(tr("Dead letters or bin"), {tr("Dead letters"), tr("Bin")}, true, this))
{
    header()->addWidget(m_switch);
    connect(m_switch, &SegmentedSwitch::chosen, this, [this](int index) { showBin(index == 1); });
    setVerbs({
        {ActionVerb::Requeue, u"R"_s, isOpen, tr("They are no dead letters any more.")},
        {ActionVerb::Edit, u"E"_s, canBeEdited, tr("A delivery's body is its event's and cannot be edited.")},
        {ActionVerb::Discard, u"D"_s, isOpen, tr("They are no dead letters any more.")},
        {ActionVerb::Restore, u"R"_s, isDiscarded, tr("They are not in the bin any more.")},
    });
    auto* import = new ImportAction(context, this);
    addAfterExport(import);
    connect(import, &ImportAction::said, this, &Page::messageRaised);
}

void DeadLettersPage::showBin(bool bin)
{
    if (bin == showsBin())
        return;
    m_switch->setCurrent(bin ? 1 : 0);
    table()->clearSelection();
    model()->setKind(bin ? ListKind::Bin : ListKind::DeadLetters);
    for (int column = 0; column < model()->columnCount(); ++column) {
        const auto& name = model()->columns()[column].name;
        if (name == u"changed" || name == u"dead")
            table()->setColumnShown(column, (name == u"changed") == bin);
    }
    header()->setTitle(bin ? tr("Bin") : tr("Dead letters"));
    applyVerbs();
    refreshState();
}

bool DeadLettersPage::offers(ActionVerb verb) const
{
    return (verb == ActionVerb::Restore) == showsBin();
}

QByteArray DeadLettersPage::saveState() const
{
    return (showsBin() ? "bin " : "open ") + ListPage::saveState();
}

void DeadLettersPage::restoreState(const QByteArray& state)
{
    const auto space = state.indexOf(' ');
    ListPage::restoreState(state.mid(space + 1));
    showBin(state.left(qMax<qsizetype>(space, 0)) == "bin");
}

NavEntry DeadLettersPage::entry() const
{
    return {u"dead-letters"_s, tr("Dead letters"), u"dead-letter"_s, u"D"_s, {}};
}

QString DeadLettersPage::filterPlaceholder() const
{
    return tr("Filter dead letters: type: queue: endpoint: error: attempt: age: id:");
}

qint64 DeadLettersPage::total() const
{
    const auto& counts = bridge().counts();
    if (!counts)
        return -1;
    return showsBin() ? counts->bin : counts->deadLetters;
}

qint64 DeadLettersPage::navCount() const
{
    const auto& counts = bridge().counts();
    return counts ? counts->deadLetters : -1;
}

QString DeadLettersPage::emptySentence() const
{
    if (showsBin())
        return tr("The bin is empty. Discarded letters are kept here for 7 days.");
    const auto& counts = bridge().counts();
    return counts && counts->bin > 0 ? tr("No dead letters. %1 in the bin.").arg(format::number(counts->bin))
                                     : tr("No dead letters.");
}

} // namespace redrive
