// A connection without a socket: bytes in, bytes out, time by hand.
#pragma once

#include "core/intake/http_session.h"
#include "tests/intake/fake_port.h"
#include "tests/intake/http_reply.h"
#include "tests/support/manual_clock.h"

#include <QObject>

namespace redrive::test {

// A book with these tokens.
inline std::shared_ptr<TokenBook> bookOf(const QByteArrayList& tokens)
{
    auto book = std::make_shared<TokenBook>();
    QList<TokenSecret> secrets;
    for (const QByteArray& token : tokens)
        secrets.append({bearerTokenHash(token), secrets.size() + 1, {}, {}});
    book->replace(secrets, true);
    return book;
}

class SessionRig final
{
public:
    explicit SessionRig(const HttpOptions& options = {})
        : service(clock, port, options, {QStringLiteral("127.0.0.1")}),
          session(service, 1, ClientAddress{0, 1, true}, clock.steadyMs())
    {
        service.completions->setReceiver(&m_receiver);
    }
    ~SessionRig() { service.completions->setReceiver(nullptr); }

    void feed(QByteArrayView bytes)
    {
        if (!session.isFinished())
            session.receive(bytes, clock.steadyMs());
        settle();
    }
    // Takes answers of the port and sends all output, until nothing moves.
    void settle()
    {
        for (bool moved = true; moved;) {
            auto completions = service.completions->take();
            moved = !completions.empty();
            for (Completion& completion : completions)
                session.complete(completion.ticket.request, std::move(completion), clock.steadyMs());
            if (!readsOutput || session.output().isEmpty())
                continue;
            const QByteArray sent(session.output().constData(), session.output().size());
            output += sent;
            session.sent(sent.size(), clock.steadyMs());
            moved = true;
        }
    }
    void pass(qint64 ms)
    {
        clock.advance(ms);
        session.tick(clock.steadyMs());
        settle();
    }
    QList<HttpReply> replies(bool heads = false) const { return readReplies(output, heads); }

    ManualClock clock;
    FakePort port;
    HttpService service;
    HttpSession session;
    QByteArray output;
    bool readsOutput = true;

private:
    QObject m_receiver;
};

} // namespace redrive::test
