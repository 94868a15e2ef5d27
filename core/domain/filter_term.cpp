#include "core/domain/filter_term.h"

#include "core/base/duration_text.h"

#include <QDateTime>
#include <QStringList>

#include <algorithm>
#include <array>
#include <cmath>

namespace redrive {

namespace {

struct FieldName
{
    const char16_t* name;
    FilterField field;
};

constexpr std::array<FieldName, 17> kFields{{{u"status", FilterField::State},
                                             {u"type", FilterField::Type},
                                             {u"queue", FilterField::Queue},
                                             {u"endpoint", FilterField::Endpoint},
                                             {u"error", FilterField::Error},
                                             {u"id", FilterField::Id},
                                             {u"attempt", FilterField::Attempt},
                                             {u"age", FilterField::Age},
                                             {u"next", FilterField::Next},
                                             {u"redrive", FilterField::Redrive},
                                             {u"by", FilterField::Actor},
                                             {u"kind", FilterField::Kind},
                                             {u"since", FilterField::Since},
                                             {u"until", FilterField::Until},
                                             {u"tenant", FilterField::Tenant},
                                             {u"source", FilterField::Source},
                                             {u"payload", FilterField::Payload}}};

constexpr qint64 kMaxAttempt = 1'000'000'000;

tl::unexpected<FilterFault> valueFault(const FilterToken& token, const QString& message)
{
    const qsizetype skipped = token.valuePosition - token.position;
    return tl::unexpected(FilterFault{message, token.valuePosition, token.length - skipped});
}

// The relation a value begins with; the rest stays in `value`.
FilterRelation takeRelation(QStringView& value, FilterRelation otherwise)
{
    constexpr std::array<std::pair<QStringView, FilterRelation>, 5> kRelations{{
        {u">=", FilterRelation::AtLeast},
        {u"<=", FilterRelation::AtMost},
        {u">", FilterRelation::Above},
        {u"<", FilterRelation::Below},
        {u"=", FilterRelation::Is},
    }};
    for (const auto& [sign, relation] : kRelations) {
        if (value.startsWith(sign)) {
            value = value.mid(sign.size());
            return relation;
        }
    }
    return otherwise;
}

tl::expected<FilterTerm, FilterFault> durationTerm(const FilterToken& token, FilterField field)
{
    FilterTerm term;
    term.field = field;
    QStringView value = token.text;
    // "age:1h" means older, "next:5m" means within.
    term.relation =
        takeRelation(value, field == FilterField::Age ? FilterRelation::Above : FilterRelation::Below);
    const auto ms = durationMs(value);
    if (!ms)
        return valueFault(token, u"'%1' is not a duration (use 90s, 5m, 2h, 7d)."_s.arg(value));
    term.number = *ms;
    return term;
}

tl::expected<FilterTerm, FilterFault> countTerm(const FilterToken& token)
{
    FilterTerm term;
    term.field = FilterField::Attempt;
    QStringView value = token.text;
    term.relation = takeRelation(value, FilterRelation::Is);
    bool isNumber = false;
    term.number = value.toLongLong(&isNumber);
    if (!isNumber || term.number < 0 || term.number > kMaxAttempt)
        return valueFault(token, u"'%1' is not a number (use 3, >3 or <=3)."_s.arg(value));
    return term;
}

// The number of a redrive, and after a slash what became of its items.
tl::expected<FilterTerm, FilterFault> redriveTerm(const FilterToken& token)
{
    static const QStringList outcomes{u"queued"_s,    u"refused"_s, u"waiting"_s,
                                      u"succeeded"_s, u"failed"_s,  u"gone"_s};
    FilterTerm term;
    term.field = FilterField::Redrive;
    const qsizetype slash = token.text.indexOf(u'/');
    bool isNumber = false;
    term.number = QStringView(token.text).left(slash < 0 ? token.text.size() : slash).toLongLong(&isNumber);
    if (!isNumber || term.number <= 0)
        return valueFault(token,
                          u"'%1' is not the number of a redrive (use 88 or 88/failed)."_s.arg(token.text));
    if (slash < 0)
        return term;
    term.text = token.text.mid(slash + 1).toLower();
    if (!outcomes.contains(term.text))
        return valueFault(token,
                          u"'%1' is not an outcome (use %2)."_s.arg(term.text, outcomes.join(u", "_s)));
    return term;
}

// A time without a zone is UTC.
tl::expected<FilterTerm, FilterFault> timeTerm(const FilterToken& token, FilterField field)
{
    QDateTime time = QDateTime::fromString(token.text.toUpper(), Qt::ISODateWithMs);
    if (!time.isValid())
        return valueFault(token, u"'%1' is not a time (use 2031-05-02T14:05Z)."_s.arg(token.text));
    if (time.timeSpec() == Qt::LocalTime)
        time.setTimeSpec(Qt::UTC);
    FilterTerm term;
    term.field = field;
    term.number = time.toMSecsSinceEpoch();
    return term;
}

bool takesStars(FilterField field)
{
    return field != FilterField::Words && field != FilterField::State && field != FilterField::Kind;
}

tl::expected<FilterTerm, FilterFault> textTerm(const FilterToken& token, FilterField field)
{
    FilterTerm term;
    term.field = field;
    QStringView value = token.text;
    if (takesStars(field) && !token.quoted) {
        while (value.startsWith(u'*')) {
            term.anyStart = true;
            value = value.mid(1);
        }
        while (value.endsWith(u'*')) {
            term.anyEnd = true;
            value.chop(1);
        }
    }
    term.text = value.toString();
    term.path = token.path;
    return term;
}

tl::expected<FilterTerm, FilterFault> payloadTerm(const FilterToken& token)
{
    const QStringList keys = token.path.split(u'.');
    if (std::any_of(keys.begin(), keys.end(), [](const QString& key) { return key.isEmpty(); }))
        return tl::unexpected(FilterFault{u"'payload' needs a place (use payload.user.id:42)."_s,
                                          token.position, token.valuePosition - token.position});
    QStringView value = token.text;
    const bool compares = !token.quoted && (value.startsWith(u'<') || value.startsWith(u'>'));
    if (!compares)
        return textTerm(token, FilterField::Payload);
    FilterTerm term;
    term.field = FilterField::Payload;
    term.path = token.path;
    term.relation = takeRelation(value, FilterRelation::Is);
    bool isNumber = false;
    if (!std::isfinite(value.toDouble(&isNumber)) || !isNumber)
        return valueFault(token,
                          u"'%1' is not a number (use >10 or <=0.5; put text in quotes)."_s.arg(value));
    term.text = value.toString();
    return term;
}

} // namespace

QStringList filterFieldNames()
{
    QStringList names;
    for (const FieldName& field : kFields)
        names.append(QString::fromUtf16(field.name));
    return names;
}

tl::expected<FilterTerm, FilterFault> filterTerm(const FilterToken& token)
{
    if (token.field.isEmpty())
        return textTerm(token, FilterField::Words);
    const auto known = std::find_if(kFields.begin(), kFields.end(), [&token](const FieldName& field) {
        return token.field == QStringView(field.name);
    });
    if (known == kFields.end())
        return tl::unexpected(
            FilterFault{u"'%1:' is not a field (use status, type, queue, endpoint, error, "
                        u"id, attempt, age, next, redrive, by, kind, since, until, tenant, source "
                        u"or payload.…; put text with a colon in quotes)."_s.arg(token.field),
                        token.position, token.valuePosition - token.position});
    if (token.text.isEmpty() && !token.quoted)
        return tl::unexpected(
            FilterFault{u"'%1:' needs a value."_s.arg(token.field), token.position, token.length});
    switch (known->field) {
    case FilterField::Attempt:
        return countTerm(token);
    case FilterField::Age:
    case FilterField::Next:
        return durationTerm(token, known->field);
    case FilterField::Redrive:
        return redriveTerm(token);
    case FilterField::Since:
    case FilterField::Until:
        return timeTerm(token, known->field);
    case FilterField::Payload:
        return payloadTerm(token);
    default:
        return textTerm(token, known->field);
    }
}

} // namespace redrive
