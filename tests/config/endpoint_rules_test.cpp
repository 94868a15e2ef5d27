// core/config may not include core/net, so it has rules of its own for what a configuration says. Here both
// judge the same inputs.
#include "core/config/endpoint_rules.h"
#include "core/net/allow_entry.h"
#include "core/net/header_rules.h"
#include "core/net/signer.h"
#include "core/net/target_url.h"

#include <QTest>

using namespace redrive;

class EndpointRulesTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void urls_data()
    {
        QTest::addColumn<QString>("url");
        QTest::addColumn<bool>("allowed");
        const auto row = [](const QString& url, bool allowed) {
            QTest::addRow("%s", qPrintable(url.left(60))) << url << allowed;
        };
        row(u"https://example.com/hook?x=1#f"_s, true);
        row(u"http://127.0.0.1:8080/"_s, true);
        row(u"http://[::1]:8080/"_s, true);
        row(u"HTTPS://EXAMPLE.com"_s, true);
        row(u"http://2130706433/"_s, true);
        row(u"http://exämple.com/"_s, true);
        row(u"https://example.com/"_s + QString(8'172, u'a'), true);
        row(u"https://example.com/"_s + QString(8'173, u'a'), false);
        row(QString(), false);
        row(u"example.com"_s, false);
        row(u"file:///etc/passwd"_s, false);
        row(u"ftp://example.com/"_s, false);
        row(u"javascript:alert(1)"_s, false);
        row(u"http://user@host/"_s, false);
        row(u"http://user:pass@host/"_s, false);
        row(u"http://@host/"_s, false);
        row(u"http:///path"_s, false);
        row(u"http://host:0/"_s, false);
        row(u"http://host:65536/"_s, false);
        row(u"http://host:port/"_s, false);
        row(u"http://ho st/"_s, false);
        row(u"http://host/a\r\nb"_s, false);
        row(u"http://host\\@other/"_s, false);
        row(u"http://[fe80::1%25eth0]/"_s, false);
    }

    void urls()
    {
        QFETCH(QString, url);
        QFETCH(bool, allowed);
        QCOMPARE(checkEndpointUrl(url).has_value(), allowed);
        QCOMPARE(parseTargetUrl(url).has_value(), allowed);
    }

    void headers_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("value");
        QTest::addColumn<bool>("allowed");
        const auto row = [](const QString& name, const QString& value, bool allowed) {
            QTest::addRow("%s: %s", qPrintable(name), qPrintable(value)) << name << value << allowed;
        };
        row(u"X-Api-Key"_s, u"abc"_s, true);
        row(u"Authorization"_s, u"Bearer\tx"_s, true);
        row(u"User-Agent"_s, u"ä"_s, true);
        row(u"X-Empty"_s, QString(), true);
        row(u"X"_s, u"a\r\nHost: b"_s, false);
        row(u"X"_s, u"a\nb"_s, false);
        row(u"X"_s, u"a\u007f"_s, false);
        row(u"X"_s, QString(QChar(0)), false);
        row(QString(), u"a"_s, false);
        row(u"X Y"_s, u"a"_s, false);
        row(u"X:"_s, u"a"_s, false);
        row(u"Ä"_s, u"a"_s, false);
        for (const QString& name :
             {u"Host"_s, u"content-length"_s, u"TRANSFER-ENCODING"_s, u"Connection"_s, u"Content-Type"_s,
              u"webhook-id"_s, u"Webhook-Signature"_s, u"webhook-timestamp"_s, u"Expect"_s, u"Keep-Alive"_s,
              u"Upgrade"_s, u"TE"_s, u"Trailer"_s, u"Proxy-Connection"_s, u"Proxy-Authorization"_s})
            row(name, u"a"_s, false);
    }

    void headers()
    {
        QFETCH(QString, name);
        QFETCH(QString, value);
        QFETCH(bool, allowed);
        QCOMPARE(checkEndpointHeader(name, value).has_value(), allowed);
        QCOMPARE(checkCustomHeader(name.toUtf8(), value.toUtf8()).has_value(), allowed);
    }

    void everyWebhookHeaderIsReserved() { QVERIFY(!checkEndpointHeader(u"Webhook-Anything"_s, u"a"_s)); }

    void secrets_data()
    {
        QTest::addColumn<QByteArray>("secret");
        QTest::addColumn<qsizetype>("bytes"); // -1: refused
        const auto made = [](int bytes) { return "whsec_" + QByteArray(bytes, 'k').toBase64(); };
        QTest::newRow("vector") << QByteArray("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw") << qsizetype(24);
        QTest::newRow("15") << made(15) << qsizetype(-1);
        QTest::newRow("16") << made(16) << qsizetype(16);
        QTest::newRow("64") << made(64) << qsizetype(64);
        QTest::newRow("65") << made(65) << qsizetype(-1);
        QTest::newRow("blanks around") << QByteArray(" " + made(24) + "\n") << qsizetype(24);
        QTest::newRow("no marker") << made(24).mid(6) << qsizetype(-1);
        QTest::newRow("no base64") << QByteArray("whsec_????????????????????????????????") << qsizetype(-1);
        QTest::newRow("empty") << QByteArray() << qsizetype(-1);
    }

    void secrets()
    {
        QFETCH(QByteArray, secret);
        QFETCH(qsizetype, bytes);
        QCOMPARE(checkSigningSecret(secret).value_or(-1), bytes);
        const auto parsed = parseSigningSecret(secret);
        QCOMPARE(parsed ? parsed->bytes.size() : qsizetype(-1), bytes);
    }

    void targets_data()
    {
        QTest::addColumn<QString>("target");
        QTest::addColumn<bool>("allowed");
        const auto row = [](const char* target, bool allowed) {
            QTest::addRow("%s", target) << QString::fromUtf8(target) << allowed;
        };
        row("10.0.0.7", true);
        row("10.0.0.0/8", true);
        row("0.0.0.0/0", true);
        row("10.0.0.7/32:8443", true);
        row("10.0.0.7:8443", true);
        row("fd00::7", true);
        row("fd00::/8", true);
        row("fd00::7/128:8443", true);
        row("[fd00::7]:8443", true);
        row("[fd00::7]", true);
        row("[fd00::]/8:1", true);
        row("::ffff:10.0.0.7", true);
        row("", false);
        row("10.0.0.7/33", false);
        row("10.0.0.7/8", false);
        row("10.0.0.7/032", false);
        row("10.0.0.7/", false);
        row("10.0.0.7/32:", false);
        row("10.0.0.7:0", false);
        row("10.0.0.7:65536", false);
        row("10.0.0.7:80x", false);
        row("10.1", false);
        row("010.0.0.7", false);
        row("0x7f.0.0.1", false);
        row("localhost", false);
        row("fd00::7/129", false);
        row("fd00::7/64", false);
        row("[fd00::7", false);
        row("[fd00::7]x", false);
        row("fe80::1%eth0", false);
        row(" 10.0.0.7", false);
    }

    void targets()
    {
        QFETCH(QString, target);
        QFETCH(bool, allowed);
        QCOMPARE(checkPrivateTarget(target).has_value(), allowed);
        QCOMPARE(AllowEntry::parse(target).has_value(), allowed);
    }
};

QTEST_APPLESS_MAIN(EndpointRulesTest)
#include "endpoint_rules_test.moc"
