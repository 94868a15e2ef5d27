#include "core/net/target_url.h"

#include <QTest>

using namespace redrive;

class TargetUrlTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void accepted_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QByteArray>("encoded");
        QTest::addColumn<QByteArray>("host");
        QTest::addColumn<int>("port");
        QTest::addColumn<QString>("address");
        const auto row = [](const QString& text, const char* encoded, const char* host, int port,
                            const char* address = "") {
            QTest::newRow(qPrintable(text))
                << text << QByteArray(encoded) << QByteArray(host) << port << QString::fromLatin1(address);
        };
        row(u"https://example.com/hook"_s, "https://example.com/hook", "example.com", 443);
        row(u"http://example.com"_s, "http://example.com", "example.com", 80);
        row(u"HTTP://EXAMPLE.com:8080/a?b=c#part"_s, "http://example.com:8080/a?b=c", "example.com", 8080);
        row(u"http://bücher.example/ü"_s, "http://xn--bcher-kva.example/%C3%BC", "xn--bcher-kva.example", 80);
        row(u"http://my_service.internal:81/"_s, "http://my_service.internal:81/", "my_service.internal", 81);
        row(u"http://127.0.0.1:9/"_s, "http://127.0.0.1:9/", "127.0.0.1", 9, "127.0.0.1");
        row(u"http://2130706433/"_s, "http://127.0.0.1/", "127.0.0.1", 80, "127.0.0.1");
        row(u"http://0x7f.1/"_s, "http://127.0.0.1/", "127.0.0.1", 80, "127.0.0.1");
        row(u"http://0177.0.0.1/"_s, "http://127.0.0.1/", "127.0.0.1", 80, "127.0.0.1");
        row(u"http://127.1/"_s, "http://127.0.0.1/", "127.0.0.1", 80, "127.0.0.1");
        row(u"http://１２７.0.0.1/"_s, "http://127.0.0.1/", "127.0.0.1", 80, "127.0.0.1");
        row(u"http://[::ffff:7f00:1]/"_s, "http://[::ffff:127.0.0.1]/", "::ffff:127.0.0.1", 80,
            "::ffff:127.0.0.1");
        row(u"https://[2606:4700::1]:8443/x"_s, "https://[2606:4700::1]:8443/x", "2606:4700::1", 8443,
            "2606:4700::1");
        row(u"http://example.com/%0d%0aHost:x"_s, "http://example.com/%0D%0AHost:x", "example.com", 80);
        row(u"http://example.com/a%2Fb/../c"_s, "http://example.com/a%2Fb/../c", "example.com", 80);
    }
    void accepted()
    {
        QFETCH(QString, text);
        QFETCH(QString, address);
        const auto target = parseTargetUrl(text);
        QVERIFY2(target, target ? "" : qPrintable(target.error().text()));
        QTEST(target->encoded, "encoded");
        QTEST(target->host, "host");
        QTEST(int(target->port), "port");
        QCOMPARE(target->address.has_value(), !address.isEmpty());
        if (target->address)
            QCOMPARE(target->address->toString(), address);
        QCOMPARE(target->isTls, target->encoded.startsWith("https:"));
    }

    void refused_data()
    {
        QTest::addColumn<QString>("text");
        for (const char* text : {"",
                                 "hook",
                                 "/hook",
                                 "//example.com/",
                                 "file:///etc/passwd",
                                 "ftp://example.com/",
                                 "gopher://x/",
                                 "javascript:alert(1)",
                                 "http://",
                                 "http:///path",
                                 "http:example.com",
                                 "http://user@host/",
                                 "http://user:pass@host/",
                                 "http://@host/",
                                 "http://host:0/",
                                 "http://host:65536/",
                                 "http://host:x/",
                                 "http://exa mple.com/",
                                 "http://example.com/a b",
                                 "http://example.com\\@evil/",
                                 "http://example.com/\r\nX: y",
                                 "http://example.com/\t",
                                 "http://[::1/",
                                 "http://[fe80::1%25eth0]/",
                                 "http://exam%00ple.com/",
                                 "http://a%2fb/",
                                 "http://1.2.3.4.5.999:70000/"})
            QTest::addRow("'%s'", text) << QString::fromLatin1(text);
        QTest::newRow("too long") << u"http://example.com/"_s + QString(8'192, u'x');
        QTest::newRow("NUL") << u"http://example.com/"_s + QChar(0);
    }
    void refused()
    {
        QFETCH(QString, text);
        const auto target = parseTargetUrl(text);
        QVERIFY2(!target, target ? target->encoded.constData() : "");
        QCOMPARE(target.error().kind, ErrorKind::InvalidInput);
        QVERIFY(!target.error().message.isEmpty());
    }
};

QTEST_APPLESS_MAIN(TargetUrlTest)
#include "target_url_test.moc"
