// Draws every cell of every table from the roles of ui/models/roles.h. Belongs to a RowTable. Window thread.
#pragma once

#include "ui/models/roles.h"
#include "ui/widgets/digit_painter.h"

#include <QStyledItemDelegate>

#include <optional>

namespace redrive {

class RowTable;
struct Look;

class RowDelegate final : public QStyledItemDelegate
{
    Q_OBJECT
public:
    explicit RowDelegate(RowTable* table);

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    bool helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
                   const QModelIndex& index) override;
    // What a cell says, computed kinds included; also what a screen reader and Ctrl+C get.
    QString cellText(const QModelIndex& index) const;

private:
    QRectF contentRect(const QRectF& cell, int column) const;
    void paintBackground(QPainter* painter, const QStyleOptionViewItem& option,
                         const QModelIndex& index) const;
    void paintContent(QPainter* painter, const QRectF& rect, const QModelIndex& index, bool enabled) const;
    void paintSpark(QPainter* painter, const QRectF& rect, const QModelIndex& index) const;
    const DigitPainter& digits(bool strong) const;

    RowTable* m_table;
    mutable std::optional<DigitPainter> m_digits;
    mutable std::optional<DigitPainter> m_strongDigits;
};

} // namespace redrive
