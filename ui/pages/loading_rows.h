// Rows that have not come after 300 ms: still blocks in the places of the text, under a table's header.
// Window thread.
#pragma once

#include <QWidget>

namespace redrive {

class RowTable;

class LoadingRows final : public QWidget
{
    Q_OBJECT
public:
    explicit LoadingRows(const RowTable* table);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const RowTable* m_table;
};

} // namespace redrive
