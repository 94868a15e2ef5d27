// POST /ingest and its like, as the front reads and answers them: what goes to the engine byte for byte, and
// the answers whole.
#include "core/intake/batch_texts.h"
#include "tests/intake/session_rig.h"

#include <QTest>

using namespace redrive;
using namespace redrive::test;

namespace {

const QByteArray kId = FakePort::kJobId;

HttpOptions withToken()
{
    HttpOptions options;
    options.tokens = bookOf({"secret"});
    return options;
}

QByteArray post(const QByteArray& path, const QByteArray& body, const QByteArray& headers = {})
{
    return "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer secret\r\n" + headers +
           "Content-Length: " + QByteArray::number(body.size()) + "\r\n\r\n" + body;
}

HttpReply ask(SessionRig& rig, const QByteArray& path, const QByteArray& body, const QByteArray& headers = {})
{
    rig.feed(post(path, body, headers));
    return rig.replies().last();
}

} // namespace

class IngestTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void keepsTheWholeBody()
    {
        SessionRig rig(withToken());
        for (const QByteArray& body :
             {QByteArray("\r\n { \"z\" : 18446744073709551615, \"a\":1.0 }\n"), QByteArray("\"\\u00e9\""),
              QByteArray("[]"), QByteArray("null"), QByteArray("{\"source\":5,\"tenantId\":[]}")}) {
            const HttpReply reply = ask(rig, "/ingest", body, "Idempotency-Key: k\r\n");
            QCOMPARE(reply.status, 202);
            QCOMPARE(reply.body, "{\"status\":\"accepted\",\"eventId\":\"" + kId + "\"}");
            const IngestRequest& asked = rig.port.ingests.back();
            QCOMPARE(asked.events, QByteArrayList{body});
            QVERIFY(!asked.intoTable);
            QCOMPARE(asked.route, u"/ingest"_s);
            QCOMPARE(asked.token, u"1"_s);
            QCOMPARE(asked.idempotencyKey, QByteArray("k"));
            QCOMPARE(asked.bodyHash, bearerTokenHash(body));
        }
        rig.port.duplicate = true;
        QCOMPARE(ask(rig, "/ingest", "{}").body,
                 "{\"status\":\"accepted\",\"eventId\":\"" + kId + "\",\"duplicate\":true}");
    }

    void answersWhatIsInTheTable()
    {
        SessionRig rig(withToken());
        const HttpReply stored = ask(rig, "/ingest/sync", "{}");
        QCOMPARE(stored.status, 201);
        QCOMPARE(stored.body, "{\"status\":\"stored\",\"eventId\":\"" + kId + "\"}");
        QVERIFY(rig.port.ingests.back().intoTable);
        QCOMPARE(rig.port.ingests.back().route, u"/ingest/sync"_s);
        rig.port.error = Error{ErrorKind::Constraint,
                               u"insert"_s,
                               u"CHECK constraint failed: source IN ('audit', 'metric')"_s,
                               {}};
        const HttpReply refused = ask(rig, "/ingest/sync", "{}");
        QCOMPARE(refused.status, 422);
        QCOMPARE(refused.code(), u"invalid_field"_s);
        QCOMPARE(refused.json()[u"error"_s].toString(),
                 u"CHECK constraint failed: source IN ('audit', 'metric')"_s);
        QCOMPARE(rig.service.counters.sync.accepted.load(), 1U);
        QCOMPARE(rig.service.counters.sync.rejected.load(), 1U);
    }

    void saysThatThereIsNoQueue()
    {
        SessionRig rig(withToken());
        rig.port.error = Error{ErrorKind::Refused, u"none"_s, u"no queue"_s, {}};
        const HttpReply reply = ask(rig, "/ingest", "{}");
        QCOMPARE(reply.status, 404);
        QCOMPARE(reply.code(), u"no_telemetry_queue"_s);
    }

    void storesTheGoodOnesOfABatch()
    {
        SessionRig rig(withToken());
        QByteArray body;
        for (int i = 0; i < 500; ++i)
            body += i == 17 || i == 300 || i == 499 ? QByteArray("{\"n\":01}\r\n")
                                                    : "{\"n\":" + QByteArray::number(i) + "}\r\n";
        const HttpReply reply = ask(rig, "/ingest/batch", body);
        QCOMPARE(reply.status, 202);
        const QJsonObject json = reply.json();
        QCOMPARE(json[u"accepted"_s].toInt(), 497);
        QCOMPARE(json[u"rejected"_s].toInt(), 3);
        QCOMPARE(json[u"eventIds"_s].toArray().size(), 497);
        const QJsonArray errors = json[u"errors"_s].toArray();
        QCOMPARE(errors.size(), 3);
        QCOMPARE(errors[0][u"index"_s].toInt(), 17);
        QCOMPARE(errors[1][u"index"_s].toInt(), 300);
        QCOMPARE(errors[2][u"index"_s].toInt(), 499);
        QCOMPARE(errors[0][u"code"_s].toString(), u"invalid_json"_s);
        QCOMPARE(errors[0][u"error"_s].toString(), u"Malformed JSON payload"_s);
        const qsizetype at = body.indexOf("01}") + 1;
        QCOMPARE(errors[0][u"offset"_s].toInt(), at);
        QVERIFY(errors[0][u"detail"_s].toString().startsWith(u"JSON error at byte %1: "_s.arg(at)));
        const IngestRequest& asked = rig.port.ingests.back();
        QCOMPARE(asked.events.size(), 497);
        QCOMPARE(asked.events[17], QByteArray("{\"n\":18}"));
        QCOMPARE(rig.service.counters.batch.accepted.load(), 497U);
        QCOMPARE(rig.service.counters.batch.rejected.load(), 3U);
    }

    // Also in an array, where one that is broken could break the rest.
    void judgesEachElementByItself()
    {
        SessionRig rig(withToken());
        const HttpReply reply =
            ask(rig, "/ingest/batch",
                "[ {\"a\":\"],{\"}, {\"b\":01} ,, {\"c\":\"\\\"\\\\\"},{\"d\":\"\\q\"}, [1,[2]], "
                "{\"e\":1,\"e\":2}, {\"f\":\"\xff\"}, {\"g\":\"\\u0000\"}, {\"h\":[1}] ]");
        QCOMPARE(reply.status, 202);
        QStringList shown;
        for (const auto& error : reply.json()[u"errors"_s].toArray())
            shown += QString::number(error[u"index"_s].toInt()) + u' ' + error[u"code"_s].toString();
        QCOMPARE(shown, QStringList({u"1 invalid_json"_s, u"2 invalid_json"_s, u"4 invalid_json"_s,
                                     u"6 duplicate_key"_s, u"7 invalid_utf8"_s, u"8 invalid_characters"_s,
                                     u"9 invalid_json"_s}));
        QCOMPARE(rig.port.ingests.back().events,
                 QByteArrayList({"{\"a\":\"],{\"}", "{\"c\":\"\\\"\\\\\"}", "[1,[2]]"}));
    }

    void refusesABatchWithoutAGoodOne()
    {
        SessionRig rig(withToken());
        const HttpReply reply = ask(rig, "/ingest/batch", "[01,{\"a\":}]");
        QCOMPARE(reply.status, 422);
        const QJsonObject json = reply.json();
        QCOMPARE(json[u"accepted"_s].toInt(-1), 0);
        QCOMPARE(json[u"rejected"_s].toInt(), 2);
        QCOMPARE(json[u"errors"_s].toArray().size(), 2);
        QVERIFY(looksLikeId(json[u"requestId"_s].toString()));
        QVERIFY(rig.port.ingests.empty());
    }

    // What a batch as a whole has too much of, each of its events may have.
    void limitsHoldForEachEvent()
    {
        QByteArray keys = "{";
        for (int i = 0; i < 30; ++i)
            keys += (i == 0 ? "\"k" : ",\"k") + QByteArray::number(i) + "\":1";
        keys += '}';
        const QByteArray deep = QByteArray(64, '[') + QByteArray(64, ']');
        SessionRig rig(withToken());
        const HttpReply reply = ask(rig, "/ingest/batch", '[' + (keys + ',').repeated(499) + deep + ']');
        QCOMPARE(reply.status, 202);
        QCOMPARE(reply.json()[u"accepted"_s].toInt(), 500);
        const QByteArray large = '"' + QByteArray(127'999, 'x') + '"';
        const HttpReply mixed = ask(rig, "/ingest/batch", "{}\n" + large);
        QCOMPARE(mixed.json()[u"errors"_s][0][u"code"_s].toString(), u"body_too_large"_s);
        QCOMPARE(mixed.json()[u"errors"_s][0][u"index"_s].toInt(), 1);
        QCOMPARE(mixed.json()[u"accepted"_s].toInt(), 1);
    }

    void splits_data()
    {
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<QByteArrayList>("elements");
        QTest::addColumn<bool>("whole");
        const auto row = [](const char* body, const QByteArrayList& elements, bool whole = true) {
            QTest::addRow("%s", body) << QByteArray(body) << elements << whole;
        };
        row("[]", {});
        row(" [ ] ", {});
        row("[1]", {"1"});
        row("[ 1 , 2 ]", {"1", "2"});
        row("[,]", {"", ""});
        row("[1,]", {"1", ""});
        row("[[1,2],{\"a\":[3,4]}]", {"[1,2]", "{\"a\":[3,4]}"});
        row("[\"]\",\"\\\"]\"]", {"\"]\"", "\"\\\"]\""});
        row("[1", {}, false);
        row("[", {}, false);
        row("[\"a]", {}, false);
        row("[\"a\\", {}, false);
        row("[1]]", {}, false);
        row("[1] 2", {}, false);
        row("[1}", {}, false);
        row("1", {}, false);
    }
    void splits()
    {
        QFETCH(QByteArray, body);
        QFETCH(QByteArrayList, elements);
        QFETCH(bool, whole);
        const auto texts = batch_texts::elements(body, 500);
        QCOMPARE(texts.has_value(), whole);
        QByteArrayList found;
        for (const QByteArrayView text : texts.value_or(QList<QByteArrayView>()))
            found += text.toByteArray();
        QCOMPARE(found, elements);
    }
};

QTEST_GUILESS_MAIN(IngestTest)
#include "ingest_test.moc"
