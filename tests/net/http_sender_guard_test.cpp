#include "tests/net/sender_harness.h"
#include "tests/support/http_receiver.h"

#include <atomic>
#include <future>

using namespace redrive;
using namespace redrive::test;

namespace {

Addresses addresses(std::initializer_list<const char16_t*> list)
{
    Addresses result;
    for (const char16_t* text : list)
        result.push_back(IpAddress::parse(QStringView(text)).value());
    return result;
}

HttpSenderOptions resolving(ResolveFunction resolve, const QStringList& allow = {},
                            bool loopbackListener = false)
{
    HttpSenderOptions options;
    options.guard = TargetGuard::make(allow, loopbackListener).value();
    options.resolve = std::move(resolve);
    return options;
}

Result<Addresses> nobodyAsks(const QByteArray&)
{
    return fail(ErrorKind::Internal, u"the resolver was asked"_s);
}

} // namespace

class HttpSenderGuardTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void addressesAreJudgedHoweverTheyAreWritten_data()
    {
        QTest::addColumn<QString>("host");
        for (const char* host :
             {"127.0.0.1", "2130706433", "0x7f000001", "0177.0.0.1", "127.1", "[::ffff:127.0.0.1]",
              "[::ffff:7f00:1]", "0.0.0.0", "[::]", "169.254.169.254", "10.0.0.5"})
            QTest::newRow(host) << QString::fromLatin1(host);
    }
    void addressesAreJudgedHoweverTheyAreWritten()
    {
        QFETCH(QString, host);
        HttpReceiver receiver;
        SenderHarness harness(resolving(nobodyAsks));
        const HttpOutcome outcome = harness.exchange(u"http://%1:%2/"_s.arg(host).arg(receiver.port()));
        QCOMPARE(outcome.errorCode, u"blocked"_s);
        QCOMPARE(outcome.outcome, Outcome::NotSent);
        QVERIFY(outcome.permanent);
        QVERIFY(outcome.errorText.contains(u"allow_private_targets = [\""_s));
        QCOMPARE(receiver.connectionsAccepted(), 0);
    }

    void oneRefusedAddressRefusesTheName_data()
    {
        QTest::addColumn<Addresses>("resolved");
        QTest::newRow("private") << addresses({u"10.0.0.5"});
        QTest::newRow("public first") << addresses({u"1.1.1.1", u"127.0.0.1"});
        QTest::newRow("private first") << addresses({u"127.0.0.1", u"1.1.1.1"});
        QTest::newRow("mapped") << addresses({u"2606:4700:4700::1111", u"::ffff:169.254.169.254"});
    }
    void oneRefusedAddressRefusesTheName()
    {
        QFETCH(Addresses, resolved);
        HttpReceiver receiver;
        SenderHarness harness(resolving([resolved](const QByteArray&) { return resolved; }));
        const HttpOutcome outcome = harness.exchange(u"http://hooks.example:%1/"_s.arg(receiver.port()));
        QCOMPARE(outcome.errorCode, u"blocked"_s);
        QVERIFY(outcome.permanent);
        QCOMPARE(receiver.connectionsAccepted(), 0);
    }

    void connectsToTheJudgedAddressUnderTheName()
    {
        HttpReceiver receiver;
        QByteArray asked;
        SenderHarness harness(resolving(
            [&](const QByteArray& host) {
                asked = host;
                return addresses({u"127.0.0.1"});
            },
            {u"127.0.0.1"_s}));
        const HttpOutcome outcome = harness.exchange(u"http://Hooks.example:%1/hook"_s.arg(receiver.port()));
        QCOMPARE(outcome.status, 200);
        QCOMPARE(outcome.peerAddress, u"127.0.0.1"_s);
        QVERIFY(outcome.dnsUs > 0);
        QCOMPARE(asked, "hooks.example");
        QCOMPARE(receiver.arrivals().front().header("Host"),
                 "hooks.example:" + QByteArray::number(receiver.port()));
    }

    void theNextAddressServesWhenTheFirstDoesNot()
    {
        HttpReceiver receiver; // listens on 127.0.0.1 alone
        SenderHarness harness(resolving(
            [](const QByteArray&) {
                return addresses({u"127.0.0.9", u"127.0.0.1"});
            },
            {}, true));
        const HttpOutcome outcome = harness.exchange(u"http://hooks.example:%1/"_s.arg(receiver.port()));
        QCOMPARE(outcome.status, 200);
        QCOMPARE(outcome.peerAddress, u"127.0.0.1"_s);
    }

    // Allowed when asked first, 127.0.0.1 ever after: whatever is asked second must not be connected to.
    void aNameThatChangesItsMindReachesNothing()
    {
        HttpReceiver receiver;
        std::atomic<int> lookUps = 0;
        SenderHarness harness(resolving([&](const QByteArray&) {
            return lookUps++ == 0 ? addresses({u"192.0.1.1"}) : addresses({u"127.0.0.1"});
        }));
        HttpRequest request = harness.request(u"http://rebind.example:%1/"_s.arg(receiver.port()));
        request.connectTimeoutMs = 200;
        const HttpOutcome first = harness.exchange(request);
        QCOMPARE(first.outcome, Outcome::NotSent);
        QVERIFY(first.errorCode != u"blocked");
        harness.exchange(u"http://rebind.example:%1/"_s.arg(receiver.port()));
        QCOMPARE(receiver.connectionsAccepted(), 0);
        QCOMPARE(lookUps.load(), 1); // the second came from what was judged before
    }

    void redirectsToTheInsideAreNotFollowed()
    {
        HttpReceiver inside;
        HttpReceiver receiver;
        receiver.answer("/hook", ReceiverAnswer::redirect(302, inside.url().toLatin1()));
        SenderHarness harness(resolving(nobodyAsks, {u"127.0.0.1/32:%1"_s.arg(receiver.port())}));
        QCOMPARE(harness.exchange(receiver.url()).status, 302);
        QCOMPARE(inside.connectionsAccepted(), 0);
        QCOMPARE(harness.exchange(inside.url()).errorCode, u"blocked"_s);
    }

    void namesThatDoNotResolve()
    {
        SenderHarness harness(resolving([](const QByteArray&) -> Result<Addresses> {
            return fail(ErrorKind::NotFound, u"the name 'x.example' could not be resolved"_s,
                        u"no such name"_s);
        }));
        const HttpOutcome outcome = harness.exchange(u"http://x.example/"_s);
        QCOMPARE(outcome.errorCode, u"dns_failed"_s);
        QCOMPARE(outcome.errorText, u"the name 'x.example' could not be resolved: no such name"_s);
        QCOMPARE(outcome.outcome, Outcome::NotSent);
        QVERIFY(!outcome.permanent);
    }

    void aHungLookUpEndsAtTheConnectDeadlineAndHoldsUpNobody()
    {
        HttpReceiver receiver;
        std::promise<void> release;
        const std::shared_future<void> released = release.get_future().share();
        std::atomic<int> lookUps = 0;
        {
            SenderHarness harness(resolving(
                [&lookUps, released](const QByteArray& host) {
                    ++lookUps;
                    if (host == "hung.example")
                        released.wait();
                    return addresses({u"127.0.0.1"});
                },
                {}, true));
            HttpRequest hung = harness.request(u"http://hung.example/"_s);
            hung.connectTimeoutMs = 200;
            HttpRequest same = hung;
            same.token = ++harness.lastToken;
            const quint64 first = harness.post(hung);
            const quint64 second = harness.post(same);
            QCOMPARE(harness.exchange(u"http://good.example:%1/"_s.arg(receiver.port())).status, 200);
            for (const quint64 token : {first, second}) {
                const auto outcome = harness.box.wait(token);
                QCOMPARE(outcome->errorCode, u"timeout_connect"_s);
                QCOMPARE(outcome->outcome, Outcome::NotSent);
            }
            QCOMPARE(lookUps.load(), 2); // the two hung ones share one
            const quint64 third = harness.post(harness.request(u"http://hung.example/"_s));
            harness.sender.stop();
            QCOMPARE(harness.box.wait(third, 0)->errorCode, u"cancelled"_s);
        }
        release.set_value();
    }
};

QTEST_APPLESS_MAIN(HttpSenderGuardTest)
#include "http_sender_guard_test.moc"
