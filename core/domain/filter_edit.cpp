#include "core/domain/filter_edit.h"

#include "core/domain/filter_lexer.h"

#include <QDateTime>
#include <QRegularExpression>

namespace redrive {

namespace {

// Its tokens; none where it cannot be read.
QList<FilterToken> tokensOf(const QString& filter)
{
    QList<FilterToken> tokens;
    if (!parseFilter(filter))
        return tokens;
    FilterLexer lexer(filter, false);
    for (;;) {
        auto token = lexer.next();
        if (!token || token->kind == FilterToken::End)
            return tokens;
        tokens.append(std::move(*token));
    }
}

} // namespace

QString withoutFields(const QString& filter, const QStringList& fields)
{
    QString rest;
    qsizetype kept = 0; // of the filter, up to here
    for (const FilterToken& token : tokensOf(filter)) {
        if (token.kind != FilterToken::Value || !fields.contains(token.field))
            continue;
        rest += filter.mid(kept, token.position - kept);
        for (kept = token.position + token.length; kept < filter.size() && filter[kept].isSpace(); ++kept)
            continue;
    }
    rest = (rest + filter.mid(kept)).trimmed();
    return parseFilter(rest) ? rest : filter; // an operator has lost what it stood between
}

QString withTerm(const QString& filter, const QString& term)
{
    const QList<FilterToken> tokens = tokensOf(filter);
    if (tokens.isEmpty())
        return filter.trimmed().isEmpty() ? term : filter + u' ' + term;
    const bool hasChoice = std::any_of(
        tokens.begin(), tokens.end(), [](const FilterToken& token) { return token.kind == FilterToken::Or; });
    const QString whole = filter.trimmed();
    return (hasChoice ? u'(' + whole + u')' : whole) + u' ' + term;
}

QString filterTermText(const QString& field, const QString& value)
{
    static const QRegularExpression plain(u"\\A[\\w.@/+-]+\\z"_s,
                                          QRegularExpression::UseUnicodePropertiesOption);
    if (plain.match(value).hasMatch())
        return field + u':' + value;
    QString quoted = value;
    quoted.replace(u'\\', u"\\\\"_s).replace(u'"', u"\\\""_s);
    return field + u":\""_s + quoted + u'"';
}

QString filterTimeText(const QString& field, qint64 ms)
{
    const QDateTime time = QDateTime::fromMSecsSinceEpoch(ms, Qt::UTC);
    const bool whole = ms % 60'000 == 0;
    return field + u':' +
           time.toString(whole ? u"yyyy-MM-dd'T'HH:mm'Z'"_s : u"yyyy-MM-dd'T'HH:mm:ss.zzz'Z'"_s);
}

std::optional<FilterTerm> requiredTerm(const FilterNode& root, FilterField field)
{
    if (root.kind == FilterNode::Term && root.term.field == field)
        return root.term;
    if (root.kind == FilterNode::And)
        for (const FilterNode& part : root.parts)
            if (const auto term = requiredTerm(part, field))
                return term;
    return std::nullopt;
}

} // namespace redrive
