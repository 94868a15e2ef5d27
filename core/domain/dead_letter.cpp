#include "core/domain/dead_letter.h"

namespace redrive {

QString toText(LetterKind kind)
{
    switch (kind) {
    case LetterKind::Job:
        return QStringLiteral("job");
    case LetterKind::Message:
        return QStringLiteral("message");
    case LetterKind::Delivery:
        break;
    }
    return QStringLiteral("delivery");
}

QString toText(LetterState state)
{
    switch (state) {
    case LetterState::Open:
        return QStringLiteral("open");
    case LetterState::Requeued:
        return QStringLiteral("requeued");
    case LetterState::Discarded:
        break;
    }
    return QStringLiteral("discarded");
}

std::optional<LetterKind> letterKindFrom(QStringView text)
{
    for (const LetterKind kind : {LetterKind::Job, LetterKind::Message, LetterKind::Delivery})
        if (text == toText(kind))
            return kind;
    return std::nullopt;
}

std::optional<LetterState> letterStateFrom(QStringView text)
{
    for (const LetterState state : {LetterState::Open, LetterState::Requeued, LetterState::Discarded})
        if (text == toText(state))
            return state;
    return std::nullopt;
}

} // namespace redrive
