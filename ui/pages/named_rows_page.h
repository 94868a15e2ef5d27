// What the pages over a few rows with names share, queues and endpoints: all rows are in memory and found by
// the name filter; header, table, bar over it, empty states, actions on the current row. Window thread.
#pragma once

#include "core/domain/name_filter.h"
#include "ui/pages/page_context.h"
#include "ui/widgets/page.h"

class QAbstractItemModel;

namespace redrive {

class BrokenBar;
class PageHeader;
class RowTable;

class NamedRowsPage : public Page
{
    Q_OBJECT
public:
    QString filter() const override { return m_filter; }
    void setFilter(const QString& filter) override;
    QString scopeText() const override;
    QWidget* focusTarget() override;
    QString currentId() const override;
    void setZone(format::Zone zone) override;
    void resync() override;
    void setCurrent(bool current) override;
    QByteArray saveState() const override;
    void restoreState(const QByteArray& state) override;

    RowTable* table() const { return m_table; }

protected:
    // The model's rows answer RowIdRole with their name.
    NamedRowsPage(PageContext context, const NameFilterTerms& terms, QAbstractItemModel* model,
                  const QString& title);

    const PageContext& context() const { return m_context; }
    EngineBridge& bridge() const { return *m_context.bridge; }
    PageHeader* header() const { return m_header; }
    format::Zone zone() const { return m_zone; }

    QAction* addAction(const QString& text, const QString& iconName, const QString& key,
                       std::function<void()> run);
    // `obstacle`: why it cannot be done to the current row; empty: it can, where anything may be done.
    void allow(QAction* action, const QString& obstacle);
    // Of how many it shows so many; nothing: they are not known yet.
    void say(std::optional<qint64> all, int shown, const QStringList& scope, const QString& emptySentence,
             const QList<QAction*>& emptyActions = {});
    // Why the page's own question failed; empty: it did not.
    void setOwnProblem(const QString& problem);

    virtual void useFilter(const FilterNode& filter) = 0;
    virtual void showDetail() = 0;
    virtual void updateActions() = 0;

private:
    void showMenu(const QPoint& position);
    void showProblem();

    PageContext m_context;
    const NameFilterTerms& m_terms;
    BrokenBar* m_broken;
    PageHeader* m_header;
    RowTable* m_table;
    QAction* m_clearFilter;
    QString m_filter;
    QString m_ownProblem;
    QString m_shownEmpty; // what the empty state says
    format::Zone m_zone = format::Zone::Utc;
};

} // namespace redrive
