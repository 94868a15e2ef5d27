// Activity: every action of operators and every alert, with what came of it. Window thread.
#pragma once

#include "ui/pages/list_page.h"

namespace redrive {

class ActivityPage final : public ListPage
{
    Q_OBJECT
public:
    explicit ActivityPage(const PageContext& context);

    NavEntry entry() const override;
    QList<NavEntry> children() const override;
    int navGroup() const override { return 3; }
    QString filterPlaceholder() const override;

protected:
    qint64 total() const override { return -1; }
    QString emptySentence() const override;
};

} // namespace redrive
