#include "core/base/json_scanner.h"

#include "core/base/json_chars.h"

#include <QChar>

namespace redrive {

bool JsonScanner::string()
{
    const char* const start = ++m_at;
    m_escaped = false;
    for (;;) {
        while (m_at < m_end && json::isPlain(*m_at))
            ++m_at;
        if (m_at == m_end)
            return unexpected("a string does not end");
        const auto c = static_cast<unsigned char>(*m_at);
        if (c == '"') {
            m_string = QByteArrayView(start, m_at - start);
            ++m_at;
            return true;
        }
        if (c == '\\') {
            m_escaped = true;
            if (!escape())
                return false;
        } else if (c < 0x20) {
            return unexpected("a control character in a string must be escaped");
        } else {
            const int length = json::utf8Length(m_at, m_end);
            if (length == 0)
                return fault(JsonProblem::InvalidUtf8, m_at);
            m_at += length;
        }
    }
}

bool JsonScanner::escape()
{
    const char* const backslash = m_at++;
    if (m_at == m_end)
        return unexpected("a string does not end");
    if (*m_at != 'u') {
        if (!json::isShortEscape(*m_at))
            return unexpected("this escape does not exist");
        ++m_at;
        return true;
    }
    char16_t unit = 0;
    if (!hex4(++m_at, unit))
        return false;
    if (unit == 0)
        return fault(JsonProblem::NulCharacter, backslash);
    if (QChar::isLowSurrogate(unit))
        return fault(JsonProblem::UnpairedSurrogate, backslash);
    if (!QChar::isHighSurrogate(unit))
        return true;
    char16_t low = 0;
    if (m_end - m_at < 2 || m_at[0] != '\\' || m_at[1] != 'u')
        return fault(JsonProblem::UnpairedSurrogate, backslash);
    if (!hex4(m_at + 2, low))
        return false;
    return QChar::isLowSurrogate(low) || fault(JsonProblem::UnpairedSurrogate, backslash);
}

bool JsonScanner::hex4(const char* at, char16_t& unit)
{
    unit = 0;
    for (m_at = at; m_at < at + 4; ++m_at) {
        const int digit = m_at < m_end ? json::hexValue(*m_at) : -1;
        if (digit < 0)
            return unexpected("four hexadecimal digits were expected");
        unit = char16_t(unit << 4 | digit);
    }
    return true;
}

bool JsonScanner::number()
{
    if (*m_at == '-')
        ++m_at;
    if (m_at < m_end && *m_at == '0') {
        ++m_at;
        if (m_at < m_end && json::isDigit(*m_at))
            return unexpected("a number must not start with 0");
    } else if (!digits("a digit was expected")) {
        return false;
    }
    if (m_at < m_end && *m_at == '.') {
        ++m_at;
        if (!digits("a digit was expected after the point"))
            return false;
    }
    if (m_at < m_end && (*m_at == 'e' || *m_at == 'E')) {
        ++m_at;
        if (m_at < m_end && (*m_at == '+' || *m_at == '-'))
            ++m_at;
        return digits("a digit was expected in the exponent");
    }
    return true;
}

bool JsonScanner::digits(const char* what)
{
    if (m_at == m_end || !json::isDigit(*m_at))
        return unexpected(what);
    while (m_at < m_end && json::isDigit(*m_at))
        ++m_at;
    return true;
}

bool JsonScanner::literal(QByteArrayView word)
{
    for (const char c : word) {
        if (m_at == m_end || *m_at != c)
            return unexpected("a value was expected");
        ++m_at;
    }
    return true;
}

bool JsonScanner::fault(JsonProblem problem, const char* at, const char* what)
{
    m_problem = problem;
    m_faultAt = at;
    m_what = what;
    return false;
}

bool JsonScanner::unexpected(const char* what)
{
    if (m_begin == m_end)
        what = "the text is empty";
    else if (m_at < m_end && *m_at == 0)
        return fault(JsonProblem::NulCharacter, m_at);
    else if (m_at < m_end && static_cast<unsigned char>(*m_at) >= 0x80 && !json::utf8Length(m_at, m_end))
        return fault(JsonProblem::InvalidUtf8, m_at);
    return fault(JsonProblem::InvalidJson, m_at, what);
}

} // namespace redrive
