// A short table whose rows are all there at once: the page makes them, the model keeps their places by id.
// Window thread.
#pragma once

#include "ui/models/column.h"

#include <QAbstractTableModel>

namespace redrive {

struct PlainCell
{
    QVariant text;      // as the column's kind wants it; nothing: unknown
    QString glyph = {}; // State
    qint64 instant = 0; // Age, Countdown, Instant; 0: unknown
    std::optional<Emphasis> emphasis = {};
    QString toolTip = {};
};

struct PlainRow
{
    QString id;
    QList<PlainCell> cells; // one a column
};

class PlainTableModel final : public QAbstractTableModel
{
    Q_OBJECT
public:
    explicit PlainTableModel(QList<Column> columns, QObject* parent = nullptr);

    // Rows with an id that is known keep selection and current row.
    void setRows(const QList<PlainRow>& rows);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    const QList<Column> m_columns;
    QList<PlainRow> m_rows;
};

} // namespace redrive
