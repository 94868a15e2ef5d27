// What HttpReceiver does with a request. Values; any thread.
#pragma once

#include <QByteArray>
#include <QList>
#include <QPair>

namespace redrive::test {

struct ReceiverAnswer
{
    enum class Then {
        KeepAlive,
        Close,
        Reset,
        HalfClose // says that nothing more comes, and goes on reading
    };

    QByteArray bytes;       // sent as they are
    qint64 fillBytes = 0;   // 'x' sent after them, made as the peer reads
    int dripIntervalMs = 0; // above 0: one byte at a time
    bool held = false;      // not before HttpReceiver::release()
    Then then = Then::KeepAlive;

    using Headers = QList<QPair<QByteArray, QByteArray>>;

    static ReceiverAnswer status(int code, const QByteArray& body = "ok", const Headers& headers = {});
    static ReceiverAnswer redirect(int code, const QByteArray& location);
    static ReceiverAnswer retryAfter(int code, const QByteArray& value);
    // Reads the request, then closes (FIN) or resets (RST) without a byte.
    static ReceiverAnswer closeWithoutAnswer();
    static ReceiverAnswer resetWithoutAnswer();
    // Says a longer body than it sends, then closes.
    static ReceiverAnswer closeInBody();
    static ReceiverAnswer hugeBody(qint64 bytes);
    static ReceiverAnswer drip(int intervalMs, const QByteArray& body = QByteArray(1000, 'd'));
    static ReceiverAnswer raw(const QByteArray& bytes, Then then = Then::Close);

    ReceiverAnswer& hold();
    ReceiverAnswer& andClose();
};

} // namespace redrive::test
