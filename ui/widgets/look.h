// The look as one value: colours, sizes, spacing and type steps of the current theme, read from
// resources/tokens.json. Window thread. Style, delegates and widgets read Look::current() while painting and
// keep nothing of it, so a theme change is only a repaint; a widget that must cache (a chart) drops its cache
// on QEvent::PaletteChange. Sizes are device-independent pixels.
#pragma once

#include "core/base/result.h"

#include <QColor>
#include <QFont>
#include <QHash>
#include <QList>
#include <QPalette>
#include <QString>

namespace redrive {

struct Look
{
    struct State
    {
        QColor icon; // glyphs: held to 3:1 only
        QColor text; // coloured words
        QColor tint; // badge fill
        QString iconName;
    };

    bool dark = false;
    bool compact = false; // rows of tables are lower

    struct
    {
        QColor base, window, sunken, raised, header, hover, pressed, selection, selectionInactive, accentTint,
            flash, tooltip;
    } background;
    struct
    {
        QColor primary, secondary, tertiary, disabled, onAccent, onTooltip, link;
    } text;
    struct
    {
        QColor subtle, standard, button, control, focus; // standard: the token "default"
    } border;
    struct
    {
        QColor fill, fillHover, fillPressed, line;
    } accent;
    QHash<QString, State> states; // pending processing done dead cancelled retrying held failed delivered
                                  // unknown sending never …
    struct
    {
        QList<QColor> series;
        QColor grid, axisText, rangeSelect, capacityLine;
        QColor dns, connect, tls, firstByte, transfer, failedPhase;
        double areaAlpha = 0.2, rangeAlpha = 0.12;
    } chart;
    struct
    {
        QColor key, string, number, punctuation;
    } syntax;
    QHash<QString, QColor> environments; // slate teal green ochre violet blue plum armed
    QColor environmentLabel;

    struct
    {
        QFont figure, title, heading, body, bodyStrong, small, smallStrong, micro, mono, monoSmall;
    } font;

    struct
    {
        int tableRow, tableRowCompact, tableHeader, navRow, menuRow, filterBar, field, button, buttonSmall,
            chip, badge, pageHeader, statusBar, tile, newRowsBar, navWidthMin, navWidth, navWidthMax,
            detailWidthMin, detailWidth, frame, focusRing, accentBar;
    } size{};
    struct
    {
        int iconToText, cellPadX, controlPadX, paneInset, pageInset, section, chipGap;
    } space{};
    struct
    {
        int control, chip, badge, navRow, menu;
    } radius{};
    struct
    {
        int state, standard, empty;
    } icon{};
    int flashMs = 1000;

    const State& state(const QString& name) const; // an unknown name gives the state "unknown"
    QPalette palette() const;
    // Row heights and bars grow with the font: max(token, font height + 8).
    int atLeast(int token, const QFont& font) const;
    int rowHeight() const { return compact ? compactRowHeight() : atLeast(size.tableRow, font.body); }
    int compactRowHeight() const; // max(token, font height + 4)

    // The look that the application shows now. Light with the system font until a ThemeController has set
    // one.
    static const Look& current();
    static void setCurrent(Look look);
    // Reads the tokens; the result names what is missing when they are damaged.
    static Result<Look> fromTokens(const QByteArray& json, bool dark, const QFont& ui, const QFont& mono);
    static Look build(bool dark, const QFont& ui, const QFont& mono); // from the built-in tokens
};

} // namespace redrive
