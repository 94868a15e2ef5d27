#include "core/base/json_chars.h"

namespace redrive::json {

namespace {
bool within(const char* at, const char* end, unsigned low, unsigned high)
{
    return at < end && static_cast<unsigned char>(*at) >= low && static_cast<unsigned char>(*at) <= high;
}
} // namespace

int utf8Length(const char* at, const char* end)
{
    if (at == end)
        return 0;
    const auto first = static_cast<unsigned char>(*at);
    if (first < 0x80)
        return 1;
    if (first >= 0xC2 && first <= 0xDF)
        return within(at + 1, end, 0x80, 0xBF) ? 2 : 0;
    if (first >= 0xE0 && first <= 0xEF) {
        const unsigned low = first == 0xE0 ? 0xA0 : 0x80;
        const unsigned high = first == 0xED ? 0x9F : 0xBF;
        return within(at + 1, end, low, high) && within(at + 2, end, 0x80, 0xBF) ? 3 : 0;
    }
    if (first >= 0xF0 && first <= 0xF4) {
        const unsigned low = first == 0xF0 ? 0x90 : 0x80;
        const unsigned high = first == 0xF4 ? 0x8F : 0xBF;
        return within(at + 1, end, low, high) && within(at + 2, end, 0x80, 0xBF) &&
                       within(at + 3, end, 0x80, 0xBF)
                   ? 4
                   : 0;
    }
    return 0;
}

bool isText(const char* at, const char* end)
{
    while (at < end) {
        const int length = *at == 0 ? 0 : utf8Length(at, end);
        if (length == 0)
            return false;
        at += length;
    }
    return true;
}

} // namespace redrive::json
