#include "tests/support/receiver_answer.h"

namespace redrive::test {

namespace {

QByteArray head(int code, qint64 length, const ReceiverAnswer::Headers& headers)
{
    QByteArray text = "HTTP/1.1 " + QByteArray::number(code) + " Status\r\n";
    for (const auto& [name, value] : headers)
        text += name + ": " + value + "\r\n";
    return text + "Content-Length: " + QByteArray::number(length) + "\r\n\r\n";
}

} // namespace

ReceiverAnswer ReceiverAnswer::status(int code, const QByteArray& body, const Headers& headers)
{
    return raw(head(code, body.size(), headers) + body, Then::KeepAlive);
}

ReceiverAnswer ReceiverAnswer::redirect(int code, const QByteArray& location)
{
    return status(code, "moved", {{"Location", location}});
}

ReceiverAnswer ReceiverAnswer::retryAfter(int code, const QByteArray& value)
{
    return status(code, "later", {{"Retry-After", value}});
}

ReceiverAnswer ReceiverAnswer::closeWithoutAnswer()
{
    return raw({}, Then::Close);
}

ReceiverAnswer ReceiverAnswer::resetWithoutAnswer()
{
    return raw({}, Then::Reset);
}

ReceiverAnswer ReceiverAnswer::closeInBody()
{
    return raw(head(200, 100, {}) + "only this", Then::Close);
}

ReceiverAnswer ReceiverAnswer::hugeBody(qint64 bytes)
{
    ReceiverAnswer answer = raw(head(200, bytes, {}), Then::KeepAlive);
    answer.fillBytes = bytes;
    return answer;
}

ReceiverAnswer ReceiverAnswer::drip(int intervalMs, const QByteArray& body)
{
    ReceiverAnswer answer = status(200, body);
    answer.dripIntervalMs = intervalMs;
    return answer;
}

ReceiverAnswer ReceiverAnswer::raw(const QByteArray& bytes, Then then)
{
    ReceiverAnswer answer;
    answer.bytes = bytes;
    answer.then = then;
    return answer;
}

ReceiverAnswer& ReceiverAnswer::hold()
{
    held = true;
    return *this;
}

ReceiverAnswer& ReceiverAnswer::andClose()
{
    then = Then::Close;
    return *this;
}

} // namespace redrive::test
