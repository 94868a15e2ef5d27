// Label and value pairs; values can be selected and copied, and are never interpreted. Window thread.
#pragma once

#include "ui/widgets/attempts_list.h"

namespace redrive {

class FactGrid final : public QWidget
{
    Q_OBJECT
public:
    FactGrid(const QList<FactView>& facts, QWidget* parent = nullptr);
    bool isEmpty() const { return m_empty; }

Q_SIGNALS:
    void wholeWanted(const redrive::FactView& fact);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    bool m_empty;
};

} // namespace redrive
