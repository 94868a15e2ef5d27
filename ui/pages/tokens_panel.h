// The tokens of the HTTP interface: a table and what can be done with them. Window thread.
#pragma once

#include "ui/bridge/latest.h"
#include "ui/pages/page_context.h"

#include <QWidget>

class QAction;

namespace redrive {

class PlainTableModel;
class RowTable;

class TokensPanel final : public QWidget
{
    Q_OBJECT
public:
    explicit TokensPanel(const PageContext& context, QWidget* parent = nullptr);

    void ask();
    RowTable* table() const { return m_table; }
    QList<QAction*> actions() const { return {m_create, m_show, m_rotate, m_revoke}; }

Q_SIGNALS:
    void said(const QString& text); // one plain line

private:
    void onTokens(const Result<QList<TokenRow>>& tokens);
    void onChanged(const TokenChange& asked, const Result<TokenChanged>& changed);
    void open(TokenVerb verb);
    void change(TokenChange asked);
    void updateShow(const TokenRow* token);
    QWidget* emptyState();
    void updateActions();
    const TokenRow* currentToken() const;

    PageContext m_context;
    PlainTableModel* m_model;
    RowTable* m_table;
    QAction* m_create;
    QAction* m_show;
    QAction* m_rotate;
    QAction* m_revoke;
    QList<TokenRow> m_tokens;
    Latest m_latest;
};

} // namespace redrive
