#include "ui/pages/tokens_panel.h"

#include "ui/dialogs/token_dialog.h"
#include "ui/models/state_words.h"
#include "ui/models/token_rows.h"
#include "ui/widgets/bars.h"
#include "ui/widgets/icon.h"
#include "ui/widgets/row_table.h"

#include <QAction>
#include <QVBoxLayout>

#include <algorithm>

namespace redrive {

TokensPanel::TokensPanel(const PageContext& context, QWidget* parent)
    : QWidget(parent), m_context(context), m_model(new PlainTableModel(tokenColumns(), this)),
      m_table(new RowTable(tr("Tokens"), this))
{
    const auto add = [this](const QString& text, const QString& iconName, TokenVerb verb) {
        auto* action = new QAction(text, this);
        action->setIcon(icon(iconName));
        connect(action, &QAction::triggered, this, [this, verb] { open(verb); });
        return action;
    };
    m_create = add(tr("New token\u2026"), u"check"_s, TokenVerb::Create);
    m_show = add(tr("Show\u2026"), u"search"_s, TokenVerb::Show);
    m_rotate = add(tr("Rotate\u2026"), u"replay"_s, TokenVerb::Rotate);
    m_revoke = add(tr("Revoke\u2026"), u"stop"_s, TokenVerb::Revoke);
    m_table->setClock(&m_context.bridge->clock());
    m_table->setModel(m_model);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->showSort(-1, Qt::AscendingOrder);
    m_table->setContextMenuPolicy(Qt::ActionsContextMenu);
    m_table->addActions(actions());
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_table);
    connect(m_table, &RowTable::selectionCountChanged, this, &TokensPanel::updateActions);
    updateActions();
}

void TokensPanel::ask()
{
    m_context.bridge->tokens(
        this, m_latest.guard([this](const Result<QList<TokenRow>>& tokens) { onTokens(tokens); }));
}

void TokensPanel::onTokens(const Result<QList<TokenRow>>& tokens)
{
    m_table->setStale(!tokens);
    if (!tokens) {
        Q_EMIT said(tokens.error().text());
        return;
    }
    m_tokens = *tokens;
    m_model->setRows(tokenRows(m_tokens, m_context.bridge->nowMs()));
    m_table->setEmptyState(m_tokens.isEmpty() ? emptyState() : nullptr);
    m_table->selectFirstRow();
    updateActions();
}

QWidget* TokensPanel::emptyState()
{
    const EngineFacts facts = m_context.bridge->facts();
    const QString secret = facts.intakeTokenSecret;
    QString text =
        secret.isEmpty()
            ? tr("No token: whoever reaches the HTTP interface may send jobs.")
            : tr("No token but the secret %1, which the configuration names.").arg(cellText(secret));
    if (!facts.ingestTokenSecret.isEmpty())
        text += u' ' + tr("Events need the secret %1.").arg(cellText(facts.ingestTokenSecret));
    return new EmptyState(text, {}, {m_create});
}

const TokenRow* TokensPanel::currentToken() const
{
    const QString id = m_table->currentRowId();
    const auto found = std::find_if(m_tokens.begin(), m_tokens.end(),
                                    [&](const TokenRow& token) { return QString::number(token.no) == id; });
    return found == m_tokens.end() ? nullptr : &*found;
}

void TokensPanel::updateActions()
{
    const TokenRow* token = currentToken();
    const bool locked = m_context.readOnly;
    const bool usable = token && !token->revokedAtMs && !locked;
    const QString why = locked   ? tr("This profile is read-only.")
                        : !token ? tr("No token is chosen.")
                        : usable ? QString()
                                 : tr("%1 is revoked.").arg(cellText(token->name));
    m_create->setEnabled(!locked);
    m_create->setToolTip(format::plainToolTip(locked ? why : QString()));
    for (QAction* action : {m_rotate, m_revoke}) {
        action->setEnabled(usable);
        action->setToolTip(format::plainToolTip(why));
    }
    updateShow(token);
}

void TokensPanel::updateShow(const TokenRow* token)
{
    const bool kept = token && token->isKept;
    m_show->setEnabled(kept && !m_context.readOnly);
    m_show->setToolTip(
        format::plainToolTip(m_context.readOnly ? tr("This profile is read-only.")
                             : !token           ? tr("No token is chosen.")
                             : kept             ? QString()
                                    : tr("Only the hash of its secret is kept. Rotate it for a new one.")));
}

void TokensPanel::open(TokenVerb verb)
{
    const TokenRow* token = currentToken();
    if (verb != TokenVerb::Create && !token)
        return;
    if (verb == TokenVerb::Show) {
        TokenChange asked;
        asked.verb = verb;
        asked.name = token->name;
        change(std::move(asked));
        return;
    }
    auto* dialog = new TokenDialog(verb, token ? token->name : QString(), this);
    connect(dialog, &TokenDialog::decided, this, &TokensPanel::change);
    dialog->open();
}

void TokensPanel::change(TokenChange asked)
{
    asked.actor = m_context.actor;
    asked.source = u"console"_s;
    m_context.bridge->changeToken(
        this, asked, [this, asked](const Result<TokenChanged>& changed) { onChanged(asked, changed); });
}

void TokensPanel::onChanged(const TokenChange& asked, const Result<TokenChanged>& changed)
{
    ask();
    if (!changed) {
        Q_EMIT said(changed.error().text());
        return;
    }
    if (asked.verb == TokenVerb::Revoke) {
        Q_EMIT said(tr("%1 is revoked").arg(cellText(asked.name)));
        return;
    }
    const bool kept = asked.verb == TokenVerb::Show;
    auto* dialog = new SecretDialog(*changed, m_context.bridge->nowMs(), kept, this);
    dialog->open();
}

} // namespace redrive
