#include "core/intake/job_request.h"

#include <QTest>

using namespace redrive;

class JobRequestTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void keepsThePayload_data();
    void keepsThePayload();
    void readsFields();
    void ignoresTheRest();
    void judgesEveryEndpoint();
    void judgesUrls_data();
    void judgesUrls();
    void judgesPaths_data();
    void judgesPaths();
    void leavesPathsWithoutRoots();

private:
    static tl::expected<EnqueueRequest, HttpProblem> read(const QByteArray& body)
    {
        return readJobRequest(body, {}, PayloadRules({u"/srv/files"_s, u"/data/"_s}));
    }
};

void JobRequestTest::keepsThePayload_data()
{
    QTest::addColumn<QByteArray>("payload");
    int n = 0;
    for (const char* payload :
         {"9007199254740993", "18446744073709551615", "-0", "1.0", "1e2", "1E+999", "null", "[]", "\"\"",
          "{\"z\":1,\"a\":{\"y\":2,\"b\":3}}", "{ \"spaced\" : [ 1 , 2 ] }",
          "\"\\u00e9\\/\\ud83d\\ude00\\n\"", "\"😀 é \x7f\"", "{\"a\":1,\"a\":2}", "\"</script>\"",
          "{\"\":{\"type\":\"x\",\"payload\":\"y\"}}"})
        QTest::addRow("%d", ++n) << QByteArray(payload);
    QTest::newRow("400 digits") << QByteArray(400, '9');
    QTest::newRow("deep") << QByteArray(63, '[') + QByteArray(63, ']');
    QTest::newRow("large") << "\"" + QByteArray(100'000, 'x') + "\"";
}

void JobRequestTest::keepsThePayload()
{
    QFETCH(QByteArray, payload);
    for (const QByteArray& body : {"{\"type\":\"t\",\"payload\":" + payload + "}",
                                   "\n{ \"payload\" :\r\n" + payload + "\t, \"type\" : \"t\" } "}) {
        const auto request = read(body);
        QVERIFY(request);
        QCOMPARE(request->jobs.front().payload, payload);
        QCOMPARE(request->jobs.front().type, u"t"_s);
    }
}

void JobRequestTest::readsFields()
{
    auto request = read("{\"type\":\"\\u0061 é\",\"delaySeconds\":86400,\"payload\":5}");
    QVERIFY(request);
    QCOMPARE(request->jobs.front().type, u"a é"_s);
    QCOMPARE(request->jobs.front().delayMs, std::optional<qint64>(86'400'000));
    QVERIFY(!request->idempotencyKey);
    QCOMPARE(read("{\"type\":\"a\",\"delaySeconds\":6e1}")->jobs.front().delayMs,
             std::optional<qint64>(60'000));
    QCOMPARE(read("{\"type\":\"a\",\"delaySeconds\":0}")->jobs.front().delayMs, std::optional<qint64>(0));
    QVERIFY(!read("{\"type\":\"a\"}")->jobs.front().delayMs);
    QCOMPARE(read("{\"type\":\"a\"}")->jobs.front().payload, "null");
    QCOMPARE(read("{\"type\":\"" + QByteArray(255, 'a') + "\"}")->jobs.front().type.size(), 255);
    QCOMPARE(read("{\"type\":\"" + QByteArray(256, 'a') + "\"}").error().field, u"type"_s);
    QCOMPARE(read("{\"type\":\"a\\u0085\"}").error().field, u"type"_s);
}

void JobRequestTest::ignoresTheRest()
{
    const auto request = read("{\"id\":\"mine\",\"type\":\"a\",\"status\":\"done\",\"payload\":{}}");
    QVERIFY(request);
    QCOMPARE(request->jobs.front().payload, "{}");
}

void JobRequestTest::judgesEveryEndpoint()
{
    const auto refused =
        read("{\"type\":\"webhook_fanout\",\"payload\":{\"endpoints\":[{\"url\":\"https://a.example/"
             "\"},{\"id\":\"b\"},{\"url\":\"https://c.example/\",\"url\":\"ftp://c.example/\"}]}}");
    QCOMPARE(refused.error().code, "url_not_allowed");
    QCOMPARE(refused.error().field, u"payload.endpoints[2].url"_s);
    QVERIFY(!read("{\"type\":\"webhook_fanout\",\"payload\":{\"endpoints\":[{\"url\":5}]}}"));
    QVERIFY(!read("{\"type\":\"webhook_fanout\",\"payload\":{\"endpoints\":[{\"url\":\"ftp://x/"
                  "\"}],\"endpoints\":[]}}"));
    QVERIFY(read("{\"type\":\"webhook_fanout\",\"payload\":{\"endpoints\":[]}}"));
    QVERIFY(read("{\"type\":\"webhook_fanout\",\"payload\":[1]}"));
    QVERIFY(read("{\"type\":\"other\",\"payload\":{\"endpoints\":[{\"url\":\"ftp://x/\"}]}}"));
}

void JobRequestTest::judgesUrls_data()
{
    QTest::addColumn<QString>("url");
    QTest::addColumn<bool>("good");
    int n = 0;
    for (const char* url :
         {"http://a", "https://a.example:8443/p?q=1#f", "HTTP://A.EXAMPLE/", "http://127.0.0.1/",
          "http://[::1]:8080/", "http://[::ffff:7f00:1]/", "http://169.254.169.254/", "http://2130706433/",
          "http://bücher.example/", "http://a/@x", "http://a/?u=b@c"})
        QTest::newRow(url) << QString::fromUtf8(url) << true;
    for (const char* url : {"",
                            "a",
                            "/a",
                            "//a/",
                            "http:",
                            "http://",
                            "http:///a",
                            "http:a",
                            "ftp://a/",
                            "file:///a",
                            "ws://a/",
                            "http://u@a/",
                            "http://u:p@a/",
                            "http://@a/",
                            "http://:@a/",
                            "http://a:99999/",
                            "http://a b/",
                            "http://[::1/",
                            " http://a/",
                            "http://a/\n",
                            "javascript:alert(1)",
                            "data:,x",
                            "http://a\\@b/"})
        QTest::addRow("bad %d", ++n) << QString::fromUtf8(url) << false;
}

void JobRequestTest::judgesUrls()
{
    QFETCH(QString, url);
    QFETCH(bool, good);
    QCOMPARE(isWebhookUrl(url), good);
}

void JobRequestTest::judgesPaths_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<bool>("good");
    for (const char* path : {"a.txt", "dir/a.txt", "dir/../a.txt", "/srv/files/a", "/srv/files/x/../a",
                             "/data/a", "..a", "a..b"})
        QTest::newRow(path) << QString::fromUtf8(path) << true;
    for (const char* path : {"", "..", "../a", "a/../../b", "/etc/passwd", "/srv/files/../a", "/srv/filesx",
                             "/srv/files", "/", ":/a", "qrc:/a", "/data/../srv"})
        QTest::newRow(path) << QString::fromUtf8(path) << false;
    QTest::newRow("NUL") << QString(QChar::Null) << false;
    QTest::newRow("NUL inside") << u"a"_s + QChar::Null + u".txt"_s << false;
    QTest::newRow("longest name") << QString(255, u'a') << true;
    QTest::newRow("longer name") << QString(256, u'a') << false;
    QTest::newRow("4096 characters") << u"a/"_s.repeated(2'048) << false;
}

void JobRequestTest::judgesPaths()
{
    QFETCH(QString, path);
    QFETCH(bool, good);
    QCOMPARE(mayLieBeneath({u"/srv/files"_s, u"/data"_s}, path), good);
}

void JobRequestTest::leavesPathsWithoutRoots()
{
    QVERIFY(readJobRequest("{\"type\":\"process_file\",\"payload\":{\"path\":\"/etc/passwd\"}}", {},
                           PayloadRules({})));
    QVERIFY(!read("{\"type\":\"process_file\",\"payload\":{\"path\":\"/etc/passwd\"}}"));
    QVERIFY(read("{\"type\":\"process_file\",\"payload\":{\"path\":\"/data/x\"}}"));
}

QTEST_APPLESS_MAIN(JobRequestTest)
#include "job_request_test.moc"
