#include "core/net/response_buffer.h"

#include <QTest>

using namespace redrive;

class ResponseBufferTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void keepsTheFinalAnswersHead()
    {
        ResponseBuffer buffer;
        for (const char* line : {"HTTP/1.1 100 Continue\r\n", "X-Early: a\r\n", "\r\n", "HTTP/1.1 200 OK\r\n",
                                 "X-Late: HTTP/1.1\r\n", "\r\n", "X-Trailer: b\r\n"})
            QVERIFY(buffer.takeHeader(line));
        QCOMPARE(buffer.headers(), "HTTP/1.1 200 OK\r\nX-Late: HTTP/1.1\r\n");
        QVERIFY(buffer.headersComplete() && buffer.isHttp1());
    }

    void findsFields_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<bool>("found");
        QTest::addColumn<QByteArray>("value");
        QTest::newRow("plain") << QByteArray("Retry-After: 5\r\n") << true << QByteArray("5");
        QTest::newRow("case") << QByteArray("RETRY-after:5\r\n") << true << QByteArray("5");
        QTest::newRow("spaces") << QByteArray("Retry-After: \t 5 \r\n") << true << QByteArray("5");
        QTest::newRow("empty") << QByteArray("Retry-After:\r\n") << true << QByteArray("");
        QTest::newRow("longer name") << QByteArray("Retry-After-All: 5\r\n") << false << QByteArray();
        QTest::newRow("in a value") << QByteArray("X: Retry-After: 5\r\n") << false << QByteArray();
    }
    void findsFields()
    {
        QFETCH(QByteArray, line);
        QFETCH(bool, found);
        ResponseBuffer buffer;
        buffer.takeHeader("HTTP/1.1 200 OK\r\n");
        buffer.takeHeader(line);
        buffer.takeHeader("Retry-After-Other: 9\r\n");
        const auto value = buffer.field("Retry-After");
        QCOMPARE(value.has_value(), found);
        if (value)
            QTEST(*value, "value");
    }

    void theFirstOfRepeatedFieldsCounts()
    {
        ResponseBuffer buffer;
        for (const char* line : {"HTTP/1.1 200 OK\r\n", "Retry-After: 1\r\n", "Retry-After: 2\r\n", "\r\n"})
            buffer.takeHeader(line);
        QCOMPARE(buffer.field("retry-after").value(), "1");
    }

    void headersAreLimited()
    {
        ResponseBuffer buffer;
        QVERIFY(buffer.takeHeader("HTTP/1.1 200 OK\r\n"));
        const QByteArray line = "X: " + QByteArray(1'019, 'a') + "\r\n";
        for (int i = 0; i < 63; ++i)
            QVERIFY(buffer.takeHeader(line));
        QVERIFY(!buffer.takeHeader(line));
        QVERIFY(buffer.headersTooLarge());
        QVERIFY(buffer.headers().size() <= 65'536);
    }

    void endlessInformationalAnswersAreLimitedToo()
    {
        ResponseBuffer buffer;
        int taken = 0;
        while (buffer.takeHeader("HTTP/1.1 102 Processing\r\n") && buffer.takeHeader("\r\n") &&
               taken < 100'000)
            ++taken;
        QVERIFY(buffer.headersTooLarge());
    }

    void bodyIsCutAtItsLimit()
    {
        ResponseBuffer buffer;
        QVERIFY(buffer.takeBody(QByteArray(60'000, 'a')));
        QVERIFY(buffer.takeBody(QByteArray(5'536, 'b')));
        QVERIFY(buffer.takeBody({}));
        QVERIFY(!buffer.bodyCut());
        QVERIFY(!buffer.takeBody("c"));
        QVERIFY(buffer.bodyCut());
        QCOMPARE(buffer.body().size(), 65'536);
    }
};

QTEST_APPLESS_MAIN(ResponseBufferTest)
#include "response_buffer_test.moc"
