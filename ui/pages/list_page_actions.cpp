// What a list page does with its rows: verbs on the selection, on what is loaded or on all that match.
#include "ui/models/allow_line.h"
#include "ui/models/format.h"
#include "ui/models/state_words.h"
#include "ui/models/verb_words.h"
#include "ui/pages/list_page.h"
#include "ui/pages/row_detail.h"
#include "ui/widgets/icon.h"
#include "ui/widgets/page_header.h"
#include "ui/widgets/row_table.h"

#include <QAction>
#include <QClipboard>
#include <QFileDialog>
#include <QGuiApplication>
#include <QMenu>

namespace redrive {

namespace {

// Looking at every row of a large selection would hold the window up; beyond this the engine alone judges.
constexpr int kJudgedRows = 500;

} // namespace

void ListPage::setVerbs(const QList<PageVerb>& verbs)
{
    QList<QAction*> actions;
    QList<QAction*> buttons;
    for (const auto& verb : verbs) {
        const auto words = wordsOf(verb.verb);
        const auto shifted = verb.key.isEmpty() ? QString() : u"Shift+"_s + verb.key;
        auto* action = addTableAction(words.verb, verb.unsafe ? shifted : verb.key,
                                      [this, which = verb.verb] { act(which, false); });
        action->setIcon(icon(words.icon));
        auto* options = addTableAction(tr("%1 with options\u2026").arg(words.verb),
                                       verb.unsafe || verb.verb == ActionVerb::Edit ? QString() : shifted,
                                       [this, which = verb.verb] { act(which, true); });
        m_verbs.append({verb, action, options});
        m_actions.removeOne(options);
        actions.append(action);
        if (!verb.inMenuOnly)
            buttons.append(action);
    }
    for (auto* action : actions)
        m_actions.removeOne(action);
    QList<QAction*> all = actions;
    for (const auto& verb : m_verbs)
        all.append(verb.withOptions);
    if (!all.isEmpty()) {
        auto* separator = new QAction(this);
        separator->setSeparator(true);
        all.append(separator);
    }
    m_actions = all + m_actions;
    m_header->setActions(buttons.isEmpty() ? QList{m_export} : buttons);
    m_detail->setActions(buttons.isEmpty() ? QList{m_json} : QList<QAction*>{m_allow} + buttons);
    applyVerbs();
    refreshState();
}

void ListPage::applyVerbs()
{
    for (const auto& verb : m_verbs) {
        const bool offered = offers(verb.verb.verb);
        verb.action->setVisible(offered);
        verb.withOptions->setVisible(offered && verb.verb.verb != ActionVerb::Edit); // one at a time
    }
    updateVerbs();
}

std::vector<qint64> ListPage::selectedKeys() const
{
    if (auto other = otherSelection())
        return *std::move(other);
    std::vector<qint64> keys;
    auto ranges = m_table->selectionModel()->selection();
    std::sort(ranges.begin(), ranges.end(), [](const auto& a, const auto& b) { return a.top() < b.top(); });
    for (const auto& range : ranges)
        for (int row = range.top(); range.left() == 0 && row <= range.bottom(); ++row)
            keys.push_back(m_model->keyAt(row));
    return keys;
}

bool ListPage::isAllSelected() const
{
    return !otherSelection() && m_model->phase() == ListPhase::Complete && !m_model->isCut() &&
           !m_model->isStopped() && m_model->newRows() == 0 &&
           m_table->selectedRowCount() == m_model->rowCount();
}

void ListPage::updateVerbs()
{
    const auto other = otherSelection();
    const int selected = other ? int(other->size()) : m_table->selectedRowCount();
    const int missed = int(missedChosen().size());
    for (const auto& verb : m_verbs)
        updateVerb(verb, verb.verb.verb == ActionVerb::ReplayMissing ? missed : selected);
}

void ListPage::updateVerb(const Verb& verb, int selected)
{
    int suitable = selected;
    QStringList whys;
    const bool ofRows = verb.verb.verb != ActionVerb::ReplayMissing;
    if (ofRows && selected > 0 && selected <= kJudgedRows) {
        suitable = 0;
        for (const qint64 key : selectedKeys()) {
            const auto* row = m_model->rowFor(key);
            if (!row || verb.verb.appliesTo(*row))
                ++suitable;
            else if (const auto why = verb.verb.why ? verb.verb.why(*row) : QString(); !whys.contains(why))
                whys.append(why);
        }
    }
    const auto word = verb.verb.verb == ActionVerb::Edit ? tr("Edit") : wordsOf(verb.verb.verb).verb;
    QString obstacle;
    if (m_context.readOnly)
        obstacle = tr("This profile is read-only.");
    else if (!bridge().health().running)
        obstacle = tr("The engine is not running.");
    else if (selected == 0)
        obstacle = ofRows ? tr("Select rows first.") : verb.verb.otherwise;
    else if (suitable == 0)
        obstacle = whys.size() == 1 && !whys.first().isEmpty() ? whys.first() : verb.verb.otherwise;
    else if (verb.verb.verb == ActionVerb::Edit && (selected > 1 || !m_model->rowFor(selectedKeys().front())))
        obstacle = tr("Select one row: one is edited at a time.");
    const bool ellipsis = verb.verb.verb == ActionVerb::Edit || verb.verb.verb == ActionVerb::Postpone;
    const auto counted = suitable > 0 && verb.verb.verb != ActionVerb::Edit
                             ? word + u' ' + format::number(qint64(suitable))
                             : word;
    verb.action->setText(ellipsis ? counted + u'\u2026' : counted);
    verb.action->setStatusTip(obstacle);
    verb.action->setEnabled(obstacle.isEmpty() && verb.action->isVisible());
    verb.withOptions->setEnabled((ofRows ? m_model->rowCount() : selected) > 0 && bridge().health().running &&
                                 !m_context.readOnly && verb.withOptions->isVisible());
}

void ListPage::act(ActionVerb verb, bool withOptions)
{
    ActionChoice choice;
    choice.verb = verb;
    choice.list = m_model->kind();
    if (verb == ActionVerb::ReplayMissing) {
        choice.missed = missedChosen();
        if (!choice.missed.isEmpty())
            withOptions ? m_runner->ask(choice) : m_runner->run(choice);
        return;
    }
    choice.filter = m_model->filter();
    choice.matching = m_model->rowCount();
    choice.selected = selectedKeys();
    choice.deliveredChosen = deliveredChosen();
    const auto loaded = m_model->loadedKeys();
    choice.loaded.assign(loaded.begin(), loaded.end());
    choice.allSelected = isAllSelected();
    if (verb == ActionVerb::Edit) {
        if (const auto* row = choice.selected.size() == 1 ? m_model->rowFor(choice.selected[0]) : nullptr)
            m_runner->edit(choice, *row);
    } else if (withOptions)
        m_runner->ask(choice);
    else if (!choice.selected.empty())
        m_runner->run(choice);
}

void ListPage::showMenu(const QPoint& position)
{
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (auto* action : std::as_const(m_actions))
        if (action->isVisible())
            menu->addAction(action);
    menu->popup(m_table->viewport()->mapToGlobal(position));
}

void ListPage::askExport()
{
    auto* dialog = new QFileDialog(window(), tr("Export what is filtered"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    const QString csv = tr("Comma-separated values (*.csv)");
    const QString lines = tr("JSON lines (*.jsonl)");
    dialog->setNameFilters({csv, lines});
    dialog->selectFile(entry().id);
    const auto follow = [dialog, csv](const QString& filter) {
        dialog->setDefaultSuffix(filter == csv ? u"csv"_s : u"jsonl"_s);
    };
    follow(csv);
    connect(dialog, &QFileDialog::filterSelected, dialog, follow);
    connect(dialog, &QFileDialog::fileSelected, this, [this, dialog, lines](const QString& path) {
        const bool asLines = dialog->selectedNameFilter() == lines || path.endsWith(u".jsonl");
        exportTo(path, asLines ? ExportForm::JsonLines : ExportForm::Csv);
    });
    dialog->open();
}

void ListPage::exportTo(const QString& path, ExportForm form)
{
    ExportRequest request{m_model->request(), form, path};
    Q_EMIT messageRaised(tr("Exporting\u2026"));
    bridge().exportList(this, std::move(request), [this, path](const Result<ExportDone>& done) {
        if (!done) {
            Q_EMIT messageRaised(done.error().text());
            return;
        }
        const QString rows = tr("%1 row(s) exported to %2", nullptr, format::plural(done->rows))
                                 .arg(format::number(done->rows), cellText(path));
        Q_EMIT messageRaised(done->cut ? tr("%1; more match than this order can show").arg(rows) : rows);
    });
}

void ListPage::copyAllowLine()
{
    const AllowLine allowed = allowLineFor(m_detail->allowLine(), bridge().facts());
    QGuiApplication::clipboard()->setText(allowed.text);
    Q_EMIT messageRaised(
        tr("Copied. Redrive leaves your configuration as it is: put the line into %1 and start "
           "Redrive again: %2")
            .arg(allowed.where, allowed.text));
}

void ListPage::copyJson()
{
    const QByteArray line = m_detail->json();
    if (!line.isEmpty())
        QGuiApplication::clipboard()->setText(QString::fromUtf8(line));
    Q_EMIT messageRaised(line.isEmpty() ? tr("There is no row to copy.") : tr("Copied as JSON"));
}

void ListPage::copyCurl()
{
    const QString text = m_detail->curl();
    if (!text.isEmpty())
        QGuiApplication::clipboard()->setText(text);
    Q_EMIT messageRaised(text.isEmpty() ? tr("There is no request to copy: its payload is not here.")
                                        : tr("Copied as a curl command; secrets stay masked"));
}

} // namespace redrive
