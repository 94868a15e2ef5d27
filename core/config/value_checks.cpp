#include "core/config/value_checks.h"

#include "core/base/result.h"

#include <algorithm>
#include <cmath>

namespace redrive {

namespace {

constexpr qsizetype longestName = 255;

void wrongType(const ConfigValue& value, const QString& expected, Diagnostics& out)
{
    out.error(value, u"must be %1, not %2"_s.arg(expected, value.kindName()));
}

bool isNumber(const ConfigValue& value)
{
    return value.kind == ConfigValue::Kind::Integer || value.kind == ConfigValue::Kind::Float;
}

double asDouble(const ConfigValue& value)
{
    return value.kind == ConfigValue::Kind::Integer ? static_cast<double>(value.integer) : value.number;
}

QString shown(const ConfigValue& value)
{
    return value.kind == ConfigValue::Kind::Integer ? QString::number(value.integer)
                                                    : QString::number(value.number, 'g', 15);
}

QString rangeText(double min, double max, const QString& unit)
{
    const QString range = QString::number(min, 'g', 15) + u" to "_s + QString::number(max, 'g', 15);
    return unit.isEmpty() ? range : range + u' ' + unit;
}

} // namespace

bool isFraction(const ConfigValue& value)
{
    return value.kind == ConfigValue::Kind::Float && std::floor(value.number) != value.number;
}

bool isCleanText(const QString& text)
{
    return !text.isEmpty() && std::none_of(text.begin(), text.end(), [](QChar c) {
        return c.category() == QChar::Other_Control || c.category() == QChar::Separator_Line ||
               c.category() == QChar::Separator_Paragraph;
    });
}

std::optional<QString> readText(const ConfigValue& value, Diagnostics& out)
{
    if (!value.isString()) {
        wrongType(value, u"text"_s, out);
        return {};
    }
    if (!isCleanText(value.string)) {
        out.error(value, value.string.isEmpty() ? u"is empty, text is needed"_s
                                                : u"holds control characters, one line of text is allowed"_s);
        return {};
    }
    return value.string;
}

std::optional<QString> readName(const ConfigValue& value, Diagnostics& out)
{
    auto text = readText(value, out);
    if (text && text->size() > longestName) {
        out.error(value,
                  u"is %1 characters long, a name has at most %2"_s.arg(text->size()).arg(longestName));
        return {};
    }
    return text;
}

std::optional<bool> readBool(const ConfigValue& value, Diagnostics& out)
{
    if (value.kind != ConfigValue::Kind::Bool) {
        wrongType(value, u"true or false"_s, out);
        return {};
    }
    return value.boolean;
}

std::optional<qint64> readInteger(const ConfigValue& value, qint64 min, qint64 max, const QString& unit,
                                  Diagnostics& out)
{
    const QString allowed = rangeText(static_cast<double>(min), static_cast<double>(max), unit);
    if (!isNumber(value) || isFraction(value)) {
        wrongType(value, u"an integer from "_s + allowed, out);
        return {};
    }
    const double number = asDouble(value);
    if (!(number >= static_cast<double>(min) && number <= static_cast<double>(max))) {
        out.error(value, u"%1 is out of range, allowed are %2"_s.arg(shown(value), allowed));
        return {};
    }
    return value.kind == ConfigValue::Kind::Integer ? value.integer : static_cast<qint64>(value.number);
}

std::optional<double> readNumber(const ConfigValue& value, double min, double max, const QString& unit,
                                 Diagnostics& out)
{
    const QString allowed = rangeText(min, max, unit);
    if (!isNumber(value)) {
        wrongType(value, u"a number from "_s + allowed, out);
        return {};
    }
    const double number = asDouble(value);
    if (!(number >= min && number <= max)) {
        out.error(value, u"%1 is out of range, allowed are %2"_s.arg(shown(value), allowed));
        return {};
    }
    return number;
}

std::optional<qint64> readSeconds(const ConfigValue& value, qint64 minSeconds, qint64 maxSeconds,
                                  Diagnostics& out)
{
    const auto seconds = readNumber(value, static_cast<double>(minSeconds), static_cast<double>(maxSeconds),
                                    u"seconds"_s, out);
    if (!seconds)
        return {};
    return qRound64(*seconds * 1'000);
}

std::optional<qint64> readWholeSeconds(const ConfigValue& value, qint64 minSeconds, qint64 maxSeconds,
                                       Diagnostics& out)
{
    const auto seconds = readInteger(value, minSeconds, maxSeconds, u"seconds"_s, out);
    if (!seconds)
        return {};
    return *seconds * 1'000;
}

std::optional<QStringList> readTexts(const ConfigValue& value, Diagnostics& out)
{
    if (!expectArray(value, u"texts"_s, out))
        return {};
    QStringList texts;
    bool good = true;
    for (const ConfigValue& item : value.items) {
        if (const auto text = readText(item, out))
            texts.append(*text);
        else
            good = false;
    }
    if (!good)
        return {};
    return texts;
}

bool expectTable(const ConfigValue& value, Diagnostics& out)
{
    if (!value.isTable())
        wrongType(value, u"a table"_s, out);
    return value.isTable();
}

bool expectArray(const ConfigValue& value, const QString& ofWhat, Diagnostics& out)
{
    if (!value.isArray())
        wrongType(value, u"an array of "_s + ofWhat, out);
    return value.isArray();
}

} // namespace redrive
