// Tabs as underlined text with an optional count. Window thread.
#pragma once

#include <QTabBar>

namespace redrive {

class TabStrip final : public QTabBar
{
    Q_OBJECT
public:
    explicit TabStrip(QWidget* parent = nullptr);

    void setCount(int index, qint64 count); // -1: none

protected:
    QSize tabSizeHint(int index) const override;
    QSize minimumTabSizeHint(int index) const override { return tabSizeHint(index); }
    void paintEvent(QPaintEvent* event) override;

private:
    QString countText(int index) const;
};

} // namespace redrive
