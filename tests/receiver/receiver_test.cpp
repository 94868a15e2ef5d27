// The receiver over real sockets.
#include "core/net/signer.h"
#include "core/receiver/receiver.h"
#include "tests/intake/socket_client.h"
#include "tests/support/plain_client.h"

#include <QElapsedTimer>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <arpa/inet.h>
#include <atomic>
#include <netinet/in.h>
#include <sys/resource.h>
#include <unistd.h>

using namespace redrive;
using namespace redrive::test;

namespace {

constexpr char kSecret[] = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

std::unique_ptr<Receiver> started(ReceiverOptions options = {})
{
    auto receiver = Receiver::start(std::move(options));
    if (!receiver)
        qFatal("%s", qPrintable(receiver.error().text()));
    return std::move(*receiver);
}

QByteArray post(const QByteArray& target, const QByteArray& body = "{}", const QByteArray& fields = {})
{
    return "POST " + target + " HTTP/1.1\r\nHost: localhost\r\n" + fields +
           "Content-Length: " + QByteArray::number(body.size()) + "\r\n\r\n" + body;
}

// All that comes until the other side ends, and whether it ended with a reset.
struct Ended
{
    QByteArray received;
    bool reset = false;
};

Ended readToEnd(quint16 port, const QByteArray& request)
{
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const timeval patience{20, 0};
    ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    ::connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address);
    ::send(socket, request.constData(), size_t(request.size()), MSG_NOSIGNAL);
    Ended ended;
    char bytes[4096];
    ssize_t got = 0;
    while ((got = ::recv(socket, bytes, sizeof bytes, 0)) > 0)
        ended.received.append(bytes, got);
    ended.reset = got < 0 && errno == ECONNRESET;
    ::close(socket);
    return ended;
}

} // namespace

class ReceiverTest : public QObject
{
    Q_OBJECT

    static PlainAnswer ask(const Receiver& receiver, const QByteArray& target, const QByteArray& body = "{}",
                           const PlainClient::Headers& headers = {})
    {
        return PlainClient(receiver.url({})).post(target, body, headers);
    }
    static PlainAnswer get(const Receiver& receiver, const QByteArray& target)
    {
        return PlainClient(receiver.url({})).get(target);
    }

private Q_SLOTS:
    void answersAsThePathSays()
    {
        const auto receiver = started();
        QCOMPARE(ask(*receiver, "/ok").status, 200);
        QCOMPARE(ask(*receiver, "/orders").body, QByteArray("ok\n"));
        QCOMPARE(ask(*receiver, "/status/418").status, 418);
        QCOMPARE(ask(*receiver, "/status/204").status, 204);
        QCOMPARE(ask(*receiver, "/gone").status, 410);
        const PlainAnswer later = ask(*receiver, "/retry-after/30");
        QCOMPARE(later.status, 503);
        QVERIFY(later.head.contains("Retry-After: 30"));
        const PlainAnswer moved = ask(*receiver, "/redirect?status=307&to=http://127.0.0.1:9/x");
        QCOMPARE(moved.status, 307);
        QVERIFY(moved.head.contains("Location: http://127.0.0.1:9/x"));
        QCOMPARE(ask(*receiver, "/ok?body=a%20b+c").body, QByteArray("a b c"));
        QCOMPARE(ask(*receiver, "/huge/3mb").body.size(), 3'000'000);
        const PlainAnswer wrong = ask(*receiver, "/status/abc");
        QCOMPARE(wrong.status, 400);
        QVERIFY(wrong.body.contains("200 to 599"));
    }

    void waitsAndDrips()
    {
        const auto receiver = started();
        QElapsedTimer timer;
        timer.start();
        QCOMPARE(ask(*receiver, "/slow/300ms").status, 200);
        QVERIFY(timer.elapsed() >= 300);
        timer.start();
        QCOMPARE(ask(*receiver, "/drip/50ms?bytes=6").body, QByteArray("xxxxxx"));
        QVERIFY(timer.elapsed() >= 300);
    }

    void flakyCountsPerIdAndPath()
    {
        const auto receiver = started();
        const auto send = [&](const QByteArray& target, const QByteArray& id) {
            return ask(*receiver, target, "{}", {{"webhook-id", id}}).status;
        };
        QCOMPARE(send("/flaky/2", "a"), 503);
        QCOMPARE(send("/flaky/2", "b"), 503);
        QCOMPARE(send("/flaky/2", "a"), 503);
        QCOMPARE(send("/flaky/2", "a"), 200);
        QCOMPARE(send("/flaky/2", "b"), 503);
        QCOMPARE(send("/flaky/2/other", "a"), 503);
        QCOMPARE(ask(*receiver, "/flaky/1").status, 503);
        QCOMPARE(ask(*receiver, "/flaky/1").status, 200);
        const QList<Arrival> arrivals = receiver->desk().arrivals();
        QCOMPARE(arrivals.size(), 8);
        QCOMPARE(arrivals[3].attempt, 3);
        QCOMPARE(arrivals[3].webhookId, QByteArray("a"));
        QCOMPARE(arrivals[3].bodyBytes, 2);
        QCOMPARE(arrivals[3].answer, u"200"_s);
    }

    void breaksOffWhereItIsTold()
    {
        const auto receiver = started();
        const auto end = [&](const QByteArray& target) { return readToEnd(receiver->port(), post(target)); };
        const Ended closed = end("/close");
        QVERIFY(closed.received.isEmpty() && !closed.reset);
        const Ended reset = end("/reset");
        QVERIFY(reset.received.isEmpty() && reset.reset);
        const Ended cut = end("/close/middle");
        QVERIFY(cut.received.contains("Content-Length: 1000\r\n") && cut.received.endsWith("xxx") &&
                !cut.reset);
        QCOMPARE(cut.received.mid(cut.received.indexOf("\r\n\r\n") + 4).size(), 500);
        QVERIFY(end("/reset/middle").reset);
    }

    void hangsUntilTheClientLeaves()
    {
        const auto receiver = started();
        {
            SocketClient client(receiver->port());
            client.send(post("/hang"));
            QTRY_COMPARE(receiver->desk().arrivals().size(), 1);
            QVERIFY(client.received().isEmpty());
        }
        QCOMPARE(ask(*receiver, "/ok").status, 200);
    }

    void oneConnectionServesManyRequests()
    {
        const auto receiver = started();
        SocketClient client(receiver->port());
        client.send(post("/slow/50ms") + post("/status/500") + post("/ok?body=third"));
        client.sendNoMore();
        const auto replies = client.replies(3);
        QCOMPARE(replies.size(), 3);
        QCOMPARE(replies[0].status, 200);
        QCOMPARE(replies[1].status, 500);
        QCOMPARE(replies[2].body, QByteArray("third"));
        QVERIFY(client.isClosed());
    }

    void bytesMayComeOneByOne()
    {
        const auto receiver = started();
        SocketClient client(receiver->port());
        client.sendSlowly(post("/status/202", "{\"a\":1}"));
        QCOMPARE(client.replies(1).first().status, 202);
        client.send(
            "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n");
        QCOMPARE(client.replies(2).size(), 2);
        QCOMPARE(receiver->desk().arrivals().last().bodyBytes, 3);
    }

    void hostileRequestsAreRefusedAndLogged()
    {
        const auto receiver = started();
        const auto end = [&](const QByteArray& request) {
            return readToEnd(receiver->port(), request).received;
        };
        QVERIFY(end("\x16\x03\x01 what\r\n\r\n").startsWith("HTTP/1.1 400"));
        QVERIFY(end("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello")
                    .startsWith("HTTP/1.1 400"));
        QVERIFY(
            end("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\n\r\n").startsWith("HTTP/1.1 413"));
        QVERIFY(end("POST / HTTP/1.1\r\nHost: a\r\nX: " + QByteArray(40'000, 'x') + "\r\n\r\n")
                    .startsWith("HTTP/1.1 431"));
        const QList<Arrival> arrivals = receiver->desk().arrivals();
        QCOMPARE(arrivals.size(), 4);
        QVERIFY(arrivals[2].answer.startsWith(u"413, refused"_s));
        ask(*receiver, "/ok", "{}", {{"webhook-id", "a\x1b[2Jb"}});
        const QString line = arrivalLine(receiver->desk().arrivals().last());
        QVERIFY2(!line.contains(u'\x1b'), qPrintable(line));
        QCOMPARE(ask(*receiver, "/ok").status, 200);
    }

    void whoSendsNothingHoldsNobodyUp()
    {
        const auto receiver = started();
        std::vector<std::unique_ptr<SocketClient>> idle;
        for (int i = 0; i < 200; ++i)
            idle.push_back(std::make_unique<SocketClient>(receiver->port()));
        idle[0]->send("POST / HTTP/1.1\r\nHost:");
        QCOMPARE(ask(*receiver, "/ok").status, 200);
    }

    void signaturesAreCheckedAndLogged()
    {
        ReceiverOptions options;
        options.desk.secrets = {{u"ACME"_s, kSecret, true}};
        const auto receiver = started(std::move(options));
        const qint64 now = QDateTime::currentSecsSinceEpoch();
        const auto send = [&](const QByteArray& target, const QByteArray& body, qint64 seconds) {
            const QByteArray signature =
                webhookSignature({*parseSigningSecret(kSecret)}, "msg_1", seconds, "{\"a\":1}");
            return ask(*receiver, target, body,
                       {{"webhook-id", "msg_1"},
                        {"webhook-timestamp", QByteArray::number(seconds)},
                        {"webhook-signature", signature}});
        };
        QCOMPARE(send("/verify", "{\"a\":1}", now).status, 200);
        const PlainAnswer changed = send("/verify", "{\"a\": 1}", now);
        QCOMPARE(changed.status, 401);
        QVERIFY2(changed.body.contains("without white space"), changed.body);
        QCOMPARE(send("/verify", "{\"a\":1}", now - 1'000).status, 401);
        QCOMPARE(ask(*receiver, "/verify").status, 401);
        QCOMPARE(send("/ok", "{\"a\":2}", now).status, 200); // only logged
        QStringList verdicts;
        for (const Arrival& arrival : receiver->desk().arrivals()) {
            verdicts.append(verdictWord(arrival.signature.verdict));
            QVERIFY(!arrivalLine(arrival).contains(u"MfKQ9r8"_s));
        }
        QCOMPARE(verdicts, (QStringList{u"good"_s, u"near miss"_s, u"clock off"_s, u"none"_s, u"wrong"_s}));
        QVERIFY(arrivalLine(receiver->desk().arrivals().first()).contains(u"signature good (ACME)"_s));
    }

    void theScriptChangesWhileItRuns()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(u"script.json"_s);
        const auto write = [&](const QByteArray& text) {
            QFile file(path);
            QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
        };
        write(R"({"/orders":"/status/500"})");
        QStringList notices;
        std::atomic<int> noticeCount = 0;
        ReceiverOptions options;
        options.desk.scriptFile = path;
        options.desk.onNotice = [&](const QString& text) {
            notices.append(text);
            ++noticeCount;
        };
        const auto receiver = started(std::move(options));
        QCOMPARE(ask(*receiver, "/orders?x=1").status, 500);
        write(R"({"/orders":"/gone", "/x":"/ok"})");
        QCOMPARE(ask(*receiver, "/orders").status, 410);
        write(R"({"/orders":)");
        QCOMPARE(ask(*receiver, "/orders").status, 410);
        QCOMPARE(ask(*receiver, "/orders").status, 410);
        QCOMPARE(noticeCount, 1);

        QCOMPARE(
            ask(*receiver, "/_script", R"({"/orders":[{"status":429,"retry-after":"7","times":1}]})").status,
            200);
        QCOMPARE(get(*receiver, "/_script").body,
                 QByteArray(R"({"/orders":[{"status":429,"retry-after":"7","times":1}]})"));
        QCOMPARE(ask(*receiver, "/orders", "{}", {{"webhook-id", "new"}}).status, 429);
        QCOMPARE(ask(*receiver, "/orders", "{}", {{"webhook-id", "new"}}).status, 200);
        const PlainAnswer bad = ask(*receiver, "/_script", R"({"/orders":{"statsu":1}})");
        QCOMPARE(bad.status, 400);
        QVERIFY(bad.body.contains("statsu"));
    }

    void arrivalsCanBeRead()
    {
        const auto receiver = started();
        ask(*receiver, "/ok", "{\"n\":1}", {{"webhook-id", "msg_7"}});
        ask(*receiver, "/gone");
        const QList<QByteArray> lines = get(*receiver, "/_arrivals").body.trimmed().split('\n');
        QCOMPARE(lines.size(), 2);
        const QJsonObject first = QJsonDocument::fromJson(lines[0]).object();
        QCOMPARE(first.value(u"webhookId"_s).toString(), u"msg_7"_s);
        QCOMPARE(first.value(u"path"_s).toString(), u"/ok"_s);
        QCOMPARE(first.value(u"attempt"_s).toInt(), 1);
        QCOMPARE(first.value(u"bytes"_s).toInt(), 7);
        QCOMPARE(QJsonDocument::fromJson(get(*receiver, "/_arrivals?since=1").body)
                     .object()
                     .value(u"no"_s)
                     .toInt(),
                 2);
        const QByteArray whole = get(*receiver, "/_arrivals/1").body;
        QVERIFY(whole.startsWith("POST /ok HTTP/1.1\r\n") && whole.contains("webhook-id: msg_7\r\n") &&
                whole.endsWith("\r\n\r\n{\"n\":1}"));
        QCOMPARE(get(*receiver, "/_arrivals/99").status, 404);
        QCOMPARE(get(*receiver, "/_nothing").status, 404);
        QCOMPARE(PlainClient(receiver->url({})).request("DELETE", "/_arrivals", {}, {}).status, 200);
        QVERIFY(receiver->desk().arrivals().isEmpty());
    }

    void controlRoutesAnswerNoForeignPage()
    {
        const auto receiver = started();
        const QByteArray script = R"({"/ok":"/gone"})";
        QVERIFY(readToEnd(receiver->port(),
                          "POST /_script HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n"
                          "Content-Length: 15\r\n\r\n" +
                              script)
                    .received.startsWith("HTTP/1.1 403"));
        QCOMPARE(ask(*receiver, "/_script", script, {{"Origin", "http://evil.example"}}).status, 403);
        QCOMPARE(ask(*receiver, "/ok").status, 200);
    }

    void aTakenPortIsSaidToBe()
    {
        const auto receiver = started();
        ReceiverOptions options;
        options.port = receiver->port();
        const auto second = Receiver::start(options);
        QVERIFY(!second);
        QCOMPARE(second.error().kind, ErrorKind::Conflict);
    }

    // A thread without its descriptors would end the program, or hear nothing.
    void withoutDescriptorsItDoesNotStart()
    {
        rlimit before{};
        QCOMPARE(::getrlimit(RLIMIT_NOFILE, &before), 0);
        rlimit low = before;
        low.rlim_cur = std::min<rlim_t>(Receiver::kMostConnections + 200, before.rlim_max);
        QCOMPARE(::setrlimit(RLIMIT_NOFILE, &low), 0);
        std::vector<int> taken;
        for (int one = ::dup(0); one >= 0; one = ::dup(0))
            taken.push_back(one);
        QList<ErrorKind> kinds;
        for (int free = 0; free < 3; ++free) { // its socket, one to be woken by, one to wait with
            const auto receiver = Receiver::start({});
            kinds.append(receiver ? ErrorKind::Busy : receiver.error().kind);
            ::close(taken.back());
            taken.pop_back();
        }
        const auto receiver = Receiver::start({});
        for (const int one : taken)
            ::close(one);
        ::setrlimit(RLIMIT_NOFILE, &before);
        QCOMPARE(kinds, QList<ErrorKind>(3, ErrorKind::Internal));
        QVERIFY(receiver);
        QCOMPARE(ask(**receiver, "/ok").status, 200);
    }

    // Memory for what is kept does not grow with what is sent.
    void ofManyRequestsTheLatestAreKept()
    {
        std::atomic<int> told = 0;
        ReceiverOptions options;
        options.desk.onArrival = [&](const Arrival&) { ++told; };
        const auto receiver = started(std::move(options));
        constexpr int kRequests = 20'000;
        SocketClient client(receiver->port());
        QElapsedTimer timer;
        timer.start();
        for (int sent = 0; sent < kRequests; sent += 500) {
            QByteArray burst;
            for (int i = 0; i < 500; ++i)
                burst += post("/ok", "{}", "webhook-id: " + QByteArray::number(sent + i) + "\r\n");
            client.send(burst);
        }
        QTRY_COMPARE_WITH_TIMEOUT(told, kRequests, 60'000);
        qInfo("%lld requests/s", qlonglong(kRequests * 1'000 / std::max<qint64>(timer.elapsed(), 1)));
        const QList<Arrival> kept = receiver->desk().arrivals();
        QCOMPARE(kept.size(), ReceiverDesk::kKeptArrivals);
        QCOMPARE(kept.last().no, quint64(kRequests));
    }
};

QTEST_GUILESS_MAIN(ReceiverTest)
#include "receiver_test.moc"
