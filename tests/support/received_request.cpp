#include "tests/support/received_request.h"

namespace redrive::test {

QByteArray ReceivedRequest::header(QByteArrayView name) const
{
    for (const auto& [field, value] : headers) {
        if (field.compare(name, Qt::CaseInsensitive) == 0)
            return value;
    }
    return {};
}

int ReceivedRequest::headerCount(QByteArrayView name) const
{
    int count = 0;
    for (const auto& field : headers)
        count += field.first.compare(name, Qt::CaseInsensitive) == 0;
    return count;
}

std::optional<ReceivedRequest> takeRequest(QByteArray& buffer)
{
    const qsizetype end = buffer.indexOf("\r\n\r\n");
    if (end < 0)
        return std::nullopt;
    const QList<QByteArray> lines = buffer.first(end).split('\n');
    ReceivedRequest request;
    const QList<QByteArray> words = lines.front().trimmed().split(' ');
    request.method = words.value(0);
    request.target = words.value(1);
    request.version = words.value(2);
    for (const QByteArray& line : lines.sliced(1)) {
        const qsizetype colon = line.indexOf(':');
        request.headers.append({line.first(colon), line.sliced(colon + 1).trimmed()});
    }
    const qsizetype length = request.header("Content-Length").toLongLong();
    if (buffer.size() < end + 4 + length)
        return std::nullopt;
    request.body = buffer.sliced(end + 4, length);
    buffer.remove(0, end + 4 + length);
    return request;
}

} // namespace redrive::test
