// The matrix of deliveries as a table: a row an event, a column an endpoint. Window thread.
#pragma once

#include "core/domain/matrix.h"
#include "ui/models/format.h"
#include "ui/models/roles.h"
#include "ui/models/state_words.h"

#include <QAbstractTableModel>

namespace redrive {

class MatrixModel final : public QAbstractTableModel
{
    Q_OBJECT
public:
    using QAbstractTableModel::QAbstractTableModel;

    // The same events and endpoints keep selection and place.
    void setMatrix(DeliveryMatrix matrix);
    void setTime(qint64 nowMs, format::Zone zone);
    const DeliveryMatrix& matrix() const { return m_matrix; }
    const MatrixCell& cellAt(const QModelIndex& index) const
    {
        return m_matrix.at(index.row(), index.column());
    }
    // A retry counts down somewhere.
    bool countsDown() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    // DisplayRole: the countdown; RowKeyRole where there is a delivery; GlyphRole, tooltip and accessible
    // text as roles.h says.
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString wordsOf(const QModelIndex& index) const;

    DeliveryMatrix m_matrix;
    qint64 m_nowMs = 0;
    format::Zone m_zone = format::Zone::Utc;
};

StateWord stateOf(const MatrixCell& cell);

} // namespace redrive
