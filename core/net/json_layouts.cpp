#include "core/net/json_layouts.h"

#include "core/base/json_gate.h"
#include "core/base/json_slice.h"
#include "core/base/json_text.h"
#include "core/base/result.h"

#include <algorithm>

namespace redrive {

namespace {

constexpr qsizetype kMostBytes = 256 * 1024;

enum class Strings { AsWritten, Plain, AsciiOnly, AsciiAndSlashes };

struct Style
{
    QString words;
    QByteArray colon = ":";
    QByteArray comma = ",";
    int indent = 0; // 0: on one line
};

void appendEscaped(QByteArray& out, char16_t unit)
{
    out += "\\u" + QByteArray::number(unit, 16).rightJustified(4, '0');
}

// As Python and PHP write it.
QByteArray asciiOnly(const QByteArray& quoted, bool escapeSlashes)
{
    QByteArray out;
    for (const QChar unit : QString::fromUtf8(quoted)) {
        if (unit.unicode() > 0x7e)
            appendEscaped(out, unit.unicode());
        else if (unit == u'/' && escapeSlashes)
            out += "\\/";
        else
            out += unit.toLatin1();
    }
    return out;
}

QByteArray stringText(const JsonSlice& value, Strings strings)
{
    if (strings == Strings::AsWritten)
        return value.bytes();
    QByteArray plain;
    appendJsonString(plain, QByteArrayView(value.toUtf8().value_or(QByteArray())));
    return strings == Strings::Plain ? plain : asciiOnly(plain, strings == Strings::AsciiAndSlashes);
}

class Writer final
{
public:
    Writer(Style style, Strings strings, bool sortsKeys)
        : m_style(std::move(style)), m_strings(strings), m_sortsKeys(sortsKeys)
    {
    }

    QByteArray write(const JsonSlice& value)
    {
        m_out.clear();
        append(value, 0);
        return m_out;
    }

private:
    void breakLine(int depth)
    {
        if (m_style.indent > 0)
            m_out += '\n' + QByteArray(m_style.indent * depth, ' ');
    }

    void append(const JsonSlice& value, int depth) // the gate allows 64 levels
    {
        if (value.isObject())
            appendObject(value, depth);
        else if (value.isArray())
            appendArray(value, depth);
        else
            m_out += value.isString() ? stringText(value, m_strings) : value.bytes();
    }

    void appendObject(const JsonSlice& object, int depth)
    {
        QList<std::pair<QByteArray, JsonSlice>> members;
        for (JsonMembers at(object); at.next();)
            members.append({at.key(), at.value()});
        if (m_sortsKeys)
            std::stable_sort(members.begin(), members.end(),
                             [](const auto& a, const auto& b) { return a.first < b.first; });
        m_out += '{';
        for (qsizetype i = 0; i < members.size(); ++i) {
            if (i > 0)
                m_out += m_style.comma;
            breakLine(depth + 1);
            QByteArray key;
            appendJsonString(key, QByteArrayView(members[i].first));
            const bool ascii = m_strings == Strings::AsciiOnly || m_strings == Strings::AsciiAndSlashes;
            m_out += ascii ? asciiOnly(key, m_strings == Strings::AsciiAndSlashes) : key;
            m_out += m_style.colon;
            append(members[i].second, depth + 1);
        }
        if (!members.isEmpty())
            breakLine(depth);
        m_out += '}';
    }

    void appendArray(const JsonSlice& array, int depth)
    {
        m_out += '[';
        bool first = true;
        for (JsonElements at(array); at.next(); first = false) {
            if (!first)
                m_out += m_style.comma;
            breakLine(depth + 1);
            append(at.value(), depth + 1);
        }
        if (!first)
            breakLine(depth);
        m_out += ']';
    }

    const Style m_style;
    const Strings m_strings;
    const bool m_sortsKeys;
    QByteArray m_out;
};

QString stringWords(Strings strings)
{
    switch (strings) {
    case Strings::AsWritten:
        break;
    case Strings::Plain:
        return u", without escapes that are not needed"_s;
    case Strings::AsciiOnly:
        return u", with everything beyond ASCII escaped"_s;
    case Strings::AsciiAndSlashes:
        return u", with everything beyond ASCII and each slash escaped"_s;
    }
    return {};
}

} // namespace

QList<JsonLayout> jsonLayouts(const QByteArray& json)
{
    if (json.size() > kMostBytes || checkJson(json))
        return {};
    const QList<Style> styles{{u"without white space"_s},
                              {u"with a space after each comma and colon"_s, ": ", ", "},
                              {u"indented by 2"_s, ": ", ",", 2},
                              {u"indented by 4"_s, ": ", ",", 4}};
    QList<JsonLayout> layouts;
    const JsonSlice value{QByteArrayView(json)};
    for (const bool sorted : {false, true})
        for (const Strings strings :
             {Strings::AsWritten, Strings::Plain, Strings::AsciiOnly, Strings::AsciiAndSlashes})
            for (const Style& style : styles) {
                const QByteArray text = Writer(style, strings, sorted).write(value);
                const bool known = text == json || std::any_of(layouts.begin(), layouts.end(),
                                                               [&](const auto& l) { return l.text == text; });
                if (!known)
                    layouts.append(
                        {style.words + stringWords(strings) + (sorted ? u", its keys sorted"_s : QString()),
                         text});
            }
    return layouts;
}

} // namespace redrive
