#include "tests/intake/session_rig.h"

#include <QTest>

using namespace redrive;
using namespace redrive::test;

namespace {

const QByteArray kHost = "Host: localhost\r\n";

QByteArray post(const QByteArray& body, const QByteArray& headers = {}, const QByteArray& path = "/jobs")
{
    return "POST " + path + " HTTP/1.1\r\n" + kHost + headers +
           "Content-Length: " + QByteArray::number(body.size()) + "\r\n\r\n" + body;
}

const QByteArray kJob = post("{\"type\":\"noop\"}");
const QByteArray kHealth = "GET /healthz HTTP/1.1\r\n" + kHost + "\r\n";

QByteArray numbered(int i)
{
    return post("{\"type\":\"t" + QByteArray::number(i) + "\"}");
}

} // namespace

class HttpSessionTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void answersPipelinedRequestsInOrder();
    void readsNoMoreThanItCanAnswer();
    void readsNoMoreThanTheClientTakes();
    void answersHeadWithoutBody();
    void saysContinue();
    void refusesBeforeContinue();
    void skipsTheBodyOfARefusedRequest();
    void runsNothingAfterAFramingError();
    void endsAfterManyRequests();
    void answersAClientThatSendsNoMore();
    void ignoresLateAnswers();
    void passesKeyAndHash();
    void saysDuplicate();
    void answersABatchWithItsJobs();
    void listsTheWrongFieldsOfABatch();
    void mapsErrors_data();
    void mapsErrors();
    void listsAllWrongFields();
    void saysWhyItIsNotHealthy();
    void finishesWhileStopping();
};

void HttpSessionTest::answersPipelinedRequestsInOrder()
{
    SessionRig rig;
    rig.port.hold = true;
    QByteArray requests;
    for (int i = 0; i < 100; ++i)
        requests += numbered(i);
    rig.feed(requests);
    QCOMPARE(rig.port.requests.size(), 100U);
    QCOMPARE(rig.port.requests[42].jobs.front().type, u"t42"_s);
    QVERIFY(rig.output.isEmpty());
    rig.port.release(true);
    rig.settle();
    const auto replies = rig.replies();
    QCOMPARE(replies.size(), 100);
    for (int i = 0; i < 100; ++i)
        QCOMPARE(replies[i].json()[u"jobId"_s].toString(), u"job-%1"_s.arg(i));
}

void HttpSessionTest::readsNoMoreThanItCanAnswer()
{
    SessionRig rig;
    rig.port.hold = true;
    QByteArray requests;
    for (int i = 0; i < 300; ++i)
        requests += numbered(i);
    rig.feed(requests);
    QCOMPARE(int(rig.port.requests.size()), rig.service.limits.openAnswers);
    QVERIFY(!rig.session.wantsInput());
    rig.pass(29'000); // no time-out of the client's making while we do not read
    QCOMPARE(rig.replies().size(), 0);
    while (rig.port.heldCount() > 0) {
        rig.port.release();
        rig.settle();
    }
    QCOMPARE(rig.port.requests.size(), 300U);
    QCOMPARE(rig.replies().size(), 300);
    QVERIFY(rig.session.wantsInput());
}

void HttpSessionTest::readsNoMoreThanTheClientTakes()
{
    SessionRig rig;
    rig.readsOutput = false;
    QByteArray requests = kHealth.repeated(100);
    for (int i = 0; i < 20; ++i)
        rig.feed(requests);
    QVERIFY(!rig.session.wantsInput());
    QVERIFY(rig.session.output().size() < 2 * rig.service.limits.unsentBytes);
    QVERIFY(rig.port.calls < 1000);
    rig.readsOutput = true;
    rig.settle();
    QCOMPARE(rig.port.calls.load(), 2000);
    QCOMPARE(rig.replies().size(), 2000);
}

void HttpSessionTest::answersHeadWithoutBody()
{
    SessionRig rig;
    rig.feed("HEAD /healthz HTTP/1.1\r\n" + kHost + "\r\nHEAD /nothing HTTP/1.1\r\n" + kHost + "\r\n");
    const auto heads = rig.replies(true);
    QCOMPARE(heads.size(), 2);
    QCOMPARE(heads[0].status, 200);
    QCOMPARE(heads[0].headers.value("content-length"), "15");
    QCOMPARE(heads[1].status, 404);
    QVERIFY(rig.output.endsWith("\r\n\r\n"));
    rig.feed(kHealth);
    QVERIFY(rig.output.endsWith("{\"status\":\"ok\"}"));
}

void HttpSessionTest::saysContinue()
{
    SessionRig rig;
    const QByteArray request = post("{\"type\":\"noop\"}", "Expect: 100-continue\r\n");
    const qsizetype head = request.indexOf("\r\n\r\n") + 4;
    rig.port.hold = true;
    rig.feed(kJob + request.left(head));
    QVERIFY(rig.output.isEmpty()); // the answer before comes first
    rig.port.release();
    rig.settle();
    QVERIFY(rig.output.endsWith("HTTP/1.1 100 Continue\r\n\r\n"));
    rig.port.hold = false;
    rig.feed(request.mid(head));
    QCOMPARE(rig.replies().last().status, 202);
    QCOMPARE(rig.output.count("100 Continue"), 1);
}

void HttpSessionTest::refusesBeforeContinue()
{
    SessionRig rig;
    rig.feed("POST /nothing HTTP/1.1\r\n" + kHost + "Expect: 100-continue\r\nContent-Length: 5\r\n\r\n");
    QCOMPARE(rig.replies().size(), 1);
    QCOMPARE(rig.replies().first().status, 404);
    QVERIFY(rig.replies().first().closes());
    QVERIFY(rig.session.isFinished());
}

void HttpSessionTest::skipsTheBodyOfARefusedRequest()
{
    HttpOptions options;
    options.tokens = bookOf({"secret"});
    SessionRig rig(options);
    const QByteArray good = post("{\"type\":\"noop\"}", "Authorization: Bearer secret\r\n");
    rig.feed(post(good) + good);
    const auto replies = rig.replies();
    QCOMPARE(replies.size(), 2);
    QCOMPARE(replies[0].status, 401);
    QCOMPARE(replies[1].status, 202);
    QCOMPARE(rig.port.calls.load(), 1);
}

void HttpSessionTest::runsNothingAfterAFramingError()
{
    for (const QByteArray& broken :
         {QByteArray("POST /jobs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: "
                     "chunked\r\n\r\n"
                     "0\r\n\r\n"),
          QByteArray("POST /jobs HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"),
          QByteArray("POST /jobs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 128001\r\n\r\n"),
          QByteArray("GET /healthz HTTP/1.1\r\nHost: localhost\r\nX : 1\r\n\r\n"),
          QByteArray("garbage\r\n\r\n")}) {
        SessionRig rig;
        rig.feed(broken + kJob);
        rig.feed(kJob);
        QCOMPARE(rig.replies().size(), 1);
        QVERIFY(rig.replies().first().closes());
        QCOMPARE(rig.port.calls.load(), 0);
        QVERIFY(rig.session.isFinished());
    }
}

void HttpSessionTest::endsAfterManyRequests()
{
    HttpOptions options;
    options.limits.requestsPerConnection = 3;
    SessionRig rig(options);
    rig.feed(kJob.repeated(5));
    const auto replies = rig.replies();
    QCOMPARE(replies.size(), 3);
    QVERIFY(!replies[1].closes());
    QVERIFY(replies[2].closes());
    QCOMPARE(rig.port.calls.load(), 3);
}

void HttpSessionTest::answersAClientThatSendsNoMore()
{
    SessionRig rig;
    rig.port.hold = true;
    rig.feed(kJob);
    rig.session.endOfInput();
    QVERIFY(!rig.session.isFinished());
    rig.port.release();
    rig.settle();
    QCOMPARE(rig.replies().size(), 1);
    QVERIFY(rig.session.isFinished());
}

void HttpSessionTest::ignoresLateAnswers()
{
    SessionRig rig;
    rig.port.hold = true;
    rig.feed(kJob);
    rig.pass(30'000);
    QCOMPARE(rig.replies().size(), 1);
    QCOMPARE(rig.replies().first().code(), u"db_busy"_s);
    QCOMPARE(rig.replies().first().headers.value("retry-after"), "1");
    rig.port.release();
    rig.settle();
    QCOMPARE(rig.replies().size(), 1);
    rig.session.complete(99, {{1, 99}, Health{}}, rig.clock.steadyMs());
    QCOMPARE(rig.replies().size(), 1);
    rig.port.hold = false;
    rig.feed(kJob);
    QCOMPARE(rig.replies().size(), 2);
    QCOMPARE(rig.replies().last().status, 202);
}

void HttpSessionTest::passesKeyAndHash()
{
    SessionRig rig;
    rig.feed(post("{\"type\":\"a\"}", "Idempotency-Key:  K e\xc3\xa9y \r\n") + kJob);
    QCOMPARE(rig.port.requests[0].idempotencyKey, QByteArray("K e\xc3\xa9y"));
    QCOMPARE(rig.port.requests[0].bodyHash, bearerTokenHash("{\"type\":\"a\"}"));
    QCOMPARE(rig.port.requests[0].route, u"/jobs"_s);
    QVERIFY(!rig.port.requests[1].idempotencyKey);
    rig.feed(post("{\"type\":\"a\"}", "Idempotency-Key: " + QByteArray(256, 'k') + "\r\n"));
    QCOMPARE(rig.replies().last().status, 422);
    rig.feed(post("{\"type\":\"a\"}", "Idempotency-Key: \xff\r\n"));
    QCOMPARE(rig.replies().last().status, 422);
    QCOMPARE(rig.port.requests.size(), 2U);
}

void HttpSessionTest::saysDuplicate()
{
    SessionRig rig;
    rig.feed(kJob);
    QCOMPARE(rig.replies().last().body, QByteArray("{\"jobId\":\"") + FakePort::kJobId + "\"}");
    rig.port.duplicate = true;
    rig.feed(kJob);
    QCOMPARE(rig.replies().last().body,
             QByteArray("{\"jobId\":\"") + FakePort::kJobId + "\",\"duplicate\":true}");
}

void HttpSessionTest::answersABatchWithItsJobs()
{
    SessionRig rig;
    const QByteArray body = "[{\"type\":\"a\"},{\"type\":\"b\",\"payload\":1.0,\"delaySeconds\":2}]";
    rig.feed(post(body, "Idempotency-Key: k\r\n", "/jobs/batch"));
    const QByteArray ids = QByteArray("[\"") + FakePort::kJobId + "\",\"" + FakePort::kJobId + "\"]";
    QCOMPARE(rig.replies().last().status, 202);
    QCOMPARE(rig.replies().last().body, "{\"jobIds\":" + ids + "}");
    const EnqueueRequest& request = rig.port.requests.front();
    QCOMPARE(request.route, u"/jobs/batch"_s);
    QCOMPARE(request.bodyHash, bearerTokenHash(body));
    QCOMPARE(request.idempotencyKey, QByteArray("k"));
    QCOMPARE(request.jobs[1].payload, "1.0");
    QCOMPARE(request.jobs[1].delayMs, std::optional<qint64>(2000));
    rig.port.duplicate = true;
    rig.feed(post(body, "Idempotency-Key: k\r\n", "/jobs/batch"));
    QCOMPARE(rig.replies().last().body, "{\"jobIds\":" + ids + ",\"duplicate\":true}");
}

void HttpSessionTest::listsTheWrongFieldsOfABatch()
{
    SessionRig rig;
    rig.feed(post("[{\"type\":\"a\"},{\"type\":\"\",\"delaySeconds\":-1},{}]", {}, "/jobs/batch"));
    const QJsonArray errors = rig.replies().last().json()[u"errors"_s].toArray();
    QStringList shown;
    for (const auto& error : errors)
        shown += u"%1 %2"_s.arg(error[u"index"_s].toInt()).arg(error[u"field"_s].toString());
    QCOMPARE(shown, QStringList({u"1 type"_s, u"1 delaySeconds"_s, u"2 type"_s}));
    QCOMPARE(rig.port.requests.size(), 0U);
}

void HttpSessionTest::mapsErrors_data()
{
    QTest::addColumn<int>("kind");
    QTest::addColumn<QString>("detail");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("code");
    QTest::addColumn<QByteArray>("retryAfter");
    const auto row = [](const char* name, ErrorKind kind, const QString& detail, int status, const char* code,
                        const char* retryAfter) {
        QTest::newRow(name) << int(kind) << detail << status << QString::fromUtf8(code)
                            << QByteArray(retryAfter);
    };
    row("backlog", ErrorKind::Refused, u"backlog"_s, 429, "too_many_requests", "1");
    row("stopping", ErrorKind::Refused, u"stopping"_s, 503, "shutting_down", "5");
    row("busy", ErrorKind::Busy, {}, 503, "db_busy", "1");
    row("full", ErrorKind::StorageFull, {}, 503, "storage_full", "30");
    row("read only", ErrorKind::ReadOnly, {}, 503, "read_only", "60");
    row("corrupt", ErrorKind::Corrupt, {}, 503, "read_only", "60");
    row("connection lost", ErrorKind::ConnectionLost, {}, 503, "db_busy", "1");
    row("internal", ErrorKind::Internal, {}, 503, "db_busy", "1");
    row("key reused", ErrorKind::Conflict, {}, 422, "idempotency_key_reused", "");
    row("not valid", ErrorKind::InvalidInput, {}, 422, "invalid_field", "");
}

void HttpSessionTest::mapsErrors()
{
    QFETCH(int, kind);
    QFETCH(QString, detail);
    QFETCH(int, status);
    QFETCH(QString, code);
    QFETCH(QByteArray, retryAfter);
    SessionRig rig;
    rig.port.error = Error{ErrorKind(kind), u"SQL: no"_s, detail, u"payload"_s};
    rig.feed(kJob);
    const auto replies = rig.replies();
    QCOMPARE(replies.size(), 1);
    QCOMPARE(replies.first().status, status);
    QCOMPARE(replies.first().code(), code);
    QCOMPARE(replies.first().headers.value("retry-after"), retryAfter);
    QCOMPARE(replies.first().closes(), code == u"shutting_down"_s);
    QCOMPARE(rig.session.isFinished(), code == u"shutting_down"_s);
}

void HttpSessionTest::listsAllWrongFields()
{
    SessionRig rig;
    rig.feed(post("{\"delaySeconds\":-1}", "Idempotency-Key:\r\n"));
    const QJsonObject json = rig.replies().first().json();
    QCOMPARE(json[u"errors"_s].toArray().size(), 3);
    QCOMPARE(json[u"field"_s].toString(), u"type"_s);
    QCOMPARE(json[u"errors"_s][1][u"field"_s].toString(), u"delaySeconds"_s);
    QCOMPARE(json[u"errors"_s][1][u"error"_s].toString(),
             u"'delaySeconds' must be a whole number from 0 to 86400."_s);
}

void HttpSessionTest::saysWhyItIsNotHealthy()
{
    SessionRig rig;
    rig.port.healthy = false;
    rig.feed(kHealth);
    const HttpReply reply = rig.replies().first();
    QCOMPARE(reply.status, 503);
    QCOMPARE(reply.json()[u"reasons"_s][0].toString(), u"the disk is \"full\""_s);
    QCOMPARE(reply.code(), u"unhealthy"_s);
}

void HttpSessionTest::finishesWhileStopping()
{
    SessionRig busy;
    busy.port.hold = true;
    busy.feed(kJob + kJob);
    busy.service.stopping = true;
    busy.session.stop();
    QVERIFY(!busy.session.isFinished());
    busy.feed(kJob);
    busy.port.release();
    busy.settle();
    const auto replies = busy.replies();
    QCOMPARE(replies.size(), 3);
    QCOMPARE(replies[0].status, 202);
    QVERIFY(!replies[0].closes());
    QCOMPARE(replies[1].status, 202);
    QCOMPARE(replies[2].code(), u"shutting_down"_s);
    QCOMPARE(replies[2].headers.value("retry-after"), "5");
    QVERIFY(replies[2].closes());
    QVERIFY(busy.session.isFinished());
    QCOMPARE(busy.port.calls.load(), 2);

    SessionRig waiting;
    waiting.port.hold = true;
    waiting.feed(kJob);
    waiting.service.stopping = true;
    waiting.session.stop();
    waiting.port.release();
    waiting.settle();
    QVERIFY(waiting.replies().first().closes());
    QVERIFY(waiting.session.isFinished());

    SessionRig idle;
    idle.feed(kHealth);
    idle.service.stopping = true;
    idle.session.stop();
    QVERIFY(idle.session.isFinished());
}

QTEST_GUILESS_MAIN(HttpSessionTest)
#include "http_session_test.moc"
