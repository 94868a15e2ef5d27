// Bytes of HTTP/1.1 heads (RFC 9110, 9112).
#pragma once

#include <QByteArrayView>

#include <algorithm>
#include <array>

namespace redrive::http {

constexpr std::array<bool, 256> kTokenChars = [] {
    std::array<bool, 256> table{};
    for (int c = '0'; c <= '9'; ++c)
        table[std::size_t(c)] = true;
    for (int c = 'a'; c <= 'z'; ++c)
        table[std::size_t(c)] = table[std::size_t(c - 'a' + 'A')] = true;
    for (const char c : {'!', '#', '$', '%', '&', '\'', '*', '+', '-', '.', '^', '_', '`', '|', '~'})
        table[std::size_t(c)] = true;
    return table;
}();

inline bool isToken(QByteArrayView text)
{
    return !text.isEmpty() && std::all_of(text.begin(), text.end(),
                                          [](char c) { return kTokenChars[static_cast<unsigned char>(c)]; });
}

// Field values: visible characters, bytes above 7F, blanks and tabs.
inline bool isFieldValue(QByteArrayView text)
{
    return std::all_of(text.begin(), text.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte == '\t' || (byte >= 0x20 && byte != 0x7F);
    });
}

inline bool isTarget(QByteArrayView text)
{
    return !text.isEmpty() && std::all_of(text.begin(), text.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte > 0x20 && byte != 0x7F;
    });
}

inline QByteArrayView trimmed(QByteArrayView text)
{
    while (!text.isEmpty() && (text.front() == ' ' || text.front() == '\t'))
        text = text.sliced(1);
    while (!text.isEmpty() && (text.back() == ' ' || text.back() == '\t'))
        text = text.chopped(1);
    return text;
}

} // namespace redrive::http
