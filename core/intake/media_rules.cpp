#include "core/intake/media_rules.h"

#include "core/intake/http_chars.h"
#include "core/intake/http_head.h"

namespace redrive {

namespace {

bool isUtf8Name(QByteArrayView charset)
{
    if (charset.size() >= 2 && charset.front() == '"' && charset.back() == '"')
        charset = charset.sliced(1, charset.size() - 2);
    return sameWord(charset, "utf-8") || sameWord(charset, "utf8");
}

bool isUtf8(QByteArrayView contentType)
{
    qsizetype semicolon = contentType.indexOf(';');
    while (semicolon >= 0) {
        contentType = contentType.sliced(semicolon + 1);
        semicolon = contentType.indexOf(';');
        const QByteArrayView parameter =
            http::trimmed(semicolon < 0 ? contentType : contentType.first(semicolon));
        const qsizetype equals = parameter.indexOf('=');
        if (equals < 0 || !sameWord(http::trimmed(parameter.first(equals)), "charset"))
            continue;
        if (!isUtf8Name(http::trimmed(parameter.sliced(equals + 1))))
            return false;
    }
    return true;
}

} // namespace

bool isReadableMedia(QByteArrayView contentType, QByteArrayView contentEncoding)
{
    return (contentEncoding.isEmpty() || sameWord(contentEncoding, "identity")) && isUtf8(contentType);
}

} // namespace redrive
