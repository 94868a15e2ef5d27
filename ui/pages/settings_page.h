// Settings: tokens of the HTTP interface, where alerts and old dead letters go, what is kept how long and
// where that stands, how the window looks. Window thread.
#pragma once

#include "ui/pages/page_context.h"
#include "ui/widgets/page.h"

class QVBoxLayout;

namespace redrive {

class AlertsPanel;
class ArchivePanel;
class PageHeader;
class RowTable;
class SegmentedSwitch;
class ThemeController;
class TokensPanel;

class SettingsPage final : public Page
{
    Q_OBJECT
public:
    explicit SettingsPage(PageContext context);

    NavEntry entry() const override;
    int navGroup() const override { return 3; }
    bool takesFilter() const override { return false; }
    QString filterPlaceholder() const override { return tr("The filter works on the lists"); }
    QList<QAction*> pageActions() const override;
    QString scopeText() const override;
    QWidget* focusTarget() override;
    QString currentId() const override;
    void setZone(format::Zone zone) override;
    void resync() override;
    void setCurrent(bool current) override;
    QByteArray saveState() const override;
    void restoreState(const QByteArray& state) override;

    RowTable* table() const;
    AlertsPanel* alerts() const { return m_alerts; }
    ArchivePanel* archive() const { return m_archive; }

private:
    QWidget* buildRetention();
    QWidget* buildAppearance();
    void addUndoChoice(UndoHold& undo, QVBoxLayout* column, QWidget* part);
    void addTableChoices(ThemeController& themes, QVBoxLayout* column, QWidget* part);

    PageContext m_context;
    PageHeader* m_header;
    TokensPanel* m_tokens;
    AlertsPanel* m_alerts;
    ArchivePanel* m_archive;
    SegmentedSwitch* m_theme = nullptr;
    SegmentedSwitch* m_zone = nullptr;
};

} // namespace redrive
