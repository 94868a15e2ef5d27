#include "core/net/header_rules.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace redrive {

namespace {

bool isTokenCharacter(char c)
{
    const bool alphanumeric = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    return alphanumeric ||
           (c != '\0' && std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos);
}

bool isForbiddenInValue(char c)
{
    const auto code = static_cast<unsigned char>(c);
    return (code < 0x20 && c != '\t') || code == 0x7f;
}

template <size_t Size>
bool isOneOf(const QByteArray& name, const std::array<const char*, Size>& names)
{
    return std::any_of(names.begin(), names.end(),
                       [&](const char* known) { return name.compare(known, Qt::CaseInsensitive) == 0; });
}

// Header names come from outside: only their harmless characters are repeated.
QString shown(const QByteArray& name)
{
    QByteArray text = name.left(64);
    std::replace_if(
        text.begin(), text.end(), [](char c) { return !isTokenCharacter(c); }, '?');
    return QString::fromLatin1(text);
}

} // namespace

Status checkHeader(const QByteArray& name, const QByteArray& value)
{
    static constexpr std::array framing{"Host",
                                        "Content-Length",
                                        "Transfer-Encoding",
                                        "Connection",
                                        "Expect",
                                        "Keep-Alive",
                                        "Upgrade",
                                        "TE",
                                        "Trailer",
                                        "Proxy-Connection",
                                        "Proxy-Authorization"};
    if (name.isEmpty() || !std::all_of(name.begin(), name.end(), isTokenCharacter))
        return fail(ErrorKind::InvalidInput, u"'%1' is not a header name"_s.arg(shown(name)));
    if (std::any_of(value.begin(), value.end(), isForbiddenInValue))
        return fail(ErrorKind::InvalidInput,
                    u"header '%1' holds a line break or another control character"_s.arg(shown(name)));
    if (isOneOf(name, framing))
        return fail(ErrorKind::InvalidInput, u"header '%1' is set by the sender itself"_s.arg(shown(name)));
    return {};
}

Status checkCustomHeader(const QByteArray& name, const QByteArray& value)
{
    static constexpr std::array own{"Content-Type", "webhook-id", "webhook-timestamp", "webhook-signature"};
    REDRIVE_TRY(checkHeader(name, value));
    if (isOneOf(name, own))
        return fail(ErrorKind::InvalidInput, u"header '%1' is reserved"_s.arg(shown(name)));
    return {};
}

bool isHarmlessHeader(const QByteArray& name)
{
    static constexpr std::array known{"Accept", "Accept-Language", "User-Agent", "Cache-Control"};
    return std::any_of(known.begin(), known.end(), [&](const char* harmless) {
        return name.compare(harmless, Qt::CaseInsensitive) == 0;
    });
}

} // namespace redrive
