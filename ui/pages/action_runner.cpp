#include "ui/pages/action_runner.h"

#include "ui/models/format.h"
#include "ui/models/undo_hold.h"
#include "ui/models/verb_words.h"

namespace redrive {

namespace {

constexpr size_t kResolvedAtOnce = 256;
constexpr qint64 kMostEdited = 128'000; // bytes: what a payload may have

// What cannot be taken back, or needs more to be said, is asked about in any case.
bool isAskedAlways(ActionVerb verb)
{
    return verb == ActionVerb::Cancel || verb == ActionVerb::Postpone || verb == ActionVerb::Publish;
}

} // namespace

ActionRunner::ActionRunner(PageContext context, QWidget* page)
    : QObject(page), m_context(std::move(context)), m_page(page)
{
}

ActionRequest ActionRunner::request(const ActionChoice& choice) const
{
    ActionRequest request;
    request.verb = choice.verb;
    request.scope.list = choice.list;
    request.scope.filter = choice.filter;
    request.scope.endpointId = choice.endpointId;
    request.actor = m_context.actor;
    request.source = u"console"_s;
    return request;
}

void ActionRunner::run(const ActionChoice& choice)
{
    const size_t items = choice.selected.size() + size_t(choice.missed.size());
    if (m_context.production || isAskedAlways(choice.verb) || items > size_t(kAskAbove)) {
        ask(choice);
        return;
    }
    if (!choice.missed.isEmpty()) {
        auto missed = request(choice);
        missed.scope.ids = choice.missed;
        act(std::move(missed));
        return;
    }
    resolve(choice.list, choice.selected, [this, base = request(choice)](QStringList ids) {
        auto request = base;
        request.scope.ids = std::move(ids);
        act(std::move(request));
    });
}

void ActionRunner::act(ActionRequest request)
{
    const auto verb = request.verb;
    if (request.actor.isEmpty())
        request.actor = m_context.actor;
    if (request.source.isEmpty())
        request.source = u"console"_s;
    if (m_context.undo && takesHold(verb))
        request.holdMs = m_context.undo->seconds() * 1'000LL;
    if (request.holdMs > 0)
        Q_EMIT reported(tr("%1 begins in %2; Ctrl+Z takes it back")
                            .arg(wordsOf(verb).verb, format::duration(request.holdMs)));
    m_context.bridge->act(this, std::move(request), [this, verb](Result<ActionResult> result) {
        Q_EMIT reported(result ? resultText(verb, *result)
                               : tr("%1 refused: %2").arg(wordsOf(verb).verb, result.error().text()));
        Q_EMIT settled();
    });
}

void ActionRunner::edit(const ActionChoice& choice, const RowValue& row)
{
    EditQuestion question;
    question.base = request(choice);
    question.base.scope.filter.clear();
    question.base.scope.ids = {rowId(row)};
    question.environment = m_context.environment;
    question.environmentColour = m_context.environmentColour;
    std::visit(
        [&question](const auto& value) {
            if constexpr (requires { value.type; })
                question.title = value.type;
        },
        row);
    if (const auto* letter = std::get_if<LetterRow>(&row); letter && letter->kind == LetterKind::Message)
        question.contentType = letter->contentType;
    m_context.bridge->payload(this, rowId(row), 0, kMostEdited + 1,
                              [this, question](Result<PayloadPiece> piece) mutable {
                                  if (!piece) {
                                      Q_EMIT reported(piece.error().text());
                                      return;
                                  }
                                  question.payload = piece->bytes;
                                  if (piece->totalBytes > kMostEdited)
                                      Q_EMIT reported(tr("It is too large to be edited here."));
                                  else
                                      openEditor(std::move(question));
                              });
}

void ActionRunner::openEditor(EditQuestion question)
{
    if (question.contentType == u"bytes" || !EditDialog::isEditable(question.payload)) {
        Q_EMIT reported(tr("It is not plain text: `redrive edit %1 --payload -` takes its bytes.")
                            .arg(question.base.scope.ids.value(0)));
        return;
    }
    if (m_editor)
        m_editor->close();
    m_editor = new EditDialog(*m_context.bridge, std::move(question), m_page->window());
    connect(m_editor, &EditDialog::decided, this, &ActionRunner::act);
    m_editor->show();
}

void ActionRunner::ask(const ActionChoice& choice)
{
    if (m_dialog)
        m_dialog->close();
    const auto open = [this, choice](const QStringList& selected, const QStringList& loaded) {
        ActionQuestion question;
        question.base = request(choice);
        question.selected = selected;
        question.loaded = loaded;
        question.matching = choice.matching;
        question.allSelected = choice.allSelected;
        question.deliveredChosen = choice.deliveredChosen;
        question.first = choice.allSelected || selected.isEmpty() ? ActionQuestion::Scope::Matching
                                                                  : ActionQuestion::Scope::Selected;
        question.environment = m_context.environment;
        question.environmentColour = m_context.environmentColour;
        m_dialog = new ActionDialog(*m_context.bridge, std::move(question), m_page->window());
        connect(m_dialog, &ActionDialog::decided, this, &ActionRunner::act);
        m_dialog->show();
    };
    if (choice.verb == ActionVerb::ReplayMissing) {
        open(choice.missed, {});
        return;
    }
    // A selection of everything is said as "all matching": its ids need not be fetched.
    auto selected = choice.allSelected ? std::vector<qint64>() : choice.selected;
    resolve(choice.list, std::move(selected), [this, choice, open](const QStringList& selectedIds) {
        resolve(choice.list, choice.loaded,
                [open, selectedIds](const QStringList& loadedIds) { open(selectedIds, loadedIds); });
    });
}

void ActionRunner::resolve(ListKind list, std::vector<qint64> keys, std::function<void(QStringList)> then)
{
    resolveRest(list, std::move(keys), {}, std::move(then));
}

void ActionRunner::resolveRest(ListKind list, std::vector<qint64> keys, QStringList found,
                               std::function<void(QStringList)> then)
{
    if (keys.empty()) {
        then(std::move(found));
        return;
    }
    const auto now = keys.begin() + qptrdiff(qMin(keys.size(), kResolvedAtOnce));
    std::vector<qint64> piece(keys.begin(), now);
    keys.erase(keys.begin(), now);
    m_context.bridge->fetchRows(this, list, std::move(piece),
                                [this, list, keys, found, then](Result<ListRows> rows) mutable {
                                    if (!rows) {
                                        Q_EMIT reported(rows.error().text());
                                        return;
                                    }
                                    std::visit(
                                        [&](const auto& values) {
                                            for (const auto& row : values)
                                                found.append(rowId(row));
                                        },
                                        *rows);
                                    resolveRest(list, std::move(keys), std::move(found), std::move(then));
                                });
}

} // namespace redrive
