#include "ui/models/token_rows.h"

#include "core/base/result.h"
#include "ui/models/format.h"
#include "ui/models/state_words.h"

#include <QCoreApplication>

namespace redrive {

namespace {

QString words(const char* text)
{
    return QCoreApplication::translate("Tokens", text);
}

bool isRotating(const TokenRow& token, qint64 nowMs)
{
    return token.oldSecretUntilMs.value_or(0) > nowMs;
}

PlainCell stateOf(const TokenRow& token, qint64 nowMs)
{
    if (token.revokedAtMs)
        return {words("Revoked"), u"cancelled"_s};
    return isRotating(token, nowMs) ? PlainCell{words("Rotating"), u"retrying"_s}
                                    : PlainCell{words("In use"), u"done"_s};
}

QString noteOf(const TokenRow& token, qint64 nowMs)
{
    if (token.isKept)
        return words("made at the first start: Show reveals it until it is rotated");
    if (token.revokedAtMs || !isRotating(token, nowMs))
        return {};
    return words("the older secret is accepted for %1 more")
        .arg(format::duration(*token.oldSecretUntilMs - nowMs));
}

} // namespace

QList<Column> tokenColumns()
{
    return {
        {u"state"_s, words("State"), CellKind::State, 12},
        {u"name"_s, words("Token"), CellKind::Text, 24},
        {u"opens"_s, words("Opens"), CellKind::Text, 12},
        {u"rate"_s, words("Requests per second"), CellKind::Number, 20},
        {u"created"_s, words("Created"), CellKind::Age, 10},
        {u"by"_s, words("By"), CellKind::Text, 14},
        {u"used"_s, words("Last used"), CellKind::Age, 11},
        {u"note"_s, words("Note"), CellKind::Text, 30, true},
    };
}

QList<PlainRow> tokenRows(const QList<TokenRow>& tokens, qint64 nowMs)
{
    QList<PlainRow> rows;
    for (const TokenRow& token : tokens) {
        const QVariant rate =
            token.ratePerSecond ? QVariant(QString::number(*token.ratePerSecond, 'g', 9)) : QVariant();
        rows.append(
            {QString::number(token.no),
             {stateOf(token, nowMs),
              {cellText(token.name), {}, 0, token.revokedAtMs ? Emphasis::Tertiary : Emphasis::Primary},
              {token.opens == TokenScope::Ingest ? words("Events") : words("Everything")},
              {rate},
              {{}, {}, token.createdAtMs},
              {cellText(token.createdBy)},
              {{}, {}, token.lastUsedAtMs.value_or(0)},
              {noteOf(token, nowMs)}}});
    }
    return rows;
}

} // namespace redrive
