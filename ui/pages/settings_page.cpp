#include "ui/pages/settings_page.h"

#include "ui/models/retention_text.h"
#include "ui/models/state_words.h"
#include "ui/models/undo_hold.h"
#include "ui/pages/alerts_panel.h"
#include "ui/pages/archive_panel.h"
#include "ui/pages/font_choice.h"
#include "ui/pages/tokens_panel.h"
#include "ui/widgets/look.h"
#include "ui/widgets/page_header.h"
#include "ui/widgets/plain_label.h"
#include "ui/widgets/row_table.h"
#include "ui/widgets/segmented_switch.h"
#include "ui/widgets/theme_controller.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QScrollArea>

namespace redrive {

namespace {

constexpr int kLabelWidth = 200;
constexpr int kTokensHeight = 220; // at least: its sentence, its head and four tokens

// A part of the page: a heading, one sentence, then what it is about.
QVBoxLayout* section(QVBoxLayout* column, const QString& title, const QString& sentence)
{
    const auto& look = Look::current();
    auto* part = new QVBoxLayout;
    part->setContentsMargins(look.space.pageInset, look.space.section, look.space.pageInset, 0);
    part->setSpacing(6);
    part->addWidget(new PlainLabel(title, PlainLabel::Step::Heading));
    if (!sentence.isEmpty()) {
        auto* words = new PlainLabel(sentence, PlainLabel::Step::Body, Emphasis::Secondary);
        words->setWordWrap(true);
        part->addWidget(words);
    }
    column->addLayout(part);
    return part;
}

QHBoxLayout* choiceRow(QVBoxLayout* column, const QString& label, QWidget* choice)
{
    auto* row = new QHBoxLayout;
    auto* words = new PlainLabel(label, PlainLabel::Step::Body, Emphasis::Secondary);
    words->setFixedWidth(kLabelWidth);
    row->addWidget(words);
    row->addWidget(choice);
    row->addStretch(1);
    column->addLayout(row);
    return row;
}

} // namespace

SettingsPage::SettingsPage(PageContext context)
    : m_context(std::move(context)), m_header(new PageHeader(tr("Settings"), this)),
      m_tokens(new TokensPanel(m_context, this)), m_alerts(new AlertsPanel(m_context, this)),
      m_archive(new ArchivePanel(m_context, this))
{
    m_header->setActions(m_tokens->actions());
    m_header->setScope(configurationText(m_context.bridge->facts()), false);
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->setSpacing(0);
    whole->addWidget(m_header);
    auto* parts = new QWidget(this);
    auto* scroll = new QScrollArea(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setWidget(parts);
    whole->addWidget(scroll, 1);
    auto* column = new QVBoxLayout(parts);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_tokens->setMinimumHeight(kTokensHeight);
    column->addWidget(m_tokens, 1);
    auto* alerts =
        section(column, tr("Alerts"),
                tr("Where dead letters, disabled endpoints and open breakers are told of: one alert for each "
                   "group of failures and window. Set in the table alerts of the configuration."));
    alerts->addWidget(m_alerts);
    auto* archive = section(
        column, tr("Archive"),
        tr("Where dead letters go when they leave the database: a file a day, which can be read back. "
           "Set in the table archive of the configuration."));
    archive->addWidget(m_archive);
    auto* retention =
        section(column, tr("Retention"),
                tr("How long things are kept. Set in the table retention of the configuration."));
    retention->addWidget(buildRetention());
    auto* appearance = section(column, tr("Appearance"), {});
    appearance->addWidget(buildAppearance());
    column->addSpacing(Look::current().space.section);
    connect(m_tokens, &TokensPanel::said, this, &Page::messageRaised);
    connect(m_alerts, &AlertsPanel::said, this, &Page::messageRaised);
    connect(m_archive, &ArchivePanel::said, this, &Page::messageRaised);
    connect(m_context.bridge, &EngineBridge::changed, this, [this](const ChangeSet& changes) {
        if (isVisible() && (changes.operations || changes.everything))
            m_tokens->ask();
        if (isVisible() && (changes.alerts || changes.everything))
            m_alerts->ask();
    });
}

QWidget* SettingsPage::buildRetention()
{
    auto* grid = new QWidget(this);
    auto* cells = new QGridLayout(grid);
    cells->setContentsMargins(0, 0, 0, 0);
    cells->setHorizontalSpacing(16);
    cells->setVerticalSpacing(3);
    cells->setColumnMinimumWidth(0, kLabelWidth);
    cells->setColumnStretch(2, 1);
    const auto kept = m_context.bridge->facts().retention;
    for (int row = 0; row < kept.size(); ++row) {
        const auto& each = kept[row];
        cells->addWidget(new PlainLabel(retentionName(each.key), PlainLabel::Step::Body, Emphasis::Secondary),
                         row, 0);
        cells->addWidget(new PlainLabel(format::duration(each.ms), PlainLabel::Step::Body), row, 1);
        auto* place = new PlainLabel(each.place.isEmpty() ? tr("default") : cellText(each.place),
                                     PlainLabel::Step::Body, Emphasis::Tertiary);
        place->setSelectable(true);
        cells->addWidget(place, row, 2);
    }
    return grid;
}

QWidget* SettingsPage::buildAppearance()
{
    auto* part = new QWidget(this);
    auto* column = new QVBoxLayout(part);
    column->setContentsMargins(0, 0, 0, 0);
    if (auto* themes = m_context.themes) {
        m_theme =
            new SegmentedSwitch(tr("Theme"), {tr("As the system"), tr("Light"), tr("Dark")}, false, part);
        const auto show = [this, themes] { m_theme->setCurrent(int(themes->theme())); };
        connect(m_theme, &SegmentedSwitch::chosen, themes,
                [themes](int index) { themes->setTheme(Theme(index)); });
        connect(themes, &ThemeController::changed, this, show);
        show();
        choiceRow(column, tr("Theme"), m_theme);
        addTableChoices(*themes, column, part);
    }
    m_zone = new SegmentedSwitch(tr("Times"), {tr("UTC"), tr("Local")}, false, part);
    connect(m_zone, &SegmentedSwitch::chosen, this,
            [this](int index) { Q_EMIT zoneWanted(index == 1 ? format::Zone::Local : format::Zone::Utc); });
    choiceRow(column, tr("Times"), m_zone);
    if (m_context.undo)
        addUndoChoice(*m_context.undo, column, part);
    return part;
}

void SettingsPage::addUndoChoice(UndoHold& undo, QVBoxLayout* column, QWidget* part)
{
    QStringList words;
    for (const int seconds : UndoHold::choices())
        words.append(seconds == 0 ? tr("At once") : tr("After %1 s").arg(seconds));
    auto* hold = new SegmentedSwitch(tr("Actions begin"), words, false, part);
    hold->setToolTip(format::plainToolTip(
        tr("Requeue, replay, run now and discard can be taken back until then, with Undo or Ctrl+Z.")));
    const auto show = [hold, &undo] { hold->setCurrent(int(UndoHold::choices().indexOf(undo.seconds()))); };
    connect(hold, &SegmentedSwitch::chosen, &undo,
            [&undo](int index) { undo.setSeconds(UndoHold::choices().value(index)); });
    connect(&undo, &UndoHold::changed, hold, show);
    show();
    choiceRow(column, tr("Actions begin"), hold);
}

void SettingsPage::addTableChoices(ThemeController& themes, QVBoxLayout* column, QWidget* part)
{
    auto* density = new SegmentedSwitch(tr("Density"), {tr("Comfortable"), tr("Compact")}, false, part);
    const auto show = [density, &themes] { density->setCurrent(int(themes.density())); };
    connect(density, &SegmentedSwitch::chosen, &themes,
            [&themes](int index) { themes.setDensity(Density(index)); });
    connect(&themes, &ThemeController::changed, density, show);
    show();
    choiceRow(column, tr("Density"), density);
    choiceRow(column, tr("Font of lists"),
              new FontChoice(themes, FontChoice::Of::Lists, tr("Font of lists"), part));
    choiceRow(column, tr("Font of payloads"),
              new FontChoice(themes, FontChoice::Of::Payloads, tr("Font of payloads"), part));
}

NavEntry SettingsPage::entry() const
{
    return {u"settings"_s, tr("Settings"), u"settings"_s, u"S"_s, {}};
}

QList<QAction*> SettingsPage::pageActions() const
{
    return m_tokens->actions() + QList<QAction*>{m_alerts->testAction()} + m_archive->actions();
}

QString SettingsPage::scopeText() const
{
    return m_header->scope();
}

QWidget* SettingsPage::focusTarget()
{
    return m_tokens->table();
}

QString SettingsPage::currentId() const
{
    return {}; // the number of a token says nothing to anybody
}

RowTable* SettingsPage::table() const
{
    return m_tokens->table();
}

void SettingsPage::setZone(format::Zone zone)
{
    m_zone->setCurrent(zone == format::Zone::Local ? 1 : 0);
    m_tokens->table()->setZone(zone);
    m_alerts->table()->setZone(zone);
    if (RowTable* files = m_archive->table())
        files->setZone(zone);
}

void SettingsPage::resync()
{
    m_context.bridge->refresh();
    m_tokens->ask();
    m_alerts->ask();
    m_archive->ask();
}

void SettingsPage::setCurrent(bool current)
{
    if (!current)
        return;
    m_tokens->ask();
    m_alerts->ask();
    m_archive->ask();
}

QByteArray SettingsPage::saveState() const
{
    return m_tokens->table()->saveColumns();
}

void SettingsPage::restoreState(const QByteArray& state)
{
    m_tokens->table()->restoreColumns(state);
}

} // namespace redrive
