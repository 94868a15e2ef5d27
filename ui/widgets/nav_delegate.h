// Draws the entries of NavView. Window thread.
#pragma once

#include <QStyledItemDelegate>

namespace redrive {

class NavDelegate final : public QStyledItemDelegate
{
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    qreal paintCount(QPainter* painter, const QRectF& rect, const QModelIndex& index) const;
};

} // namespace redrive
