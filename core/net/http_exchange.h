// One HTTP request and what became of it. Plain values; any thread.
#pragma once

#include <QByteArray>
#include <QList>
#include <QPair>
#include <QString>

#include <memory>
#include <optional>

namespace redrive {

// A POST. It goes on the wire once at most.
struct HttpRequest
{
    quint64 token = 0;                            // the caller's; unique among the requests under way
    QString url;                                  // http or https, see parseTargetUrl()
    QList<QPair<QByteArray, QByteArray>> headers; // see checkHeader()
    std::shared_ptr<const QByteArray> body;       // nothing: empty; never copied
    int connectTimeoutMs = 5'000;                 // name, TCP and TLS together; above 0
    int firstByteTimeoutMs = 20'000; // from the connection being ready to the answer's first byte; above 0
    int totalTimeoutMs = 30'000;     // the whole exchange; above 0
};

struct HttpOutcome
{
    enum class Class {
        NotSent,  // not one byte of the request was written
        Unknown,  // bytes were written and no complete answer came
        Answered, // a status and its body, or the first 64 KiB of the body
    };

    quint64 token = 0;
    Class outcome = Class::NotSent;
    int status = 0;             // 0: none; may be set for Unknown, when the answer broke off after its head
    QByteArray responseHeaders; // status line and fields as received, CRLF, at most 64 KiB
    QByteArray responseBody;    // as received (not decompressed), at most 64 KiB
    bool responseCut = false;   // there was more: it was not read
    QString peerAddress;        // connected to, or last tried; empty: none
    quint16 peerPort = 0;

    // Microseconds; 0 where the step did not happen (an address needs no DNS, a reused connection no
    // connect).
    qint64 dnsUs = 0;
    qint64 connectUs = 0;
    qint64 tlsUs = 0;
    qint64 firstByteUs = 0; // from the connection being ready to the first byte
    qint64 totalUs = 0;

    // Empty when Answered, else one of: invalid_request, blocked, dns_failed, refused, unreachable,
    // connect_failed, tls_failed, timeout_connect, timeout_first_byte, timeout_total, reset,
    // closed_without_answer, closed_in_answer, bad_answer, headers_too_large, cancelled, internal.
    QString errorCode;
    QString errorText;      // for people, one line; holds text from outside
    bool permanent = false; // trying again cannot help: invalid_request and blocked

    std::optional<QByteArray> retryAfter;      // the field's value as received, trimmed
    QString tlsVersion;                        // "TLSv1.3"; empty for http
    std::optional<qint64> certificateExpiryMs; // unix ms, of the server's own certificate
};

} // namespace redrive
