// What a list model tells RowDelegate (ui/widgets/row_delegate.h) about a cell. One delegate draws every
// table, so a model never sets fonts, colours or icons: it answers these roles. Window thread only; every
// text is plain text.
//
// * Qt::DisplayRole: the text of the cell; kinds Age and Countdown need none, InstantRole is enough.
// * Qt::ToolTipRole: plain text, shown escaped; empty where the cell already shows everything.
// * Qt::AccessibleTextRole: where the word alone is not enough ("Dead, retries used up").
// * KindRole: how the cell is drawn, a CellKind; nothing means Text.
// * The others only where the kind or the row needs them.
#pragma once

#include <QMetaType>
#include <QtCore/qnamespace.h>

namespace redrive {

enum class CellKind {
    Text,   // left aligned, elided at the right
    State,  // glyph (GlyphRole) and word (DisplayRole)
    Id,     // monospace, shortened in the middle by the delegate; DisplayRole is the whole id
    Number, // right aligned, equal-width digits; DisplayRole is a qint64, a double or finished text ("4/4")
    Count,  // a Number in weight 600
    Age,    // right aligned: time passed since InstantRole; ticks with the view
    Countdown, // right aligned: time left until InstantRole, "due" once it is past; ticks with the view
    Instant,   // InstantRole as clock time in the zone of the view
    Spark,     // bars of SparkRole (QList<double>), the last SparkHotRole of them in the colour of dead
};

enum class Emphasis { Primary, Secondary, Tertiary, Strong, Link };

enum RowRole {
    KindRole = Qt::UserRole + 1, // int(CellKind)
    GlyphRole,    // QString, a name of ui/widgets/icon.h stateGlyph(): "dead", "retrying", "held", "sending"
    EmphasisRole, // int(Emphasis); nothing: Secondary, and Primary for State and Count
    InstantRole,  // qint64, UTC unix ms; nothing or 0: unknown, drawn as an en dash
    FlashUntilRole,  // qint64, Clock::steadyMs() until which the cell is tinted as changed
    ErrorTextRole,   // QString, the whole error of the row (the cell shows its first line)
    SparkRole,       // QList<double>
    SparkHotRole,    // int
    RowIdRole,       // QString, the full id of the row: Ctrl+C, keeping selection and current by id
    RowKeyRole,      // the key by which the model asks for the row
    PlaceholderRole, // bool, the row is not loaded yet: still blocks in the places of the text
};

// QAbstractItemModel::headerData(section, Qt::Horizontal, …)
enum HeaderRole {
    HeaderKindRole = Qt::UserRole + 200, // int(CellKind): right-aligned kinds align their header
    HeaderWidthRole,                     // int, first width in characters of the body font
    HeaderStretchRole,                   // bool, takes the room that is left (one column)
    HeaderNameRole,                      // QString, stable name under which the width is remembered
    HeaderSpareRole,                     // bool, given up first where the table is too narrow
    HeaderHiddenRole,                    // bool, hidden until chosen from the header menu
    HeaderSortsRole,                     // bool, false: a click on the header does not sort
};

constexpr bool isRightAligned(CellKind kind)
{
    return kind == CellKind::Number || kind == CellKind::Count || kind == CellKind::Age ||
           kind == CellKind::Countdown || kind == CellKind::Instant;
}

constexpr bool ticks(CellKind kind)
{
    return kind == CellKind::Age || kind == CellKind::Countdown;
}

} // namespace redrive
