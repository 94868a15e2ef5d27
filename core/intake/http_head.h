// The head of a request: the request line and the fields that matter here. Views into the bytes scanned.
#pragma once

#include <QByteArrayView>

#include <array>
#include <optional>

namespace redrive {

enum class HttpField {
    Host,
    Authorization,
    ContentType,
    ContentLength,
    ContentEncoding,
    TransferEncoding,
    Expect,
    Origin,
    SecFetchSite,
    IdempotencyKey,
};
constexpr std::size_t kHttpFields = std::size_t(HttpField::IdempotencyKey) + 1;

struct HttpHead
{
    QByteArrayView method;
    QByteArrayView target;
    int minorVersion = 1; // HTTP/1.x
    std::array<QByteArrayView, kHttpFields> fields;
    std::optional<quint64> contentLength;
    bool chunked = false;

    // Null when the field was not sent.
    QByteArrayView field(HttpField name) const { return fields[std::size_t(name)]; }
    bool has(HttpField name) const { return !field(name).isNull(); }
    bool hasBody() const { return chunked || contentLength.value_or(0) > 0; }
};

// ASCII, without regard to case.
bool sameWord(QByteArrayView a, QByteArrayView b);

} // namespace redrive
