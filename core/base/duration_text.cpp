#include "core/base/duration_text.h"

#include <cmath>

namespace redrive {

namespace {

constexpr double kMaxDurationMs = 1e15; // far beyond any time, within exact numbers

} // namespace

std::optional<qint64> durationMs(QStringView text)
{
    if (text.size() < 2)
        return std::nullopt;
    double unit = 0;
    switch (text.back().unicode()) {
    case u's':
        unit = 1'000;
        break;
    case u'm':
        unit = 60'000;
        break;
    case u'h':
        unit = 3'600'000;
        break;
    case u'd':
        unit = 86'400'000;
        break;
    default:
        return std::nullopt;
    }
    const QStringView digits = text.chopped(1);
    for (const QChar c : digits) {
        if ((c < u'0' || c > u'9') && c != u'.')
            return std::nullopt;
    }
    bool isNumber = false;
    const double value = digits.toDouble(&isNumber) * unit;
    if (!isNumber || value > kMaxDurationMs)
        return std::nullopt;
    return qint64(std::llround(value));
}

} // namespace redrive
