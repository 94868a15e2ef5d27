// A table over a list of any length: it holds the keys of all rows and fetches only the rows that are looked
// at. Rows keep their place while it is held; changed cells flash; new rows are counted until they are
// merged. Cells of rows that have not come yet are placeholders. Window thread.
#pragma once

#include "ui/models/column.h"
#include "ui/models/list_reader.h"
#include "ui/models/row_cache.h"

#include <QAbstractTableModel>
#include <QSet>

namespace redrive {

struct KeyRange;

enum class ListPhase {
    Idle,     // nothing asked yet
    Waiting,  // asked, no row has come; rows of an earlier question may still stand
    Filling,  // more slices are coming
    Complete, // all keys are here
    Failed,   // see error()
};

class PagedTableModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    static constexpr int kFlashMs = 1000;
    static constexpr int kArrivalMs = 60; // slices after the first are shown together
    static constexpr int kRetryMs = 2000; // after rows could not be fetched
    static constexpr int kOverscan = 20;  // rows fetched above and below the visible ones

    PagedTableModel(EngineBridge& bridge, ListKind kind, QList<Column> columns, QObject* parent = nullptr);

    // What is listed. A change asks anew; the old rows stay until the first new ones are there.
    void setKind(ListKind kind);
    ListKind kind() const { return m_request.kind; }
    void setFilter(const QString& filter);
    QString filter() const { return m_request.filter; }
    void setOrder(SortField field, bool ascending); // ignored for a field no column has
    void sort(int column, Qt::SortOrder order) override;
    int sortColumn() const;
    Qt::SortOrder sortOrder() const { return m_request.ascending ? Qt::AscendingOrder : Qt::DescendingOrder; }
    void reload();
    // Ends a search under way: the rows that were found stay, and are the list until it is asked anew.
    void stopSearch();

    // An idle model asks nothing; it starts so.
    void setActive(bool active);
    void setVisibleRows(int first, int last); // last < first: none
    // Held: rows keep their place, new ones are counted. Else they are merged as they come.
    void setHeld(bool held);
    bool isHeld() const { return m_held; }
    void merge();
    void dropGone(); // rows that left the list go, whether held or not; reads the list first

    ListPhase phase() const { return m_phase; }
    const Error& error() const { return m_error; } // of phase Failed
    bool isCut() const { return m_cut; }           // more rows match than this order can show
    bool isStopped() const { return m_stopped; }   // there may be more: the search was ended
    qint64 searchedRows() const
    {
        return m_searched;
    } // looked at so far, while it waits or fills, or until stopped
    int newRows() const { return m_newRows; }
    bool hasMoreNewRows() const { return m_moreNew; } // newRows() is a lower bound
    qint64 newSinceMs() const { return m_newSinceMs; }
    int loadedRows() const;

    // What is shown: list, filter and order.
    const ListRequest& request() const { return m_request; }
    const QList<Column>& columns() const { return m_columns; }
    qint64 keyAt(int row) const;
    int rowOf(qint64 key) const;          // -1: not in the list
    const RowValue* rowAt(int row) const; // nothing: not fetched
    const RowValue* rowFor(qint64 key) const;
    QList<qint64> loadedKeys() const; // in the order of the list

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

Q_SIGNALS:
    void stateChanged(); // phase, count, new rows
    void rowsFetched();

protected:
    // The cell of a fetched row. Kind, ids, flash and placeholders are the base's.
    virtual QVariant cell(const RowValue& row, int column, int role) const = 0;
    virtual CellKind kindOf(const RowValue& row, int column) const; // the column's, unless a row differs
    const QString& columnName(int column) const { return m_columns[column].name; }
    virtual int columnFor(SortField field) const; // whose header shows this order; -1: none
    EngineBridge& bridge() const { return m_bridge; }

private:
    bool concerns(const ChangeSet& changes) const;
    void onChanged(const ChangeSet& changes);
    void makeStale(const ChangeSet& changes);
    void onSlice(const std::vector<qint64>& keys, bool first, bool last, bool cut);
    void takeArrived(bool complete);
    void onFailed(const Error& error);
    void onReadAgain(const std::vector<qint64>& keys, bool cut);
    void onHeadRead(const std::vector<qint64>& keys);
    void hold(const std::vector<qint64>& keys);
    void countNew(int rows, bool more);
    void apply(const std::vector<qint64>& keys);
    void applyStep(const KeyRange& range, const std::vector<qint64>* from);
    void reorder(const std::vector<qint64>& keys);
    void mergeIfLetGo();
    void forgetNews();

    std::pair<int, int> watchedRows() const;
    void fetchVisible();
    void onRows(const std::vector<qint64>& asked, Result<ListRows> rows);
    void takeRow(RowValue value);
    quint64 changedColumns(const RowValue& before, const RowValue& after) const;
    void announceWatched(const QList<int>& roles = {});

    EngineBridge& m_bridge;
    QList<Column> m_columns;
    ListRequest m_request;
    ListReader m_reader;
    RowCache m_cache;
    std::vector<qint64> m_keys;
    std::optional<std::vector<qint64>> m_later; // what the list is by now, while held
    std::vector<qint64> m_laterHead;            // new rows above m_keys, for a long list
    std::vector<qint64> m_arrived;              // slices that wait to be shown
    QTimer m_arrival;
    QSet<qint64> m_gone;    // in m_keys, not in the list any more
    QSet<qint64> m_missing; // asked for and not there
    Error m_error;
    ListPhase m_phase = ListPhase::Idle;
    int m_newRows = 0;
    bool m_moreNew = false;
    qint64 m_newSinceMs = 0;
    bool m_cut = false;
    bool m_stopped = false;
    qint64 m_searched = 0;
    bool m_active = false;
    bool m_held = false;
    bool m_changing = false; // views are being told of a change and must not cause another
    bool m_dropGone = false;
    int m_firstVisible = 0;
    int m_lastVisible = -1;
    Latest m_fetch;
    bool m_fetching = false;
    ChangeSet m_meanwhile; // came while rows were being fetched
    QTimer m_flashEnd;
};

} // namespace redrive
