#include "ui/widgets/look.h"

#include <QFile>
#include <QFontDatabase>
#include <QFontMetrics>
#include <QGuiApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <optional>

static void registerResources()
{
    Q_INIT_RESOURCE(resources);
}

namespace redrive {

namespace {

// Walks "palette.light.text.primary"-like paths and remembers the first one that is missing.
class Tokens final
{
public:
    explicit Tokens(QJsonObject root) : m_root(std::move(root)) {}

    QJsonValue value(const QString& path)
    {
        QJsonValue at = m_root;
        for (const auto& key : path.split(u'.'))
            at = at.toObject().value(key);
        if (at.isUndefined() && m_missing.isEmpty())
            m_missing = path;
        return at;
    }
    QColor colour(const QString& path)
    {
        const QColor colour(value(path).toString());
        if (!colour.isValid() && m_missing.isEmpty())
            m_missing = path;
        return colour;
    }
    int integer(const QString& path) { return value(path).toInt(); }
    const QString& missing() const { return m_missing; }

private:
    QJsonObject m_root;
    QString m_missing;
};

void readColours(Look& look, Tokens& t, const QString& p)
{
    auto& b = look.background;
    b = {t.colour(p + u"background.base"_s),
         t.colour(p + u"background.window"_s),
         t.colour(p + u"background.sunken"_s),
         t.colour(p + u"background.raised"_s),
         t.colour(p + u"background.header"_s),
         t.colour(p + u"background.hover"_s),
         t.colour(p + u"background.pressed"_s),
         t.colour(p + u"background.selection"_s),
         t.colour(p + u"background.selectionInactive"_s),
         t.colour(p + u"background.accentTint"_s),
         t.colour(p + u"background.flash"_s),
         t.colour(p + u"background.tooltip"_s)};
    look.text = {t.colour(p + u"text.primary"_s),  t.colour(p + u"text.secondary"_s),
                 t.colour(p + u"text.tertiary"_s), t.colour(p + u"text.disabled"_s),
                 t.colour(p + u"text.onAccent"_s), t.colour(p + u"text.onTooltip"_s),
                 t.colour(p + u"text.link"_s)};
    look.border = {t.colour(p + u"border.subtle"_s), t.colour(p + u"border.default"_s),
                   t.colour(p + u"border.button"_s), t.colour(p + u"border.control"_s),
                   t.colour(p + u"border.focus"_s)};
    look.accent = {t.colour(p + u"accent.fill"_s), t.colour(p + u"accent.fillHover"_s),
                   t.colour(p + u"accent.fillPressed"_s), t.colour(p + u"accent.line"_s)};
    look.syntax = {t.colour(p + u"syntax.key"_s), t.colour(p + u"syntax.string"_s),
                   t.colour(p + u"syntax.number"_s), t.colour(p + u"syntax.punctuation"_s)};
}

void readChart(Look& look, Tokens& t, const QString& p)
{
    auto& c = look.chart;
    const auto series = t.value(p + u"chart.series"_s).toArray();
    for (const auto& value : series)
        c.series.append(QColor(value.toString()));
    c.grid = t.colour(p + u"chart.grid"_s);
    c.axisText = t.colour(p + u"chart.axisText"_s);
    c.rangeSelect = t.colour(p + u"chart.rangeSelect"_s);
    c.capacityLine = t.colour(p + u"chart.capacityLine"_s);
    c.areaAlpha = t.value(p + u"chart.areaAlpha"_s).toDouble();
    c.rangeAlpha = t.value(p + u"chart.rangeAlpha"_s).toDouble();
    c.dns = t.colour(p + u"chart.phase.dns"_s);
    c.connect = t.colour(p + u"chart.phase.connect"_s);
    c.tls = t.colour(p + u"chart.phase.tls"_s);
    c.firstByte = t.colour(p + u"chart.phase.firstByte"_s);
    c.transfer = t.colour(p + u"chart.phase.transfer"_s);
    c.failedPhase = t.colour(p + u"chart.phase.failedPhase"_s);
}

void readStates(Look& look, Tokens& t, const QString& p)
{
    const auto states = t.value(p + u"state"_s).toObject();
    for (auto it = states.begin(); it != states.end(); ++it) {
        const auto base = p + u"state."_s + it.key();
        look.states.insert(it.key(),
                           {t.colour(base + u".icon"_s), t.colour(base + u".text"_s),
                            t.colour(base + u".tint"_s), t.value(base + u".iconName"_s).toString()});
    }
    const auto glyphs = t.value(u"glyph"_s).toObject();
    for (auto it = glyphs.begin(); it != glyphs.end(); ++it) {
        if (!it->isObject())
            continue;
        const auto glyph = it->toObject();
        const auto path = glyph.value(u"colour"_s).toString();
        // A glyph in a state's icon colour has words in that state's text colour.
        auto words = path;
        if (path.startsWith(u"state.") && path.endsWith(u".icon"))
            words = path.chopped(5) + u".text"_s;
        look.states.insert(it.key(), {t.colour(p + path), t.colour(p + words), look.background.sunken,
                                      glyph.value(u"iconName"_s).toString()});
    }
}

void readSizes(Look& look, Tokens& t)
{
    const auto size = [&](const QString& name) { return t.integer(u"size."_s + name); };
    look.size = {.tableRow = size(u"tableRow"_s),
                 .tableRowCompact = size(u"tableRowCompact"_s),
                 .tableHeader = size(u"tableHeader"_s),
                 .navRow = size(u"navRow"_s),
                 .menuRow = size(u"menuRow"_s),
                 .filterBar = size(u"filterBar"_s),
                 .field = size(u"field"_s),
                 .button = size(u"button"_s),
                 .buttonSmall = size(u"buttonSmall"_s),
                 .chip = size(u"chip"_s),
                 .badge = size(u"badge"_s),
                 .pageHeader = size(u"pageHeader"_s),
                 .statusBar = size(u"statusBar"_s),
                 .tile = size(u"tile"_s),
                 .newRowsBar = size(u"newRowsBar"_s),
                 .navWidthMin = size(u"navWidth.min"_s),
                 .navWidth = size(u"navWidth.default"_s),
                 .navWidthMax = size(u"navWidth.max"_s),
                 .detailWidthMin = size(u"detailWidth.min"_s),
                 .detailWidth = size(u"detailWidth.default"_s),
                 .frame = size(u"frame"_s),
                 .focusRing = size(u"focusRing"_s),
                 .accentBar = size(u"accentBar"_s)};
    const auto use = [&](const QString& name) { return t.integer(u"spacing.use."_s + name); };
    look.space = {use(u"iconToText"_s), use(u"cellPadX"_s), use(u"controlPadX"_s), use(u"paneInset"_s),
                  use(u"pageInset"_s),  use(u"section"_s),  use(u"chipGap"_s)};
    look.radius = {t.integer(u"radius.control"_s), t.integer(u"radius.chip"_s), t.integer(u"radius.badge"_s),
                   t.integer(u"radius.navRow"_s), t.integer(u"radius.menu"_s)};
    look.icon = {t.integer(u"icon.sizes.state"_s), t.integer(u"icon.sizes.default"_s),
                 t.integer(u"icon.sizes.empty"_s)};
    look.flashMs = t.integer(u"motion.flashMs"_s);
}

void readEnvironments(Look& look, Tokens& t)
{
    const auto environments = t.value(u"environment"_s).toObject();
    for (auto it = environments.begin(); it != environments.end(); ++it)
        look.environments.insert(it.key(), t.colour(u"environment."_s + it.key() + u".frame"_s));
    look.environmentLabel = t.colour(u"environment.armed.label"_s);
}

QFont step(Tokens& t, const QFont& family, double bodyPt, const QString& name)
{
    constexpr double smallestPt = 8.5;
    auto font = family;
    font.setPointSizeF(qMax(smallestPt, bodyPt + t.value(u"type.scale."_s + name + u".offset"_s).toDouble()));
    font.setWeight(QFont::Weight(t.integer(u"type.scale."_s + name + u".weight"_s)));
    font.setItalic(false);
#if QT_VERSION >= QT_VERSION_CHECK(6, 7, 0)
    font.setFeature("tnum", 1);
#endif
    return font;
}

void readFonts(Look& look, Tokens& t, const QFont& ui, const QFont& mono)
{
    // A system font may be sized in pixels; points are what the steps are made of.
    const double body = ui.pointSizeF() > 0 ? ui.pointSizeF() : t.value(u"type.basePt"_s).toDouble();
    auto& f = look.font;
    f.figure = step(t, ui, body, u"figure"_s);
    f.title = step(t, ui, body, u"title"_s);
    f.heading = step(t, ui, body, u"heading"_s);
    f.body = step(t, ui, body, u"body"_s);
    f.bodyStrong = step(t, ui, body, u"bodyStrong"_s);
    f.small = step(t, ui, body, u"small"_s);
    f.smallStrong = f.small;
    f.smallStrong.setWeight(QFont::DemiBold);
    f.micro = step(t, ui, body, u"micro"_s);
    f.mono = step(t, mono, body, u"mono"_s);
    f.monoSmall = step(t, mono, body, u"monoSmall"_s);
}

QByteArray builtInTokens()
{
    registerResources();
    QFile file(u":/redrive/tokens.json"_s);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

std::optional<Look>& currentSlot()
{
    static std::optional<Look> look;
    return look;
}

} // namespace

Result<Look> Look::fromTokens(const QByteArray& json, bool dark, const QFont& ui, const QFont& mono)
{
    const auto document = QJsonDocument::fromJson(json);
    if (!document.isObject())
        return fail(ErrorKind::Corrupt, u"the look tokens are not a JSON object"_s);
    Tokens tokens(document.object());
    const auto prefix = dark ? u"palette.dark."_s : u"palette.light."_s;
    Look look;
    look.dark = dark;
    readColours(look, tokens, prefix);
    readChart(look, tokens, prefix);
    readStates(look, tokens, prefix);
    readSizes(look, tokens);
    readEnvironments(look, tokens);
    readFonts(look, tokens, ui, mono);
    if (!tokens.missing().isEmpty())
        return fail(ErrorKind::Corrupt, u"the look tokens lack "_s + tokens.missing());
    return look;
}

Look Look::build(bool dark, const QFont& ui, const QFont& mono)
{
    auto look = fromTokens(builtInTokens(), dark, ui, mono);
    if (!look)
        qFatal("built-in look: %s", qPrintable(look.error().text()));
    return std::move(*look);
}

const Look& Look::current()
{
    auto& slot = currentSlot();
    if (!slot)
        slot = build(false, QFontDatabase::systemFont(QFontDatabase::GeneralFont),
                     QFontDatabase::systemFont(QFontDatabase::FixedFont));
    return *slot;
}

void Look::setCurrent(Look look)
{
    currentSlot() = std::move(look);
}

const Look::State& Look::state(const QString& name) const
{
    static const State none;
    if (const auto it = states.constFind(name); it != states.constEnd())
        return it.value();
    const auto unknown = states.constFind(u"unknown"_s);
    return unknown != states.constEnd() ? unknown.value() : none;
}

int Look::atLeast(int token, const QFont& f) const
{
    return qMax(token, QFontMetrics(f).height() + 8);
}

int Look::compactRowHeight() const
{
    return qMax(size.tableRowCompact, QFontMetrics(font.body).height() + 4);
}

QPalette Look::palette() const
{
    QPalette p;
    const auto all = [&p](QPalette::ColorRole role, const QColor& colour) {
        p.setColor(QPalette::All, role, colour);
    };
    all(QPalette::Window, background.window);
    all(QPalette::Base, background.base);
    all(QPalette::AlternateBase, background.base);
    all(QPalette::Button, background.raised);
    all(QPalette::WindowText, text.primary);
    all(QPalette::Text, text.primary);
    all(QPalette::ButtonText, text.primary);
    all(QPalette::BrightText, text.onAccent);
    all(QPalette::HighlightedText, text.primary);
    all(QPalette::PlaceholderText, text.tertiary);
    all(QPalette::Link, text.link);
    all(QPalette::LinkVisited, text.link);
    all(QPalette::Highlight, background.selection);
    p.setColor(QPalette::Inactive, QPalette::Highlight, background.selectionInactive);
    all(QPalette::ToolTipBase, background.tooltip);
    all(QPalette::ToolTipText, text.onTooltip);
    all(QPalette::Mid, border.standard);
    all(QPalette::Dark, border.button);
    all(QPalette::Shadow, border.control);
    all(QPalette::Midlight, background.hover);
    all(QPalette::Light, background.raised);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText,
                            QPalette::HighlightedText, QPalette::PlaceholderText, QPalette::Link})
        p.setColor(QPalette::Disabled, role, text.disabled);
    return p;
}

} // namespace redrive
