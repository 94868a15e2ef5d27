// Keeps selection, current row and place by key where a table over a paged model would lose them: when the
// model is told anew and when rows come in or go above what is seen. Window thread.
#pragma once

#include <QObject>

#include <unordered_map>

namespace redrive {

class PagedTableModel;
class RowTable;

class SelectionKeeper final : public QObject
{
    Q_OBJECT
public:
    static constexpr int kMostRows = 10'000; // larger selections are given up when the model is told anew

    SelectionKeeper(RowTable* table, PagedTableModel* model);

Q_SIGNALS:
    void restored();

private:
    void remember();
    void restore(int firstRow, int lastRow);
    void forgetIfComplete();
    void noteTop();
    void keepTop();

    RowTable* m_table;
    PagedTableModel* m_model;
    std::unordered_map<qint64, bool> m_wanted; // key; is it selected (else only current)
    qint64 m_current = 0;
    qint64 m_topKey = 0;
    int m_topOffset = 0;
    bool m_hasCurrent = false;
    bool m_hasTop = false;
};

} // namespace redrive
