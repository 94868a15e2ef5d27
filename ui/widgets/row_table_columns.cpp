// The columns of RowTable: first widths, the stretching one, memory, the header's menu.
#include "ui/widgets/digit_painter.h"
#include "ui/widgets/look.h"
#include "ui/widgets/row_table.h"

#include <QHeaderView>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMenu>

#include <cmath>

namespace redrive {

namespace {

constexpr int kNarrowestStretch = 96;
constexpr int kComfortableStretch = 150; // below it spare columns give way
constexpr int kOuterInset = 8;           // the outer edges are padded by 16 instead of 8

QVariant headerData(const QAbstractItemModel* model, int column, int role)
{
    return model->headerData(column, Qt::Horizontal, role);
}

// The width of a column asked for in characters; never less than what its kind always shows.
int columnWidthFor(int characters, CellKind kind)
{
    const auto& look = Look::current();
    const QFontMetricsF body(look.font.body);
    const DigitPainter digits(look.font.body);
    const auto alphabet = u"abcdefghijklmnopqrstuvwxyz0123456789"_s;
    auto width = body.horizontalAdvance(alphabet) / qreal(alphabet.size()) * characters;
    switch (kind) {
    case CellKind::State:
        width += look.icon.state + look.space.iconToText;
        break;
    case CellKind::Id:
        width = qMax(width, QFontMetricsF(look.font.monoSmall).horizontalAdvance(u"00000000\u20260000"_s));
        break;
    case CellKind::Instant:
        width = qMax(width, digits.width(u"29 Nov 14:21:22"));
        break;
    case CellKind::Countdown:
        width = qMax(width, digits.width(u"2 d 02:03:03"));
        break;
    case CellKind::Age:
        width = qMax(width, digits.width(u"52 min"));
        break;
    default:
        break;
    }
    return int(std::ceil(width)) + 2 * look.space.cellPadX + 2;
}

} // namespace

void RowTable::setUpColumns()
{
    m_tickingColumns.clear();
    m_spareColumns.clear();
    m_hiddenForRoom.clear();
    m_stretchColumn = -1;
    for (int column = 0; column < model()->columnCount(); ++column) {
        const auto width = headerData(model(), column, HeaderWidthRole).toInt();
        const auto kind = CellKind(headerData(model(), column, HeaderKindRole).toInt());
        const bool outer = column == 0 || column == model()->columnCount() - 1;
        if (width > 0)
            setColumnWidth(column, columnWidthFor(width, kind) + (outer ? kOuterInset : 0));
        if (ticks(kind))
            m_tickingColumns.append(column);
        if (headerData(model(), column, HeaderStretchRole).toBool())
            m_stretchColumn = column;
        if (headerData(model(), column, HeaderSpareRole).toBool())
            m_spareColumns.append(column);
        setColumnHidden(column, headerData(model(), column, HeaderHiddenRole).toBool());
    }
    findOuterColumns();
    stretch();
    if (isVisible() && !m_tickingColumns.isEmpty())
        m_tick.start();
}

void RowTable::findOuterColumns()
{
    const auto* header = horizontalHeader();
    m_firstColumn = m_lastColumn = 0;
    bool found = false;
    for (int visual = 0; visual < header->count(); ++visual) {
        const int column = header->logicalIndex(visual);
        if (header->isSectionHidden(column))
            continue;
        if (!found)
            m_firstColumn = column;
        found = true;
        m_lastColumn = column;
    }
}

void RowTable::stretch()
{
    if (m_stretchColumn < 0 || m_stretching || isColumnHidden(m_stretchColumn))
        return;
    m_stretching = true;
    makeRoom();
    setColumnWidth(m_stretchColumn, qMax(kNarrowestStretch, viewport()->width() - widthOfOthers()));
    m_stretching = false;
}

int RowTable::widthOfOthers() const
{
    return horizontalHeader()->length() - columnWidth(m_stretchColumn);
}

void RowTable::makeRoom()
{
    const QList<int> before = m_hiddenForRoom;
    const auto left = [this] { return viewport()->width() - widthOfOthers(); };
    for (const int column : before) {
        setColumnHidden(column, false); // a hidden column has no width to ask for
        if (left() >= kComfortableStretch)
            m_hiddenForRoom.removeOne(column);
        else
            setColumnHidden(column, true);
    }
    for (const int column : std::as_const(m_spareColumns)) {
        if (left() >= kComfortableStretch)
            break;
        if (isColumnHidden(column))
            continue;
        setColumnHidden(column, true);
        m_hiddenForRoom.append(column);
    }
    if (m_hiddenForRoom != before)
        findOuterColumns();
}

QByteArray RowTable::saveColumns() const
{
    QJsonArray columns;
    const auto* header = horizontalHeader();
    for (int visual = 0; model() && visual < header->count(); ++visual) {
        const int column = header->logicalIndex(visual);
        const auto name = headerData(model(), column, HeaderNameRole).toString();
        if (name.isEmpty())
            continue;
        const bool hidden = isColumnHidden(column) && !m_hiddenForRoom.contains(column);
        QJsonObject entry{{u"name"_s, name}, {u"hidden"_s, hidden}};
        if (!isColumnHidden(column) && column != m_stretchColumn)
            entry.insert(u"width"_s, columnWidth(column));
        columns.append(entry);
    }
    return QJsonDocument(columns).toJson(QJsonDocument::Compact);
}

void RowTable::restoreColumns(const QByteArray& state)
{
    if (!model())
        return;
    m_hiddenForRoom.clear();
    QHash<QString, int> byName;
    for (int column = 0; column < model()->columnCount(); ++column)
        byName.insert(headerData(model(), column, HeaderNameRole).toString(), column);
    byName.remove(QString());
    auto* header = horizontalHeader();
    int visual = 0;
    const auto columns = QJsonDocument::fromJson(state).array();
    for (const auto& value : columns) {
        const auto entry = value.toObject();
        const auto found = byName.constFind(entry.value(u"name"_s).toString());
        if (found == byName.constEnd())
            continue;
        header->moveSection(header->visualIndex(*found), visual++);
        setColumnHidden(*found, entry.value(u"hidden"_s).toBool());
        const int width = entry.value(u"width"_s).toInt();
        if (width >= header->minimumSectionSize())
            setColumnWidth(*found, qMin(width, 4000));
    }
    findOuterColumns();
    stretch();
    viewport()->update();
}

void RowTable::setColumnShown(int column, bool shown)
{
    m_spareColumns.removeOne(column); // somebody decided
    m_hiddenForRoom.removeOne(column);
    setColumnHidden(column, !shown);
    findOuterColumns();
    stretch();
    viewport()->update();
}

void RowTable::showHeaderMenu(const QPoint& position)
{
    QMenu menu(this);
    int shown = 0;
    for (int column = 0; column < model()->columnCount(); ++column)
        shown += !isColumnHidden(column);
    for (int column = 0; column < model()->columnCount(); ++column) {
        auto* action = menu.addAction(headerData(model(), column, Qt::DisplayRole).toString());
        action->setCheckable(true);
        action->setChecked(!isColumnHidden(column));
        action->setEnabled(isColumnHidden(column) || shown > 1);
        connect(action, &QAction::toggled, this, [this, column](bool on) { setColumnShown(column, on); });
    }
    menu.exec(horizontalHeader()->mapToGlobal(position));
}

} // namespace redrive
