#include "core/base/ids.h"

#include <QRandomGenerator>

#include <mutex>

namespace redrive {

namespace {

struct Sequence
{
    std::mutex mutex; // guards the rest
    quint64 lastMs = 0;
    quint32 counter = 0;
};

Sequence& sequence()
{
    static Sequence s;
    return s;
}

void writeHex(char16_t*& out, quint64 value, int digits)
{
    for (int shift = (digits - 1) * 4; shift >= 0; shift -= 4)
        *out++ = u"0123456789abcdef"[(value >> shift) & 0xf];
}

} // namespace

QString newId(qint64 wallMs)
{
    quint64 ms = 0;
    quint32 counter = 0;
    {
        Sequence& s = sequence();
        std::lock_guard lock(s.mutex);
        ms = quint64(std::max<qint64>(wallMs, 0)) & 0xffff'ffff'ffffULL;
        if (ms > s.lastMs) {
            s.lastMs = ms;
            s.counter = 0;
        } else if (++s.counter > 0xfff) {
            ++s.lastMs;
            s.counter = 0;
        }
        ms = s.lastMs;
        counter = s.counter;
    }
    const quint64 random = QRandomGenerator::global()->generate64();
    QString text(36, Qt::Uninitialized);
    auto* out = reinterpret_cast<char16_t*>(text.data());
    writeHex(out, ms >> 16, 8);
    *out++ = u'-';
    writeHex(out, ms & 0xffff, 4);
    *out++ = u'-';
    writeHex(out, 0x7000 | counter, 4);
    *out++ = u'-';
    writeHex(out, 0x8000 | ((random >> 48) & 0x3fff), 4);
    *out++ = u'-';
    writeHex(out, random & 0xffff'ffff'ffffULL, 12);
    return text;
}

bool looksLikeId(QStringView text)
{
    if (text.size() != 36)
        return false;
    for (qsizetype i = 0; i < 36; ++i) {
        const char16_t c = text[i].unicode();
        const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
        const bool hex = (c >= u'0' && c <= u'9') || (c >= u'a' && c <= u'f') || (c >= u'A' && c <= u'F');
        if (dash ? c != u'-' : !hex)
            return false;
    }
    return true;
}

qint64 idTimeMs(QStringView id)
{
    if (!looksLikeId(id) || id[14] != u'7')
        return -1;
    bool ok = false;
    const quint64 high = id.left(8).toULongLong(&ok, 16);
    const quint64 low = id.mid(9, 4).toULongLong(&ok, 16);
    return qint64((high << 16) | low);
}

} // namespace redrive
