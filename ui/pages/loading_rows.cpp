#include "ui/pages/loading_rows.h"

#include "ui/widgets/look.h"
#include "ui/widgets/paint.h"
#include "ui/widgets/row_table.h"

#include <QPainter>

namespace redrive {

namespace {

constexpr int kRows = 12;
constexpr double kFilled = 0.6; // of the cell's width
constexpr int kBlockHeight = 10;

} // namespace

LoadingRows::LoadingRows(const RowTable* table) : m_table(table)
{
    setAccessibleName(tr("Rows are being loaded"));
}

QSize LoadingRows::sizeHint() const
{
    return {400, kRows * Look::current().rowHeight()};
}

void LoadingRows::paintEvent(QPaintEvent*)
{
    const auto& look = Look::current();
    QPainter painter(this);
    for (int row = 0; row < kRows; ++row) {
        const QRectF line(0, row * look.rowHeight(), width(), look.rowHeight());
        for (int column = 0; column < m_table->model()->columnCount(); ++column) {
            if (m_table->isColumnHidden(column))
                continue;
            const QRectF block(m_table->columnViewportPosition(column) + look.space.cellPadX,
                               line.center().y() - kBlockHeight / 2.0, m_table->columnWidth(column) * kFilled,
                               kBlockHeight);
            paint::roundedBox(&painter, block, 2, look.background.hover, {});
        }
        paint::hairline(&painter, line, Qt::BottomEdge, look.border.subtle);
    }
}

} // namespace redrive
