#include "ui/models/matrix_model.h"

#include <algorithm>

namespace redrive {

StateWord stateOf(const MatrixCell& cell)
{
    switch (cell.kind) {
    case MatrixCell::Kind::Missing:
        return {QStringLiteral("never"), MatrixModel::tr("Never sent: it was not registered then")};
    case MatrixCell::Kind::NotSubscribed:
        return {QStringLiteral("unsubscribed"), MatrixModel::tr("Does not take it")};
    case MatrixCell::Kind::Delivery:
        break;
    }
    DeliveryRow row;
    row.status = cell.status;
    row.discarded = cell.discarded;
    row.dueAtMs = cell.dueAtMs;
    return stateOf(row);
}

void MatrixModel::setMatrix(DeliveryMatrix matrix)
{
    const auto sameEvents = [&] {
        return std::equal(
            matrix.events.begin(), matrix.events.end(), m_matrix.events.begin(), m_matrix.events.end(),
            [](const MatrixEvent& left, const MatrixEvent& right) { return left.id == right.id; });
    };
    if (matrix.endpoints == m_matrix.endpoints && sameEvents()) {
        m_matrix = std::move(matrix);
        if (rowCount() > 0 && columnCount() > 0)
            Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
        return;
    }
    beginResetModel();
    m_matrix = std::move(matrix);
    endResetModel();
}

void MatrixModel::setTime(qint64 nowMs, format::Zone zone)
{
    m_nowMs = nowMs;
    m_zone = zone;
}

bool MatrixModel::countsDown() const
{
    return std::any_of(m_matrix.cells.begin(), m_matrix.cells.end(), [](const MatrixCell& cell) {
        return cell.status == DeliveryStatus::Failed && cell.dueAtMs.has_value();
    });
}

int MatrixModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_matrix.events.size());
}

int MatrixModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_matrix.endpoints.size());
}

QString MatrixModel::wordsOf(const QModelIndex& index) const
{
    const MatrixCell& cell = cellAt(index);
    const MatrixEvent& event = m_matrix.events[index.row()];
    QStringList lines{tr("%1, %2").arg(cellText(event.type), format::fullTime(event.createdAtMs, m_zone)),
                      tr("%1: %2").arg(cellText(m_matrix.endpoints[index.column()]), stateOf(cell).word)};
    if (cell.kind != MatrixCell::Kind::Delivery)
        return lines.join(u'\n');
    lines.append(tr("%1 attempt(s)", nullptr, cell.attempts).arg(cell.attempts));
    if (cell.dueAtMs)
        lines.append(*cell.dueAtMs > m_nowMs ? tr("next in %1").arg(format::duration(*cell.dueAtMs - m_nowMs))
                                             : tr("due now"));
    if (!cell.error.isEmpty())
        lines.append(cellText(cell.error));
    return lines.join(u'\n');
}

QVariant MatrixModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const MatrixCell& cell = cellAt(index);
    switch (role) {
    case Qt::DisplayRole:
        return cell.status == DeliveryStatus::Failed && cell.dueAtMs
                   ? format::countdown(std::max<qint64>(0, *cell.dueAtMs - m_nowMs))
                   : QString();
    case GlyphRole:
        return stateOf(cell).glyph;
    case RowKeyRole:
        return cell.kind == MatrixCell::Kind::Delivery ? QVariant(cell.key) : QVariant();
    case Qt::ToolTipRole:
        return format::plainToolTip(wordsOf(index));
    case Qt::AccessibleTextRole:
        return wordsOf(index);
    default:
        return {};
    }
}

QVariant MatrixModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    const bool known = section >= 0 && section < (orientation == Qt::Horizontal ? columnCount() : rowCount());
    if (!known)
        return {};
    if (orientation == Qt::Horizontal) {
        const QString& id = m_matrix.endpoints[section];
        if (role == Qt::DisplayRole)
            return cellText(id);
        return role == Qt::ToolTipRole ? QVariant(format::plainToolTip(id)) : QVariant();
    }
    const MatrixEvent& event = m_matrix.events[section];
    if (role == Qt::DisplayRole)
        return tr("%1  %2").arg(format::clockTime(event.createdAtMs, m_zone, m_nowMs), cellText(event.type));
    if (role == Qt::ToolTipRole)
        return format::plainToolTip(event.id);
    return {};
}

} // namespace redrive
