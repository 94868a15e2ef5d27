#include "ui/models/plain_table_model.h"

#include <QHash>

#include <algorithm>

namespace redrive {

PlainTableModel::PlainTableModel(QList<Column> columns, QObject* parent)
    : QAbstractTableModel(parent), m_columns(std::move(columns))
{
}

void PlainTableModel::setRows(const QList<PlainRow>& rows)
{
    QHash<QString, int> places;
    for (int row = 0; row < rows.size(); ++row)
        places.insert(rows[row].id, row);
    for (int row = int(m_rows.size()) - 1; row >= 0; --row) {
        if (places.contains(m_rows[row].id))
            continue;
        beginRemoveRows({}, row, row);
        m_rows.removeAt(row);
        endRemoveRows();
    }
    for (int row = 0; row < rows.size(); ++row) {
        const auto known = std::find_if(m_rows.begin(), m_rows.end(),
                                        [&](const PlainRow& other) { return other.id == rows[row].id; });
        const int from = int(known - m_rows.begin());
        if (known == m_rows.end()) {
            beginInsertRows({}, row, row);
            m_rows.insert(row, rows[row]);
            endInsertRows();
            continue;
        }
        if (from != row) {
            beginMoveRows({}, from, from, {}, row);
            m_rows.move(from, row);
            endMoveRows();
        }
        m_rows[row] = rows[row];
    }
    if (!m_rows.isEmpty())
        Q_EMIT dataChanged(index(0, 0), index(int(m_rows.size()) - 1, columnCount() - 1));
}

int PlainTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

int PlainTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_columns.size());
}

QVariant PlainTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= m_columns.size())
        return {};
    const Column& column = m_columns[section];
    switch (role) {
    case Qt::DisplayRole:
        return column.title;
    case HeaderKindRole:
        return int(column.kind);
    case HeaderWidthRole:
        return column.width;
    case HeaderStretchRole:
        return column.stretch;
    case HeaderNameRole:
        return column.name;
    case HeaderSpareRole:
        return column.spare;
    case HeaderSortsRole:
        return false;
    default:
        return {};
    }
}

QVariant PlainTableModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const PlainRow& row = m_rows[index.row()];
    if (role == RowIdRole)
        return row.id;
    if (index.column() >= row.cells.size())
        return {};
    const PlainCell& cell = row.cells[index.column()];
    switch (role) {
    case Qt::DisplayRole:
        return cell.text;
    case Qt::ToolTipRole:
        return cell.toolTip;
    case KindRole:
        return int(m_columns[index.column()].kind);
    case GlyphRole:
        return cell.glyph.isEmpty() ? QVariant() : QVariant(cell.glyph);
    case InstantRole:
        return cell.instant;
    case EmphasisRole:
        return cell.emphasis ? QVariant(int(*cell.emphasis)) : QVariant();
    default:
        return {};
    }
}

} // namespace redrive
