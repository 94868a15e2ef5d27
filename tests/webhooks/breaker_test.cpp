#include "core/webhooks/breaker.h"
#include "core/webhooks/endpoint_verdict.h"

#include "core/base/result.h"

#include <QTest>

using namespace redrive;

Q_DECLARE_METATYPE(redrive::EndpointVerdict)

namespace {

constexpr qint64 kNow = 1'900'000'000'000;
using V = EndpointVerdict;

bool record(Breaker& breaker, std::initializer_list<V> verdicts, qint64 nowMs = kNow)
{
    bool changed = false;
    for (const V verdict : verdicts)
        changed = breaker.record(verdict, false, nowMs);
    return changed;
}

Breaker opened()
{
    Breaker breaker;
    record(breaker, {V::Bad, V::Bad, V::Bad, V::Bad, V::Bad});
    return breaker;
}

} // namespace

class BreakerTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void opensAtHalfOfTheLastTwenty_data()
    {
        QTest::addColumn<QString>("outcomes"); // oldest first: g good, b bad, u unreachable, - says nothing
        QTest::addColumn<bool>("open");
        QTest::newRow("four failures") << u"bbbb"_s << false;
        QTest::newRow("five failures") << u"bbbbb"_s << true;
        QTest::newRow("unreachable counts") << u"uuuuu"_s << true;
        QTest::newRow("five of ten") << u"gggggbbbbb"_s << true;
        QTest::newRow("five of eleven") << u"ggggggbbbbb"_s << false;
        QTest::newRow("every other one") << u"gbgbgbgbgb"_s << true;
        QTest::newRow("nine of twenty") << u"ggggggggggggggggggggbbbbbbbbb"_s << false;
        QTest::newRow("ten of twenty") << u"ggggggggggggggggggggbbbbbbbbbb"_s << true;
        QTest::newRow("old failures are forgotten") << u"bbbbgggggggggggggggggggggb"_s << false;
        QTest::newRow("what says nothing is passed over") << u"b-b-b-b--------"_s << false;
        QTest::newRow("and shifts nothing out") << u"bbbb--------------------b"_s << true;
    }
    void opensAtHalfOfTheLastTwenty()
    {
        QFETCH(QString, outcomes);
        Breaker breaker;
        for (const QChar c : outcomes)
            breaker.record(c == u'g'   ? V::Good
                           : c == u'b' ? V::Bad
                           : c == u'u' ? V::Unreachable
                                       : V::None,
                           false, kNow);
        QTEST(breaker.isOpen(), "open");
    }

    void probesOnceAndWaitsTwiceAsLongEachTime()
    {
        Breaker breaker = opened();
        qint64 nowMs = kNow;
        for (const qint64 seconds : {30, 60, 120, 240, 480, 960, 1'800, 1'800}) {
            QCOMPARE(breaker.state(), Breaker::State::Open);
            QCOMPARE(breaker.openUntilMs(), nowMs + seconds * 1'000);
            nowMs = breaker.openUntilMs();
            QCOMPARE(breaker.mayPass(9, nowMs - 1), 0);
            QCOMPARE(breaker.mayPass(9, nowMs), 1);
            QCOMPARE(breaker.mayPass(0, nowMs), 0);
            breaker.beginProbe();
            QCOMPARE(breaker.mayPass(9, nowMs + 3'600'000), 0);
            QVERIFY(breaker.record(V::Bad, true, nowMs));
        }
        breaker.beginProbe();
        QVERIFY(breaker.record(V::Good, true, nowMs));
        QVERIFY(!breaker.isOpen());
        QCOMPARE(breaker.mayPass(9, nowMs), 9);
        QVERIFY(!record(breaker, {V::Bad, V::Bad, V::Bad, V::Bad}));
        QVERIFY(record(breaker, {V::Bad}));
        QCOMPARE(breaker.openUntilMs(), kNow + 30'000); // from the beginning again
    }

    void aProbeWithoutAVerdictIsFollowedByAnother()
    {
        Breaker breaker = opened();
        breaker.beginProbe();
        QVERIFY(!breaker.record(V::None, true, kNow + 30'000));
        QCOMPARE(breaker.mayPass(9, kNow + 30'000), 1);
    }

    void whatLeftBeforeItOpenedProvesLifeOnly()
    {
        Breaker breaker = opened();
        QVERIFY(!record(breaker, {V::Bad, V::Bad}, kNow + 9'000));
        QCOMPARE(breaker.openUntilMs(), kNow + 30'000);
        breaker.beginProbe();
        QVERIFY(!record(breaker, {V::Bad}, kNow + 31'000));
        QCOMPARE(breaker.state(), Breaker::State::HalfOpen);
        QVERIFY(record(breaker, {V::Good}, kNow + 31'000));
        QVERIFY(!breaker.isOpen());
    }

    void aRestoredOneGoesOnDoubling()
    {
        Breaker breaker = Breaker::opened(kNow + 5'000, 3);
        QCOMPARE(breaker.mayPass(4, kNow + 4'999), 0);
        QCOMPARE(breaker.mayPass(4, kNow + 5'000), 1);
        breaker.beginProbe();
        breaker.record(V::Bad, true, kNow + 5'000);
        QCOMPARE(breaker.openUntilMs(), kNow + 5'000 + 240'000);
    }

    void aClockSetBackHoldsNobodyForLong()
    {
        const Breaker breaker = opened();
        QCOMPARE(breaker.mayPass(4, kNow - 86'400'000), 1);
    }

    void forgivesWhatWasUnreachable()
    {
        Breaker breaker;
        record(breaker, {V::Good, V::Bad, V::Unreachable, V::Unreachable, V::Unreachable, V::Unreachable});
        QVERIFY(breaker.isOpen());
        QVERIFY(breaker.forgiveUnreachable());
        QVERIFY(!breaker.isOpen());
        QVERIFY(!record(breaker, {V::Bad, V::Bad, V::Bad})); // the one before still counts
        QVERIFY(record(breaker, {V::Bad}));

        Breaker deserved = opened();
        QVERIFY(!deserved.forgiveUnreachable());
        QVERIFY(deserved.isOpen());
    }

    void whatAnAttemptSays_data()
    {
        QTest::addColumn<int>("outcomeClass");
        QTest::addColumn<int>("status");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("peer");
        QTest::addColumn<EndpointVerdict>("verdict");
        using C = HttpOutcome::Class;
        for (const int status : {200, 204, 299})
            QTest::addRow("%d", status) << int(C::Answered) << status << QString() << u"1"_s << V::Good;
        for (const int status : {302, 401, 404, 410, 429, 500, 503})
            QTest::addRow("%d", status) << int(C::Answered) << status << QString() << u"1"_s << V::Bad;
        for (const int status : {400, 413, 415, 422})
            QTest::addRow("%d", status) << int(C::Answered) << status << QString() << u"1"_s << V::None;
        for (const char* code : {"refused", "connect_failed", "tls_failed", "timeout_connect"})
            QTest::addRow("%s", code)
                << int(C::NotSent) << 0 << QString::fromLatin1(code) << u"1"_s << V::Bad;
        for (const char* code : {"dns_failed", "unreachable", "timeout_connect"})
            QTest::addRow("%s, no address", code)
                << int(C::NotSent) << 0 << QString::fromLatin1(code) << QString() << V::Unreachable;
        for (const char* code : {"blocked", "invalid_request", "secret_missing", "endpoint_unknown",
                                 "event_gone", "cancelled", "internal"})
            QTest::addRow("%s", code)
                << int(C::NotSent) << 0 << QString::fromLatin1(code) << QString() << V::None;
        for (const char* code : {"timeout_total", "reset", "closed_without_answer", "bad_answer"})
            QTest::addRow("%s", code)
                << int(C::Unknown) << 0 << QString::fromLatin1(code) << u"1"_s << V::Bad;
        QTest::newRow("cancelled under way") << int(C::Unknown) << 0 << u"cancelled"_s << u"1"_s << V::None;
    }
    void whatAnAttemptSays()
    {
        QFETCH(int, outcomeClass);
        QFETCH(int, status);
        QFETCH(QString, code);
        QFETCH(QString, peer);
        HttpOutcome outcome;
        outcome.outcome = HttpOutcome::Class(outcomeClass);
        outcome.status = status;
        outcome.errorCode = code;
        outcome.peerAddress = peer;
        QTEST(endpointVerdict(outcome), "verdict");
    }
};

QTEST_APPLESS_MAIN(BreakerTest)
#include "breaker_test.moc"
