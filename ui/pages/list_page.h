// What the pages over a paged list share: header with the scope in words, filter, table, bars, empty and
// broken states, actions on the selection, detail. A concrete page says which list, which actions and what an
// empty list means. Window thread.
#pragma once

#include "ui/models/paged_table_model.h"
#include "ui/pages/action_runner.h"
#include "ui/pages/page_context.h"
#include "ui/widgets/page.h"

#include <QTimer>

namespace redrive {

class BrokenBar;
class NewRowsBar;
class PageHeader;
class ListDetail;
class RowTable;
class SelectionKeeper;

// One action of a page.
struct PageVerb
{
    ActionVerb verb = ActionVerb::Requeue;
    QString key;                                    // its letter
    std::function<bool(const RowValue&)> appliesTo; // rows that have not come are taken to
    QString otherwise;                              // why it cannot be done to any selected row
    bool unsafe = false;                            // cannot be undone: its letter needs Shift
    bool inMenuOnly = false;                        // no button
    // Why not to this row: said in place of `otherwise` where it is the same for all that are selected.
    std::function<QString(const RowValue&)> why = {};
};

class ListPage : public Page
{
    Q_OBJECT
public:
    static constexpr int kLoadingAfterMs = 300;

    QString filter() const override { return m_filter; }
    void setFilter(const QString& filter) override;
    QStringList filterWords() const override;
    QString scopeText() const override;
    QList<QAction*> pageActions() const override { return m_actions; }
    QWidget* detail() override;
    QWidget* focusTarget() override;
    QString currentId() const override;
    void setZone(format::Zone zone) override;
    void resync() override;
    void setCurrent(bool current) override;
    QByteArray saveState() const override;
    void restoreState(const QByteArray& state) override;

    // Writes exactly what is filtered, in the order shown; says what became of it.
    void exportTo(const QString& path, ExportForm form);

    RowTable* table() const { return m_table; }
    PagedTableModel* model() const { return m_model; }

protected:
    // Without a detail of its own, rows show theirs as jobs, deliveries and letters do.
    ListPage(PageContext context, PagedTableModel* model, const QString& title, ListDetail* detail = nullptr);

    // To be called once by the concrete page's constructor, after its verbs are known.
    void setVerbs(const QList<PageVerb>& verbs);
    PageHeader* header() const { return m_header; }
    const PageContext& context() const { return m_context; }
    EngineBridge& bridge() const { return *m_context.bridge; }
    ActionRunner& runner() const { return *m_runner; }
    void refreshState();
    void applyVerbs(); // after the list became another one: which verbs are to be seen

    virtual bool offers(ActionVerb) const { return true; }
    virtual qint64 total() const = 0; // rows without a filter; -1: not known yet
    virtual qint64 navCount() const { return total(); }
    virtual QString emptySentence() const = 0;
    // Row keys chosen in another view than the table, and what that view shows in words; nothing: the table
    // is shown.
    virtual std::optional<std::vector<qint64>> otherSelection() const { return std::nullopt; }
    virtual QString otherScope() const { return {}; }
    // What is chosen there that has no row: events that endpoints never got.
    virtual QStringList missedChosen() const { return {}; }
    // How many of what is chosen there one by one were delivered: a replay means them too.
    virtual int deliveredChosen() const { return 0; }
    virtual void clearSelection();
    void updateVerbs();
    QString shownId() const; // of the row in the detail; empty: none
    void showDetailOf(const RowValue& row);
    void showNoDetail();
    void showDetailOfCurrent(); // of the table's current row
    virtual QList<QAction*> emptyActions() { return {}; }
    virtual QString emptyCommand() const { return {}; } // what would fill it, below the sentence
    QAction* exportAction() const { return m_export; }
    void addAfterExport(QAction* action); // in the menus
    // Between the header and the table.
    void addAboveTable(QWidget* widget);

private:
    struct Verb
    {
        PageVerb verb;
        QAction* action = nullptr;
        QAction* withOptions = nullptr;
    };

    void build(const QString& title, ListDetail* detail);
    void addPlainActions();
    void copyCurl();
    void copyJson();
    void askExport();
    void copyAllowLine();
    QAction* addTableAction(const QString& text, const QString& key, std::function<void()> run);
    void connectModel();
    void connectTable();

    std::vector<qint64> selectedKeys() const;
    bool isAllSelected() const;
    void act(ActionVerb verb, bool withOptions);
    void updateVerb(const Verb& verb, int selected);
    QString headingScope() const;
    QString searchedText() const;
    void updateSearch();

    void onModelState();
    void onCounts();
    void onSelection();
    void onProblem(const QString& text);
    void showCause();
    void updateVisibleRows();
    void updateHeld();
    void updateEmpty();
    void setFollowing(bool following);
    void showMenu(const QPoint& position);

    PageContext m_context;
    PagedTableModel* m_model;
    PageHeader* m_header = nullptr;
    BrokenBar* m_broken = nullptr;
    RowTable* m_table = nullptr;
    NewRowsBar* m_newRows = nullptr;
    SelectionKeeper* m_keeper = nullptr;
    ListDetail* m_detail = nullptr;
    ActionRunner* m_runner = nullptr;
    QList<Verb> m_verbs;
    QList<QAction*> m_actions;
    QAction* m_follow = nullptr;
    QAction* m_curl = nullptr;
    QAction* m_json = nullptr;
    QAction* m_export = nullptr;
    QAction* m_compare = nullptr;
    QAction* m_allow = nullptr;
    QAction* m_merge = nullptr;
    QAction* m_clearFilter = nullptr;
    QString m_filter;
    QString m_problem;
    qint64 m_oldSinceMs = 0; // 0: what is shown is of now
    QString m_shownEmpty;    // what the empty state says; empty: none is shown
    QTimer m_loading;
    QTimer m_searching; // a search that lasts is told of
    QAction* m_stop = nullptr;
    bool m_longSearch = false;
    qint64 m_navCount = -1;
    bool m_following = false;
    bool m_isCurrent = false;
    bool m_slow = false; // rows have not come for kLoadingAfterMs
};

} // namespace redrive
