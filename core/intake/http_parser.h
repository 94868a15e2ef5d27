// One request after the other out of a stream of bytes: the raw header check, then Boost.Beast's parser.
// Not thread-safe.
#pragma once

#include "core/intake/head_scanner.h"

#include <QByteArrayView>

#include <memory>

namespace redrive {

class BeastRequest;

class HttpParser final
{
public:
    enum class Event {
        NeedMore,
        Head,    // head() holds until the input is changed
        Message, // body() is whole; reset() makes ready for the next request
        Failed,  // problem() says why; nothing more can be read from this stream
    };

    explicit HttpParser(const HttpLimits& limits);
    ~HttpParser();
    HttpParser(const HttpParser&) = delete;
    HttpParser& operator=(const HttpParser&) = delete;

    // Reads from the start of `input`, and says how many bytes of it are done with. The rest must stand at
    // the start of the input of the next call.
    Event advance(QByteArrayView input, qsizetype& consumed);
    void reset();

    const HttpHead& head() const { return m_head; }
    bool keepAlive() const;
    // After Head, before its body: another limit than HttpLimits::bodyBytes.
    void setBodyLimit(qint64 bytes);
    // The bytes of the body are counted, but not kept.
    void dropBody();
    QByteArrayView body() const;
    qint64 bodyReceived() const;
    bool inBody() const { return m_inBody; }
    // Bytes of a request are there, but not all of its head.
    bool inHead() const { return !m_inBody && m_scanner.started(); }
    const HttpProblem& problem() const { return m_problem; }

private:
    Event readHead(QByteArrayView input, qsizetype& consumed);
    Event readBody(QByteArrayView input, qsizetype& consumed);
    Event failWith(HttpProblem problem);

    const HttpLimits& m_limits;
    HeadScanner m_scanner;
    std::unique_ptr<BeastRequest> m_beast;
    HttpHead m_head;
    HttpProblem m_problem;
    bool m_inBody = false;
    qint64 m_bodyLimit = 0;
};

} // namespace redrive
