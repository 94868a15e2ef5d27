#include "ui/models/dead_letters_model.h"

#include "ui/models/state_words.h"

namespace redrive {

namespace {

enum Place { kState, kId, kType, kWhere, kError, kAttempt, kDead, kChanged, kKind, kRun, kSent };

QList<Column> letterColumns()
{
    using T = DeadLettersModel;
    return {
        {u"state"_s, T::tr("State and reason"), CellKind::State, 16},
        {u"id"_s, T::tr("Job or delivery"), CellKind::Id, 13},
        {u"type"_s, T::tr("Type"), CellKind::Text, 15, false, false, SortField::Type},
        {u"where"_s, T::tr("Where"), CellKind::Text, 12},
        {u"error"_s, T::tr("Error"), CellKind::Text, 30, true, false, SortField::Error},
        {u"attempt"_s, T::tr("Attempt"), CellKind::Number, 8, false, false, SortField::Attempts, true},
        {u"dead"_s, T::tr("Dead for"), CellKind::Age, 11, false, false, SortField::Newest, true},
        {u"changed"_s, T::tr("In the bin for"), CellKind::Age, 15, false, true, SortField::Newest, true},
        {u"kind"_s, T::tr("Kind"), CellKind::Text, 10, false, true},
        {u"run"_s, T::tr("Run"), CellKind::Number, 6, false, true},
        {u"sent"_s, T::tr("Sent"), CellKind::Instant, 11, false, true},
    };
}

QString kindWord(LetterKind kind)
{
    switch (kind) {
    case LetterKind::Job:
        return DeadLettersModel::tr("job");
    case LetterKind::Message:
        return DeadLettersModel::tr("message");
    case LetterKind::Delivery:
        break;
    }
    return DeadLettersModel::tr("delivery");
}

} // namespace

DeadLettersModel::DeadLettersModel(EngineBridge& bridge, QObject* parent)
    : PagedTableModel(bridge, ListKind::DeadLetters, letterColumns(), parent)
{
}

int DeadLettersModel::columnFor(SortField field) const
{
    // The newest letter is the one that died last, in the bin the one that was discarded last.
    if (field == SortField::Newest)
        return kind() == ListKind::Bin ? kChanged : kDead;
    return PagedTableModel::columnFor(field);
}

QVariant DeadLettersModel::cell(const RowValue& value, int column, int role) const
{
    const auto& row = std::get<LetterRow>(value);
    switch (role) {
    case Qt::DisplayRole:
        switch (column) {
        case kState:
            return stateOf(row).word;
        case kId:
            return row.subjectId;
        case kType:
            return cellText(row.type);
        case kWhere:
            return row.kind == LetterKind::Delivery ? cellText(row.endpointId)
                                                    : tr("queue %1").arg(cellText(row.sourceQueue));
        case kError:
            return cellText(row.error);
        case kAttempt:
            return attemptText(row.attempts, row.maxAttempts);
        case kKind:
            return kindWord(row.kind);
        case kRun:
            return row.run;
        default:
            return {};
        }
    case GlyphRole:
        return column == kState ? QVariant(stateOf(row).glyph) : QVariant();
    case InstantRole:
        if (column == kDead)
            return row.deadAtMs;
        if (column == kSent)
            return row.sentAtMs;
        return column == kChanged ? QVariant(row.changedAtMs) : QVariant();
    case EmphasisRole:
        return column == kType || column == kError || column == kDead ? QVariant(int(Emphasis::Primary))
                                                                      : QVariant();
    case ErrorTextRole:
        return column == kError ? QVariant(row.error) : QVariant();
    default:
        return {};
    }
}

} // namespace redrive
