// What waits for a retry or a delay, with live countdowns; any of it can be run now, postponed or cancelled.
// Window thread.
#pragma once

#include "ui/pages/list_page.h"

namespace redrive {

class TimersPage final : public ListPage
{
    Q_OBJECT
public:
    explicit TimersPage(const PageContext& context);

    NavEntry entry() const override;
    QString filterPlaceholder() const override;

protected:
    qint64 total() const override;
    QString emptySentence() const override;
};

} // namespace redrive
