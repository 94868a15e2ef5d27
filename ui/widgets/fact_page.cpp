#include "ui/widgets/fact_page.h"

#include "ui/widgets/fact_grid.h"

#include <QVBoxLayout>

namespace redrive {

FactPage::FactPage()
{
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
}

void FactPage::setFacts(const QList<FactView>& facts)
{
    if (facts == m_facts)
        return;
    m_facts = facts;
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 8, 0, 0);
    column->addWidget(new FactGrid(facts));
    column->addStretch(1);
    setWidget(page);
}

} // namespace redrive
