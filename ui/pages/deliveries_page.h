// Deliveries: one event for one endpoint each; failed ones are sent again without touching the others. Window
// thread.
#pragma once

#include "ui/pages/list_page.h"

namespace redrive {

class DeliveriesPage final : public ListPage
{
    Q_OBJECT
public:
    explicit DeliveriesPage(const PageContext& context);

    NavEntry entry() const override;
    int navGroup() const override { return 2; }
    QString filterPlaceholder() const override;

protected:
    qint64 total() const override;
    QString emptySentence() const override;
};

} // namespace redrive
