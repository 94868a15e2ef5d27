// A row of exclusive choices ("UTC | Local"). The chosen part has an accent line, so it reads without colour.
// Window thread.
#pragma once

#include <QWidget>

class QButtonGroup;
class QHBoxLayout;

namespace redrive {

class SegmentedSwitch final : public QWidget
{
    Q_OBJECT
public:
    // `small`: 22 px inside headers and bars.
    SegmentedSwitch(const QString& accessibleName, const QStringList& choices, bool small,
                    QWidget* parent = nullptr);

    int current() const;
    void setCurrent(int index); // does not emit; -1: none is chosen

Q_SIGNALS:
    void chosen(int index);

private:
    QButtonGroup* m_group;
};

} // namespace redrive
