#include "core/base/json_slice.h"

#include "core/base/json_chars.h"
#include "core/base/json_text.h"

#include <QStringDecoder>

#include <charconv>
#include <cmath>

namespace redrive {

namespace {

const char* skipSpace(const char* at, const char* end)
{
    while (at < end && json::isSpace(*at))
        ++at;
    return at;
}

// Past the closing quote of the string that starts at `at`, or `end`.
const char* skipString(const char* at, const char* end)
{
    for (++at; at < end; ++at) {
        if (*at == '"')
            return at + 1;
        if (*at == '\\' && at + 1 < end)
            ++at;
    }
    return end;
}

const char* skipScalar(const char* at, const char* end)
{
    while (at < end && *at != ',' && *at != ']' && *at != '}' && *at != ':' && !json::isSpace(*at))
        ++at;
    return at;
}

// Past the value that starts at `at`.
const char* skipValue(const char* at, const char* end)
{
    if (at == end)
        return end;
    if (*at == '"')
        return skipString(at, end);
    if (*at != '{' && *at != '[')
        return skipScalar(at, end);
    qsizetype depth = 0;
    while (at < end) {
        const char c = *at;
        if (c == '"') {
            at = skipString(at, end);
            continue;
        }
        ++at;
        if (c == '{' || c == '[')
            ++depth;
        else if ((c == '}' || c == ']') && --depth == 0)
            return at;
    }
    return end;
}

QByteArrayView inner(QByteArrayView text)
{
    return text.size() < 2 ? QByteArrayView() : text.sliced(1, text.size() - 2);
}

} // namespace

JsonSlice::JsonSlice(QByteArrayView text)
{
    const char* const end = text.data() + text.size();
    const char* const start = skipSpace(text.data(), end);
    m_text = QByteArrayView(start, skipValue(start, end) - start);
}

JsonType JsonSlice::type() const
{
    if (m_text.isEmpty())
        return JsonType::Missing;
    switch (m_text.front()) {
    case '{':
        return JsonType::Object;
    case '[':
        return JsonType::Array;
    case '"':
        return JsonType::String;
    case 't':
    case 'f':
        return JsonType::Bool;
    case 'n':
        return JsonType::Null;
    default:
        return JsonType::Number;
    }
}

JsonSlice JsonSlice::member(QByteArrayView key) const
{
    JsonSlice found;
    JsonMembers members(*this);
    while (members.next()) {
        if (members.keyIs(key))
            found = members.value();
    }
    return found;
}

JsonSlice JsonSlice::element(qsizetype index) const
{
    JsonElements elements(*this);
    while (elements.next()) {
        if (elements.index() == index)
            return elements.value();
    }
    return {};
}

std::optional<QString> JsonSlice::toText() const
{
    const auto utf8 = toUtf8();
    if (!utf8)
        return std::nullopt;
    // Otherwise a U+FEFF at the beginning would be taken for a byte order mark, and go.
    QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::ConvertInitialBom);
    return QString(decoder(*utf8));
}

std::optional<QByteArray> JsonSlice::toUtf8() const
{
    return isString() ? std::optional(decodeJsonString(inner(m_text))) : std::nullopt;
}

std::optional<bool> JsonSlice::toBool() const
{
    return type() == JsonType::Bool ? std::optional(m_text.front() == 't') : std::nullopt;
}

std::optional<double> JsonSlice::toDouble() const
{
    if (type() != JsonType::Number)
        return std::nullopt;
    double value = 0;
    const auto [end, error] = std::from_chars(m_text.begin(), m_text.end(), value);
    return error == std::errc() && end == m_text.end() ? std::optional(value) : std::nullopt;
}

std::optional<qint64> JsonSlice::toInteger() const
{
    if (type() != JsonType::Number)
        return std::nullopt;
    bool ok = false;
    const qint64 whole = m_text.toByteArray().toLongLong(&ok);
    if (ok)
        return whole;
    if (!m_text.contains('.') && !m_text.contains('e') && !m_text.contains('E'))
        return std::nullopt;
    const auto value = toDouble();
    constexpr double kExact = 9007199254740992.0; // beyond it a double has gaps
    if (!value || std::abs(*value) > kExact || std::trunc(*value) != *value)
        return std::nullopt;
    return qint64(*value);
}

JsonMembers::JsonMembers(const JsonSlice& object)
{
    if (object.isObject()) {
        m_at = object.text().data() + 1;
        m_end = object.text().data() + object.text().size();
    }
}

bool JsonMembers::next()
{
    m_at = skipSpace(m_at, m_end);
    if (m_at < m_end && *m_at == ',')
        m_at = skipSpace(m_at + 1, m_end);
    if (m_at == m_end || *m_at != '"')
        return false;
    const char* const key = m_at;
    m_at = skipString(key, m_end);
    m_key = inner(QByteArrayView(key, m_at - key));
    m_at = skipSpace(m_at, m_end);
    if (m_at == m_end || *m_at != ':')
        return false;
    const char* const start = skipSpace(m_at + 1, m_end);
    m_at = skipValue(start, m_end);
    m_value = JsonSlice(QByteArrayView(start, m_at - start));
    return m_value.exists();
}

bool JsonMembers::keyIs(QByteArrayView utf8) const
{
    return m_key.contains('\\') ? key() == utf8 : m_key == utf8;
}

QByteArray JsonMembers::key() const
{
    return decodeJsonString(m_key);
}

JsonElements::JsonElements(const JsonSlice& array)
{
    if (array.isArray()) {
        m_at = array.text().data() + 1;
        m_end = array.text().data() + array.text().size();
    }
}

bool JsonElements::next()
{
    m_at = skipSpace(m_at, m_end);
    if (m_at < m_end && *m_at == ',')
        m_at = skipSpace(m_at + 1, m_end);
    if (m_at == m_end || *m_at == ']')
        return false;
    const char* const start = m_at;
    m_at = skipValue(start, m_end);
    if (m_at == start)
        return false;
    m_value = JsonSlice(QByteArrayView(start, m_at - start));
    ++m_index;
    return true;
}

} // namespace redrive
