#include "core/net/target_guard.h"

#include <QTest>

using namespace redrive;

namespace {

IpAddress ip(const QString& text)
{
    return IpAddress::parse(text).value();
}

TargetGuard guardWith(const QStringList& entries, bool loopbackListener = false)
{
    return TargetGuard::make(entries, loopbackListener).value();
}

} // namespace

class TargetGuardTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void judgesTheTable_data()
    {
        QTest::addColumn<QString>("address");
        QTest::addColumn<bool>("allowed");
        for (const char* refused : {"0.0.0.0",
                                    "0.1.2.3",
                                    "10.0.0.1",
                                    "100.64.0.1",
                                    "100.127.255.254",
                                    "127.0.0.1",
                                    "127.254.254.254",
                                    "169.254.169.254",
                                    "172.16.0.1",
                                    "172.31.255.255",
                                    "192.0.0.0",
                                    "192.0.2.255",
                                    "192.88.99.3",
                                    "192.168.0.1",
                                    "198.18.0.0",
                                    "198.19.255.255",
                                    "198.51.100.65",
                                    "203.0.113.6",
                                    "224.1.2.3",
                                    "240.240.240.240",
                                    "255.255.255.255",
                                    "168.63.129.16",
                                    "::",
                                    "::1",
                                    "::127.0.0.1",
                                    "::ffff:127.0.0.1",
                                    "::ffff:0:7f00:1",
                                    "64:ff9b::7f00:1",
                                    "64:ff9b:1::1",
                                    "100::1",
                                    "2001::1",
                                    "2001:db8::1",
                                    "2002:7f00:1::1",
                                    "3fff::dead:beef",
                                    "fc00::1",
                                    "fd00:ec2::254",
                                    "fe80::1",
                                    "fec0::1",
                                    "ff02::2",
                                    "169.254.0.1",
                                    "::ffff:10.0.0.1",
                                    "::ffff:a9fe:a9fe",
                                    "64:ff9b::a00:1",
                                    "4000::1",
                                    "1fff::1",
                                    "2001:1ff:ffff::1"})
            QTest::newRow(refused) << QString::fromLatin1(refused) << false;
        for (const char* allowed :
             {"1.1.1.1", "8.8.8.8", "100.63.255.254", "100.128.0.1", "172.32.0.1", "192.0.1.1", "198.20.0.1",
              "::ffff:8.8.8.8", "2001:4860:4860::8888", "2606:4700:4700::1111", "64:ff9b::808:808",
              "9.255.255.255", "11.0.0.0", "172.15.255.255", "223.255.255.255", "168.63.129.15",
              "2001:200::1", "3ffe:ffff::1"})
            QTest::newRow(allowed) << QString::fromLatin1(allowed) << true;
    }
    void judgesTheTable()
    {
        QFETCH(QString, address);
        QFETCH(bool, allowed);
        const TargetGuard guard;
        QCOMPARE(guard.allows(ip(address), 443), allowed);
        const auto refusal = guard.judge(ip(address), 443);
        QCOMPARE(refusal.has_value(), !allowed);
        if (refusal) {
            QVERIFY(!refusal->range.isEmpty());
            QVERIFY(refusal->text().contains(refusal->range));
        }
    }

    // What a refusal offers is exactly what makes the same address pass, on that port alone.
    void theOfferedLineAllowsTheAddress_data() { judgesTheTable_data(); }
    void theOfferedLineAllowsTheAddress()
    {
        QFETCH(QString, address);
        const auto refusal = TargetGuard().judge(ip(address), 8443);
        if (!refusal)
            return;
        const QString prefix = u"allow_private_targets = [\""_s;
        QVERIFY(refusal->allowLine.startsWith(prefix));
        const QString entry = refusal->allowLine.mid(prefix.size()).chopped(2);
        const TargetGuard guard = guardWith({entry});
        QVERIFY2(guard.allows(ip(address), 8443), qPrintable(entry));
        QVERIFY(!guard.allows(ip(address), 8444));
    }

    void refusalNamesAddressRangeAndLine()
    {
        const auto refusal = guardWith({u"192.168.1.0/24"_s}).judge(ip(u"10.0.0.7"_s), 8443);
        QCOMPARE(refusal->text(), u"10.0.0.7 is refused: private network (10.0.0.0/8). To allow it: "
                                  "allow_private_targets = [\"192.168.1.0/24\", \"10.0.0.7/32:8443\"]"_s);
    }

    void loopbackFollowsTheListener_data()
    {
        QTest::addColumn<QString>("address");
        QTest::addColumn<bool>("allowed");
        QTest::newRow("v4") << u"127.0.0.1"_s << true;
        QTest::newRow("all of v4") << u"127.9.9.9"_s << true;
        QTest::newRow("v6") << u"::1"_s << true;
        QTest::newRow("mapped") << u"::ffff:127.0.0.1"_s << true;
        QTest::newRow("the gateway's") << u"64:ff9b::7f00:1"_s << false;
        QTest::newRow("compatible form") << u"::127.0.0.1"_s << false;
        QTest::newRow("this network") << u"0.0.0.0"_s << false;
        QTest::newRow("private") << u"10.0.0.1"_s << false;
    }
    void loopbackFollowsTheListener()
    {
        QFETCH(QString, address);
        QTEST(guardWith({}, true).allows(ip(address), 80), "allowed");
        QVERIFY(!guardWith({}, false).allows(ip(address), 80));
    }

    void metadataNeedsItsExactAddress_data()
    {
        QTest::addColumn<QString>("address");
        QTest::addColumn<QString>("network");
        QTest::newRow("aws v4") << u"169.254.169.254"_s << u"169.254.0.0/16"_s;
        QTest::newRow("azure") << u"168.63.129.16"_s << u"168.63.129.0/24"_s;
        QTest::newRow("aws v6") << u"fd00:ec2::254"_s << u"fd00::/8"_s;
    }
    void metadataNeedsItsExactAddress()
    {
        QFETCH(QString, address);
        QFETCH(QString, network);
        QVERIFY(!guardWith({network}).allows(ip(address), 80));
        QVERIFY(!guardWith({u"0.0.0.0/0"_s, u"::/0"_s}).allows(ip(address), 80));
        QVERIFY(guardWith({address}).allows(ip(address), 80));
        QVERIFY(guardWith({u"0.0.0.0/0"_s, address}).allows(ip(address), 80));
    }

    void entriesAllowWhatTheySay_data()
    {
        QTest::addColumn<QString>("entry");
        QTest::addColumn<QString>("address");
        QTest::addColumn<int>("port");
        QTest::addColumn<bool>("allowed");
        const auto row = [](const char* entry, const char* address, int port, bool allowed) {
            QTest::addRow("%s for %s:%d", entry, address, port)
                << QString::fromLatin1(entry) << QString::fromLatin1(address) << port << allowed;
        };
        row("10.0.0.7/32:8443", "10.0.0.7", 8443, true);
        row("10.0.0.7/32:8443", "10.0.0.7", 443, false);
        row("10.0.0.7/32:8443", "10.0.0.8", 8443, false);
        row("10.0.0.7:8443", "10.0.0.7", 8443, true);
        row("10.0.0.7", "10.0.0.7", 1, true);
        row("10.0.0.0/8", "10.255.1.2", 80, true);
        row("10.0.0.0/8", "192.168.0.1", 80, false);
        row("10.0.0.0/30", "10.0.0.3", 80, true);
        row("10.0.0.0/30", "10.0.0.4", 80, false);
        row("10.0.0.7", "::ffff:10.0.0.7", 80, true);
        row("::ffff:10.0.0.7/128", "10.0.0.7", 80, true);
        row("::ffff:10.0.0.0/104", "10.1.2.3", 80, true);
        row("fd00::7/128:8443", "fd00::7", 8443, true);
        row("fd00::7/128:8443", "fd00::7", 8444, false);
        row("[fd00::7]:8443", "fd00::7", 8443, true);
        row("[fd00::]/8:8443", "fd12::1", 8443, true);
        row("fd00::7", "fd00::7", 80, true);
        row("127.0.0.1:9000", "127.0.0.1", 9000, true);
        row("127.0.0.1:9000", "127.0.0.1", 9001, false);
    }
    void entriesAllowWhatTheySay()
    {
        QFETCH(QString, entry);
        QFETCH(QString, address);
        QFETCH(int, port);
        QTEST(guardWith({entry}).allows(ip(address), quint16(port)), "allowed");
    }

    void unreadableEntriesAreAllReported()
    {
        const QStringList bad{
            u"localhost"_s,      u"10.0.0.1/33"_s,  u"10.0.0.1/8"_s,   u"10.0.0.1:0"_s,
            u"10.0.0.1:65536"_s, u"10.0.0.1:"_s,    u"10.0.0.1/"_s,    u""_s,
            u"0x7f.1"_s,         u"2130706433"_s,   u"[fd00::7"_s,     u"fd00::/129"_s,
            u"[fd00::7]x:80"_s,  u"10.0.0.1/+8"_s,  u"10.0.0.1:080"_s, u"10.0.0.1/32:80:80"_s,
            u" 10.0.0.1"_s,      u"fe80::1%eth0"_s, u"010.0.0.1"_s};
        for (const QString& entry : bad) {
            const auto guard = TargetGuard::make({u"10.0.0.9"_s, entry}, false);
            QVERIFY2(!guard, qPrintable(entry));
            QVERIFY(guard.error().message.contains(u"'%1'"_s.arg(entry)));
            QVERIFY(!guard.error().message.contains(u"10.0.0.9"_s));
        }
        const auto two = TargetGuard::make({bad[0], u"10.0.0.9"_s, bad[1]}, false);
        QVERIFY(two.error().message.contains(bad[0]) && two.error().message.contains(bad[1]));
    }
};

QTEST_APPLESS_MAIN(TargetGuardTest)
#include "target_guard_test.moc"
