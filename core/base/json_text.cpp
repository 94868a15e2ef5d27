#include "core/base/json_text.h"

#include "core/base/json_chars.h"

#include <QString>

namespace redrive {

namespace {

void appendUtf8(QByteArray& out, char32_t code)
{
    if (code < 0x80) {
        out += char(code);
    } else if (code < 0x800) {
        out += char(0xC0 | code >> 6);
        out += char(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
        out += char(0xE0 | code >> 12);
        out += char(0x80 | (code >> 6 & 0x3F));
        out += char(0x80 | (code & 0x3F));
    } else {
        out += char(0xF0 | code >> 18);
        out += char(0x80 | (code >> 12 & 0x3F));
        out += char(0x80 | (code >> 6 & 0x3F));
        out += char(0x80 | (code & 0x3F));
    }
}

// The unit after `\u`, or -1.
int hexUnit(const char* at, const char* end)
{
    if (end - at < 4)
        return -1;
    int unit = 0;
    for (int i = 0; i < 4; ++i) {
        const int digit = json::hexValue(at[i]);
        if (digit < 0)
            return -1;
        unit = unit << 4 | digit;
    }
    return unit;
}

char shortEscape(char c)
{
    switch (c) {
    case 'b':
        return '\b';
    case 'f':
        return '\f';
    case 'n':
        return '\n';
    case 'r':
        return '\r';
    case 't':
        return '\t';
    default:
        return c;
    }
}

} // namespace

QByteArray decodeJsonString(QByteArrayView inner)
{
    QByteArray out;
    out.reserve(inner.size());
    const char* at = inner.data();
    const char* const end = at + inner.size();
    while (at < end) {
        if (*at != '\\' || at + 1 == end) {
            out += *at++;
            continue;
        }
        if (at[1] != 'u') {
            out += shortEscape(at[1]);
            at += 2;
            continue;
        }
        const int unit = hexUnit(at + 2, end);
        if (unit < 0)
            break;
        at += 6;
        char32_t code = char32_t(unit);
        if (QChar::isHighSurrogate(code) && end - at >= 6 && at[0] == '\\' && at[1] == 'u') {
            const int low = hexUnit(at + 2, end);
            if (low >= 0 && QChar::isLowSurrogate(char32_t(low))) {
                code = QChar::surrogateToUcs4(char16_t(unit), char16_t(low));
                at += 6;
            }
        }
        appendUtf8(out, QChar::isSurrogate(code) ? char32_t(0xFFFD) : code);
    }
    return out;
}

void appendJsonString(QByteArray& out, QByteArrayView utf8)
{
    out += '"';
    for (const char c : utf8) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (byte < 0x20 || byte == 0x7F) {
            out += "\\u00";
            out += "0123456789abcdef"[byte >> 4];
            out += "0123456789abcdef"[byte & 0xF];
        } else {
            out += c;
        }
    }
    out += '"';
}

void appendJsonString(QByteArray& out, QStringView text)
{
    // An unpaired surrogate leaves toUtf8() as '?': mark it as what it is.
    QString clean;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const bool pair = text[i].isHighSurrogate() && i + 1 < text.size() && text[i + 1].isLowSurrogate();
        if (pair)
            ++i;
        else if (text[i].isSurrogate()) {
            if (clean.isNull())
                clean = text.toString();
            clean[i] = QChar::ReplacementCharacter;
        }
    }
    const QByteArray utf8 = clean.isNull() ? text.toUtf8() : clean.toUtf8();
    appendJsonString(out, QByteArrayView(utf8));
}

} // namespace redrive
