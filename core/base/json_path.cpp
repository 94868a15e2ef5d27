#include "core/base/json_path.h"

#include "core/base/json_text.h"
#include "core/base/result.h"

namespace redrive {

namespace {

constexpr qsizetype kMaxKey = 64;
constexpr qsizetype kMaxPath = 256;

QString keyText(QByteArrayView raw)
{
    // An escape takes at most 12 bytes for two UTF-16 units.
    QString key = QString::fromUtf8(decodeJsonString(raw.first(std::min(raw.size(), kMaxKey * 12))));
    if (key.size() > kMaxKey)
        key = key.left(kMaxKey - 1) + u'…';
    return key;
}

bool isPlainName(QStringView key)
{
    return !key.isEmpty() && std::none_of(key.begin(), key.end(), [](QChar c) {
        return c == u'.' || c == u'[' || c == u']' || c == u'"' || c.isSpace() || c.unicode() < 0x20;
    });
}

} // namespace

QString JsonPath::text() const
{
    QString path;
    for (int i = 0; i < m_depth; ++i) {
        const Frame& frame = m_frames[std::size_t(i)];
        if (frame.array) {
            path += u"[%1]"_s.arg(frame.index);
        } else if (!frame.key.isNull()) {
            const QString key = keyText(frame.key);
            if (!isPlainName(key))
                path += u"[\"%1\"]"_s.arg(key);
            else
                path += path.isEmpty() ? key : u'.' + key;
        }
        if (path.size() > kMaxPath)
            return path.left(kMaxPath - 1) + u'…';
    }
    return path;
}

QString JsonPath::lastKey() const
{
    return m_depth > 0 ? keyText(top().key) : QString();
}

} // namespace redrive
