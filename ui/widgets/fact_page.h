// Facts on a page that scrolls; they change in place. Window thread.
#pragma once

#include "ui/widgets/attempts_list.h"

namespace redrive {

class FactPage final : public QScrollArea
{
    Q_OBJECT
public:
    FactPage();
    void setFacts(const QList<FactView>& facts);

private:
    QList<FactView> m_facts;
};

} // namespace redrive
