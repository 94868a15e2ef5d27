// Dead letters: requeue or discard them, import them from an archive; the bin, from where they come back.
// Window thread.
#pragma once

#include "ui/pages/list_page.h"

namespace redrive {

class SegmentedSwitch;

class DeadLettersPage final : public ListPage
{
    Q_OBJECT
public:
    explicit DeadLettersPage(const PageContext& context);

    NavEntry entry() const override;
    QByteArray saveState() const override;
    void restoreState(const QByteArray& state) override;
    bool showsBin() const { return model()->kind() == ListKind::Bin; }
    void showBin(bool bin);
    QString filterPlaceholder() const override;

protected:
    qint64 total() const override;
    qint64 navCount() const override;
    QString emptySentence() const override;
    bool offers(ActionVerb verb) const override;

private:
    SegmentedSwitch* m_switch;
};

} // namespace redrive
