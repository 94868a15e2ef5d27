// Endpoints at their worst, and how an attempt at each is recorded. Test thread; each receiver serves in a
// thread of its own.
#pragma once

#include "core/base/result.h"
#include "tests/support/garbage_server.h"
#include "tests/support/http_receiver.h"
#include "tests/support/tls_receiver.h"

#include <vector>

namespace redrive::test {

struct Fault
{
    QString id;
    QString url;
    QString record; // class, error code and status of every attempt
    bool arrives;   // its requests are seen whole by the receiver
};

inline QByteArray gzipBomb()
{
    // What it would grow to does not matter: nothing unpacks it.
    return "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 10000000000\r\n\r\n\x1f\x8b\x08";
}

class Faults final
{
public:
    Faults()
    {
        using A = ReceiverAnswer;
        add("silence", A::status(200).hold(), "unknown timeout_total 0");
        add("one-byte-a-second", A::drip(1'000), "unknown timeout_total 0");
        add("reset-in-the-body", A::raw("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc", A::Then::Reset),
            "unknown reset 200");
        add("closed-in-the-body", A::closeInBody(), "unknown closed_in_answer 200");
        add("closed-without-a-word", A::closeWithoutAnswer(), "unknown closed_without_answer 0");
        add("half-closed", A::raw({}, A::Then::HalfClose), "unknown closed_without_answer 0");
        add("endless-body", A::hugeBody(10'000'000'000), "answered - 200");
        A bomb = A::raw(gzipBomb());
        bomb.fillBytes = 10'000'000'000;
        add("gzip-bomb", bomb, "answered - 200");
        A field = A::raw("HTTP/1.1 200 OK\r\nX-A: ");
        field.fillBytes = 100'000'000;
        add("100-mb-header", field, "unknown headers_too_large 200");
        add("redirects-to-itself", A::redirect(302, receiver.url("/redirects-to-itself").toLatin1()),
            "answered - 302");
        add("redirects-inside", A::redirect(302, "http://169.254.169.254/latest/meta-data/"),
            "answered - 302");
        faults.push_back({u"refuses"_s, u"http://127.0.0.1:%1/"_s.arg(HttpReceiver().port()),
                          u"not_sent refused 0"_s, false});
        faults.push_back({u"tls-garbage"_s, u"https://127.0.0.1:%1/"_s.arg(garbage.port()),
                          u"not_sent tls_failed 0"_s, false});
        faults.push_back({u"bad-certificate"_s, untrusted.url(), u"not_sent tls_failed 0"_s, false});
        faults.push_back({u"expired-certificate"_s, expired.url(), u"not_sent tls_failed 0"_s, false});
        faults.push_back(
            {u"metadata"_s, u"http://169.254.169.254/latest/"_s, u"not_sent blocked 0"_s, false});
    }

    HttpReceiver receiver;
    GarbageServer garbage;
    TlsReceiver untrusted;
    TlsReceiver expired{{"IP:127.0.0.1", -7'200, -3'600}};
    std::vector<Fault> faults;

private:
    void add(const char* id, const ReceiverAnswer& answer, const char* record)
    {
        receiver.answer(QByteArray("/") + id, answer);
        faults.push_back(
            {QString::fromLatin1(id), receiver.url(QByteArray("/") + id), QString::fromLatin1(record), true});
    }
};

} // namespace redrive::test
