#include "core/jobs/batch_text.h"

#include <QTest>

using namespace redrive;
using namespace Qt::Literals::StringLiterals;

namespace {

WaitingMessage message(const QString& id, ContentType type, const QByteArray& body, int attempts = 0)
{
    WaitingMessage m;
    m.id = id;
    m.contentType = type;
    m.body = body;
    m.sentAtMs = 1'900'000'000'123;
    m.attempts = attempts;
    return m;
}

MessageBatch threeMessages()
{
    return {u"my/ \"Queue\""_s,
            {message(u"a"_s, ContentType::Json, R"({"big":9007199254740993, "z":1})"),
             message(u"b"_s, ContentType::Text, "line\n\"quoted\" \xc3\xa4", 2),
             message(u"c"_s, ContentType::Bytes, QByteArray("\0\xff", 2))}};
}

constexpr char kRequest[] =
    "{\"queue\":\"my/ \\\"Queue\\\"\",\"messages\":["
    "{\"id\":\"a\",\"timestamp\":1900000000123,\"attempts\":1,\"contentType\":\"json\","
    "\"body\":{\"big\":9007199254740993, \"z\":1}},"
    "{\"id\":\"b\",\"timestamp\":1900000000123,\"attempts\":3,\"contentType\":\"text\","
    "\"body\":\"line\\u000a\\\"quoted\\\" \xc3\xa4\"},"
    "{\"id\":\"c\",\"timestamp\":1900000000123,\"attempts\":1,\"contentType\":\"bytes\",\"body\":\"AP8=\"}]}";

// "ack", "retry", "retry 5000"
QString inWords(const std::vector<Decision>& decisions)
{
    QStringList words;
    for (const Decision& decision : decisions)
        words.append(decision.ack       ? u"ack"_s
                     : decision.delayMs ? u"retry %1"_s.arg(*decision.delayMs)
                                        : u"retry"_s);
    return words.join(u", "_s);
}

} // namespace

class BatchTextTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void bodiesGoOutAsTheyAre() { QCOMPARE(batchRequest(threeMessages()), QByteArray(kRequest)); }

    void answers_data()
    {
        QTest::addColumn<QByteArray>("answer");
        QTest::addColumn<QString>("decisions");
        QTest::addColumn<int>("unknown");
        QTest::newRow("nothing") << QByteArray() << u"ack, ack, ack"_s << 0;
        QTest::newRow("white space") << QByteArray(" \n") << u"ack, ack, ack"_s << 0;
        QTest::newRow("no lists") << QByteArray("{}") << u"ack, ack, ack"_s << 0;
        QTest::newRow("null lists") << QByteArray(R"({"acks":null,"retries":null})") << u"ack, ack, ack"_s
                                    << 0;
        QTest::newRow("one retry") << QByteArray(R"({"retries":[{"id":"b"}]})") << u"ack, retry, ack"_s << 0;
        QTest::newRow("a delay") << QByteArray(R"({"acks":["a"],"retries":[{"id":"c","delaySeconds":5}]})")
                                 << u"ack, ack, retry 5000"_s << 0;
        QTest::newRow("no delay") << QByteArray(R"({"retries":[{"id":"c","delaySeconds":0}]})")
                                  << u"ack, ack, retry 0"_s << 0;
        QTest::newRow("acked wins") << QByteArray(R"({"retries":[{"id":"a"}],"acks":["a"]})")
                                    << u"ack, ack, ack"_s << 0;
        QTest::newRow("unknown ids") << QByteArray(R"({"acks":["x"],"retries":[{"id":"y"},{"id":"a"}]})")
                                     << u"retry, ack, ack"_s << 2;
    }
    void answers()
    {
        QFETCH(QByteArray, answer);
        QFETCH(QString, decisions);
        QFETCH(int, unknown);
        int counted = 0;
        const auto read = batchDecisions(answer, threeMessages(), &counted);
        QVERIFY(read.has_value());
        QCOMPARE(inWords(*read), decisions);
        QCOMPARE(counted, unknown);
    }

    void unusableAnswers_data()
    {
        QTest::addColumn<QByteArray>("answer");
        for (const char* answer :
             {"[]", "nonsense", "{", R"({"acks":"a"})", R"({"acks":[1]})", R"({"retries":["a"]})",
              R"({"retries":[{"delaySeconds":1}]})", R"({"retries":[{"id":"a","delaySeconds":-1}]})",
              R"({"retries":[{"id":"a","delaySeconds":86401}]})",
              R"({"retries":[{"id":"a","delaySeconds":1.5}]})",
              R"({"retries":[{"id":"a","delaySeconds":"5"}]})"})
            QTest::newRow(answer) << QByteArray(answer);
    }
    void unusableAnswers()
    {
        QFETCH(QByteArray, answer);
        const auto read = batchDecisions(answer, threeMessages());
        QVERIFY(!read);
        QVERIFY(read.error().message.startsWith(u"the answer to the batch is not usable"));
    }
};

QTEST_APPLESS_MAIN(BatchTextTest)
#include "batch_text_test.moc"
