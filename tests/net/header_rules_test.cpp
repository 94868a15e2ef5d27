#include "core/net/header_rules.h"

#include <QTest>

using namespace redrive;

class HeaderRulesTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void judges_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<bool>("sendable");
        QTest::addColumn<bool>("custom");
        const auto row = [](const char* title, QByteArray name, QByteArray value, bool sendable,
                            bool custom) { QTest::newRow(title) << name << value << sendable << custom; };
        row("plain", "X-Tenant", "a", true, true);
        row("empty value", "X-Tenant", "", true, true);
        row("tab and high bytes", "X-Tenant", "a\tb\xc3\xa9", true, true);
        row("authorization", "Authorization", "Bearer x", true, true);
        row("signature", "webhook-id", "evt_1", true, false);
        row("signature, other case", "Webhook-Signature", "v1,x", true, false);
        row("timestamp", "webhook-timestamp", "1", true, false);
        row("content type", "content-type", "application/json", true, false);
        row("line break", "X-A", "b\r\nX-C: d", false, false);
        row("line feed", "X-A", "b\nX-C: d", false, false);
        row("carriage return", "X-A", "b\rc", false, false);
        row("NUL", "X-A", QByteArray("b\0c", 3), false, false);
        row("escape", "X-A", "b\x1b[2J", false, false);
        row("delete", "X-A", "b\x7f", false, false);
        row("no name", "", "a", false, false);
        row("space in name", "X A", "a", false, false);
        row("colon in name", "X-A:", "a", false, false);
        row("line break in name", "X-A\r\nX-B", "a", false, false);
        row("NUL in name", QByteArray("X\0A", 3), "a", false, false);
        row("not ASCII in name", "X-\xc3\xa9", "a", false, false);
        for (const char* framing :
             {"Host", "content-length", "Transfer-Encoding", "CONNECTION", "Expect", "Keep-Alive", "Upgrade",
              "TE", "Trailer", "Proxy-Connection", "Proxy-Authorization"})
            row(framing, framing, "x", false, false);
    }
    void judges()
    {
        QFETCH(QByteArray, name);
        QFETCH(QByteArray, value);
        QTEST(checkHeader(name, value).has_value(), "sendable");
        QTEST(checkCustomHeader(name, value).has_value(), "custom");
    }

    void refusalRepeatsNothingHarmful()
    {
        const auto status = checkHeader("X-A\r\n\x1b[2J", "secret\r\n");
        QVERIFY(!status);
        QVERIFY(!status.error().message.contains(u'\n') && !status.error().message.contains(QChar(0x1b)));
        QVERIFY(!checkHeader("X-A", "secret\r\n").error().text().contains(u"secret"_s));
    }
};

QTEST_APPLESS_MAIN(HeaderRulesTest)
#include "header_rules_test.moc"
