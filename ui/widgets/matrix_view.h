// The matrix of deliveries: a glyph a cell, endpoints written upwards above their columns. Cells are chosen
// one by one. Window thread.
#pragma once

#include <QTableView>
#include <QTimer>

#include <vector>

namespace redrive {

class MatrixModel;

class MatrixView final : public QTableView
{
    Q_OBJECT
public:
    explicit MatrixView(MatrixModel* model, QWidget* parent = nullptr);

    // Deliveries that are chosen, by row key; cells without one are passed over.
    std::vector<qint64> chosenKeys() const;
    int chosenDelivered() const; // how many of them were delivered when the matrix was read
    int chosenWithout() const;   // how many cells are chosen that have no delivery
    // Those of them whose endpoint takes such events, as missed_event.h writes them.
    QStringList chosenMissed() const;
    qint64 currentKey() const; // of the current cell's delivery; 0: it has none

Q_SIGNALS:
    void chosenChanged();
    void currentCellChanged();
    void ticked(); // once a second while a retry counts down and the view is seen

protected:
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;
    void selectionChanged(const QItemSelection& selected, const QItemSelection& deselected) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    MatrixModel* m_matrix;
    QTimer m_tick;
};

} // namespace redrive
