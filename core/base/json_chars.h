// Bytes of JSON text. Any thread.
#pragma once

#include <array>

namespace redrive::json {

// Printable ASCII that stands for itself inside a string.
constexpr std::array<bool, 256> kPlain = [] {
    std::array<bool, 256> table{};
    for (int c = 0x20; c < 0x80; ++c)
        table[std::size_t(c)] = c != '"' && c != '\\';
    return table;
}();

inline bool isPlain(char c)
{
    return kPlain[static_cast<unsigned char>(c)];
}

inline bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

inline bool isSpace(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

inline bool isShortEscape(char c)
{
    return c == '"' || c == '\\' || c == '/' || c == 'b' || c == 'f' || c == 'n' || c == 'r' || c == 't';
}

inline int hexValue(char c)
{
    if (isDigit(c))
        return c - '0';
    const char lower = char(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// Bytes of the well-formed UTF-8 sequence at `at` (Unicode, table 3-7), or 0: overlong forms, surrogates,
// code points above U+10FFFF, stray and missing continuation bytes.
int utf8Length(const char* at, const char* end);

// Nothing but well-formed sequences, and no NUL.
bool isText(const char* at, const char* end);

} // namespace redrive::json
