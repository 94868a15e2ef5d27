// Redrives of deliveries with a pace: rate, in flight, canary, brake, orders, and what becomes of the items.
#include "core/engine/command_gate.h"
#include "core/engine/redrive_pacer.h"
#include "core/engine/redrive_steering.h"
#include "core/store/redrive_ledger_store.h"
#include "tests/support/http_receiver.h"
#include "tests/support/sql_steps.h"
#include "tests/webhooks/delivery_harness.h"

#include <QTest>

using namespace redrive;
using namespace redrive::test;

class RedriveTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void aRateIsKept();
    void aRateMakesUpForLittle();
    void noMoreThanSoManyAreInFlight();
    void theRestFollowsGoodFirstOnes();
    void badFirstOnesPauseIt();
    void badFirstOnesStopIt();
    void theBrakePausesIt();
    void aPauseSurvivesARestart();
    void aStopLeavesTheRest();
    void aLargeReplayCanBeStoppedWithoutAPace();
    void ordersAreRefused_data();
    void ordersAreRefused();
    void theLedgerSaysWhatBecameOfThem();
    void aCancelledOneIsGone();
    void whatIsDeliveredIsLeftAlone();
    void askingTwiceIsOneAttempt();
    void whatAnEndpointNeverGotIsDelivered();
    void chosenMissedEventsAreDeliveredExactly();
    void missedEventsAreNamedWithTheirEndpoints();
    void anEventIsPublishedOnceMore();
    void aPaceIsRefusedWhereNothingIsAwaited();
    void aCanaryThatPassedCostsNoCounting();
    void anOrderWaitsForALock();

private:
    QStringList fail(int count);
    Result<ActionResult> submit(ActionRequest request);
    ActionRequest replay(const QStringList& ids, RedrivePace pace = {});
    void gateTurn();
    void settle();
    Result<RedriveInfo> steer(qint64 no, RedriveSteer how, double perSecond = 0);
    RedriveInfo info(qint64 no = 1) { return *redrive_ledger_store::info(m_harness->store.db(), no).value(); }
    int begun()
    {
        return int(m_harness->number(u"SELECT count(*) FROM redrive_items WHERE result = 'ok'"_s));
    }

    std::unique_ptr<HttpReceiver> m_receiver;
    std::unique_ptr<DeliveryHarness> m_harness;
    std::unique_ptr<CommandGate> m_gate;
};

void RedriveTest::init()
{
    m_receiver = std::make_unique<HttpReceiver>();
    Settings settings;
    EndpointSettings endpoint;
    endpoint.id = u"late"_s;
    endpoint.url = m_receiver->url("/late");
    endpoint.events = {u"a.*"_s};
    settings.endpoints.append(endpoint);
    m_harness = std::make_unique<DeliveryHarness>(settings);
    m_gate = std::make_unique<CommandGate>(QStringList{u"jobs"_s});
    ActionLimits limits = limitsOf(settings);
    limits.declaredQueues = {u"jobs"_s};
    m_gate->setLimits(std::move(limits));
}

void RedriveTest::cleanup()
{
    m_gate.reset();
    m_harness.reset();
    m_receiver.reset();
}

// So many deliveries that failed once and are due again in ten seconds, oldest first; an endpoint each, so
// that no breaker opens.
QStringList RedriveTest::fail(int count)
{
    m_receiver->answer("/hook", ReceiverAnswer::status(500));
    for (int i = 0; i < count; ++i)
        m_harness->fanOut(fanOutPayload({{u"e%1"_s.arg(i), m_receiver->url()}}));
    if (!m_harness->drain())
        QTest::qFail("no answer came", __FILE__, __LINE__);
    QStringList ids;
    auto query = m_harness->store.db().dynamicQuery(
        u"SELECT id FROM webhook_deliveries WHERE status = 'failed' ORDER BY id"_s);
    while (query.next())
        ids.append(query.text(0));
    return ids;
}

ActionRequest RedriveTest::replay(const QStringList& ids, RedrivePace pace)
{
    ActionRequest request;
    request.verb = ActionVerb::Replay;
    request.scope.list = ListKind::Deliveries;
    request.scope.ids = ids;
    request.actor = u"anna"_s;
    request.source = u"console"_s;
    request.pace = pace;
    return request;
}

// Asks, and makes one turn.
Result<ActionResult> RedriveTest::submit(ActionRequest request)
{
    Result<ActionResult> answer = redrive::fail(ErrorKind::Internal, u"no answer"_s);
    m_gate->submit(std::move(request), [&](Result<ActionResult> result) { answer = std::move(result); });
    gateTurn();
    return answer;
}

void RedriveTest::gateTurn()
{
    const Status done = m_harness->turn([this](Cycle& cycle) { return m_gate->apply(cycle); });
    if (!done)
        QTest::qFail(qPrintable(done.error().text()), __FILE__, __LINE__);
}

// Until nothing more begins without the clock.
void RedriveTest::settle()
{
    for (int before = -1; before != begun();) {
        before = begun();
        QVERIFY(m_harness->drain());
        m_gate->lookAtStore();
        gateTurn();
        QVERIFY(m_harness->drain());
    }
}

Result<RedriveInfo> RedriveTest::steer(qint64 no, RedriveSteer how, double perSecond)
{
    RedriveOrder order;
    order.no = no;
    order.steer = how;
    order.perSecond = perSecond;
    order.actor = u"anna"_s;
    Result<RedriveInfo> answer = redrive::fail(ErrorKind::Internal, u"no answer"_s);
    const Status done = m_harness->turn([&](Cycle& cycle) -> Status {
        answer = steerRedrive(cycle, order);
        return {};
    });
    return done ? answer : redrive::fail(done.error());
}

void RedriveTest::aRateIsKept()
{
    const QStringList ids = fail(40);
    m_harness->holdBack = true;
    RedrivePace pace;
    pace.perSecond = 10;
    const auto answer = submit(replay(ids, pace));
    QVERIFY(answer && answer->goesOn);
    QCOMPARE(answer->total, 40);
    for (int ms = 0; ms < 4'000; ms += 20) {
        const int most = 1 + ms / 100;
        QVERIFY2(begun() <= most, qPrintable(u"%1 after %2 ms"_s.arg(begun()).arg(ms)));
        QVERIFY(begun() >= most - 1);
        m_harness->clock.advance(20);
        if (m_gate->hasWork(m_harness->clock.wallMs(), m_harness->clock.steadyMs()))
            gateTurn();
    }
    QCOMPARE(begun(), 40);
    QCOMPARE(info().state, RedriveState::Done);
    QVERIFY(!m_gate->nextDeadline());
}

void RedriveTest::aRateMakesUpForLittle()
{
    const QStringList ids = fail(40);
    m_harness->holdBack = true;
    RedrivePace pace;
    pace.perSecond = 10;
    QVERIFY(submit(replay(ids, pace)));
    m_harness->clock.advance(2'000); // asleep, or another engine's turn lasted
    gateTurn();
    QVERIFY(begun() <= 3);
    // A new gate, as after a restart, goes on with the same clock.
    m_gate = std::make_unique<CommandGate>(QStringList{u"jobs"_s});
    gateTurn();
    QVERIFY(begun() <= 3);
    QVERIFY(steer(1, RedriveSteer::Rate, 0));
    gateTurn();
    QCOMPARE(begun(), 40); // no limit any more
}

void RedriveTest::noMoreThanSoManyAreInFlight()
{
    const QStringList ids = fail(9);
    m_receiver->answer("/hook", ReceiverAnswer::status(200).hold());
    RedrivePace pace;
    pace.inFlight = 2;
    QVERIFY(submit(replay(ids, pace)));
    m_gate->lookAtStore();
    gateTurn();
    QCOMPARE(begun(), 2);
    QCOMPARE(info().ledger.running, 2);
    QCOMPARE(info().ledger.queued, 7);
    m_receiver->release();
    settle();
    QCOMPARE(begun(), 9);
    QCOMPARE(info().ledger.succeeded, 9);
    QCOMPARE(m_receiver->arrivalCount(), 18);
}

void RedriveTest::theRestFollowsGoodFirstOnes()
{
    const QStringList ids = fail(8);
    m_receiver->answer("/hook", ReceiverAnswer::status(200).hold());
    RedrivePace pace;
    pace.canary = 3;
    QVERIFY(submit(replay(ids, pace)));
    m_gate->lookAtStore();
    gateTurn();
    QCOMPARE(begun(), 3); // their outcomes are waited for
    m_receiver->release();
    settle();
    QCOMPARE(begun(), 8);
    QCOMPARE(info().state, RedriveState::Done);
    QVERIFY(info().canaryPassed);
}

void RedriveTest::badFirstOnesPauseIt()
{
    const QStringList ids = fail(8);
    m_receiver->answer("/hook", ReceiverAnswer::status(503));
    m_receiver->answerNext("/hook", ReceiverAnswer::status(200));
    RedrivePace pace;
    pace.canary = 3;
    QVERIFY(submit(replay(ids, pace)));
    settle();
    QCOMPARE(begun(), 3);
    QCOMPARE(info().state, RedriveState::Paused);
    QCOMPARE(info().note, u"the canary: 2 of the first 3 did not succeed"_s);
    QCOMPARE(info().ledger.failedAnew, 2); // it was 500 before
    QCOMPARE(info().ledger.succeeded, 1);
    m_receiver->answer("/hook", ReceiverAnswer::status(200));
    QVERIFY(steer(1, RedriveSteer::Continue));
    settle();
    QCOMPARE(begun(), 8);
    QCOMPARE(info().ledger.succeeded, 6);
    QCOMPARE(info().state, RedriveState::Done);
}

void RedriveTest::badFirstOnesStopIt()
{
    const QStringList ids = fail(8);
    RedrivePace pace;
    pace.canary = 2;
    pace.afterCanary = CanaryEnd::Stop;
    QVERIFY(submit(replay(ids, pace)));
    settle();
    QCOMPARE(begun(), 2);
    QCOMPARE(info().state, RedriveState::Stopped);
    QCOMPARE(info().ledger.failedAgain, 2);
    QCOMPARE(m_harness->text(u"SELECT result FROM audit WHERE verb = 'replay'"_s),
             u"2 done, stopped before the other 6"_s);
    m_gate->lookAtStore();
    gateTurn();
    QCOMPARE(begun(), 2);
}

void RedriveTest::theBrakePausesIt()
{
    const QStringList ids = fail(30);
    RedrivePace pace;
    pace.inFlight = 1;
    pace.brakePercent = 50;
    for (int i = 0; i < 8; ++i)
        m_receiver->answerNext("/hook", ReceiverAnswer::status(200));
    QVERIFY(submit(replay(ids, pace)));
    settle();
    // 8 good ones, then as many bad ones as make the half of all.
    QCOMPARE(info().state, RedriveState::Paused);
    QCOMPARE(info().note, u"the brake: 8 of the last 16 failed"_s);
    QCOMPARE(begun(), 16);
    m_harness->clock.advance(1);
    QVERIFY(steer(1, RedriveSteer::Continue));
    m_receiver->answer("/hook", ReceiverAnswer::status(200));
    settle();
    QCOMPARE(info().state, RedriveState::Done);
    QCOMPARE(begun(), 30);
}

void RedriveTest::aPauseSurvivesARestart()
{
    const QStringList ids = fail(6);
    m_harness->holdBack = true;
    RedrivePace pace;
    pace.perSecond = 1;
    QVERIFY(submit(replay(ids, pace)));
    QCOMPARE(begun(), 1);
    const auto paused = steer(1, RedriveSteer::Pause);
    QVERIFY(paused);
    QCOMPARE(paused->state, RedriveState::Paused);
    QCOMPARE(paused->note, u"paused by anna"_s);
    m_gate = std::make_unique<CommandGate>(QStringList{u"jobs"_s});
    m_harness->crash();
    m_harness->holdBack = true;
    m_harness->clock.advance(9'000);
    gateTurn();
    QCOMPARE(begun(), 1);
    QCOMPARE(info().state, RedriveState::Paused);
    QVERIFY(steer(1, RedriveSteer::Continue));
    m_gate->lookAtStore();
    gateTurn();
    QVERIFY(begun() >= 2);
    QCOMPARE(m_harness->number(u"SELECT count(*) FROM audit WHERE verb LIKE 'redrive-%'"_s), 2);
}

void RedriveTest::aStopLeavesTheRest()
{
    const QStringList ids = fail(5);
    RedrivePace pace;
    pace.inFlight = 2;
    m_receiver->answer("/hook", ReceiverAnswer::status(200).hold());
    QVERIFY(submit(replay(ids, pace)));
    const auto stopped = steer(1, RedriveSteer::Stop);
    QVERIFY(stopped);
    QCOMPARE(stopped->state, RedriveState::Stopped);
    m_receiver->release();
    settle();
    QCOMPARE(begun(), 2); // those go on
    QCOMPARE(info().ledger.succeeded, 2);
    QCOMPARE(info().ledger.queued, 3);
    QCOMPARE(m_harness->number(u"SELECT count(*) FROM webhook_deliveries WHERE status = 'failed'"_s), 3);
}

void RedriveTest::aLargeReplayCanBeStoppedWithoutAPace()
{
    ActionLimits limits = limitsOf(Settings());
    QCOMPARE(limits.replaysInFlight, kReplaysInFlight);
    limits.replaysInFlight = 3;
    m_gate->setLimits(limits);
    const QStringList ids = fail(5);
    m_receiver->answer("/hook", ReceiverAnswer::status(200).hold());
    const auto written = submit(replay(ids));
    QVERIFY(written);
    QVERIFY(written->goesOn);
    QCOMPARE(written->total, 5);
    QCOMPARE(begun(), 3);
    QVERIFY(steer(1, RedriveSteer::Stop));
    m_receiver->release();
    settle();
    QCOMPARE(begun(), 3);
    QCOMPARE(info().ledger.queued, 2);
    QCOMPARE(m_harness->number(u"SELECT count(*) FROM webhook_deliveries WHERE status = 'failed'"_s), 2);

    const auto rest = submit(replay(ids.mid(3))); // no more than may be in flight: at once, as ever
    QVERIFY(rest);
    QVERIFY(!rest->goesOn);
    settle();
    QCOMPARE(m_harness->number(u"SELECT count(*) FROM webhook_deliveries WHERE status = 'delivered'"_s), 5);
}

void RedriveTest::ordersAreRefused_data()
{
    QTest::addColumn<int>("no");
    QTest::addColumn<RedriveSteer>("how");
    QTest::addColumn<double>("perSecond");
    QTest::addColumn<QString>("words");
    QTest::newRow("unknown") << 7 << RedriveSteer::Pause << 0.0 << u"there is no redrive 7"_s;
    QTest::newRow("not paused") << 1 << RedriveSteer::Continue << 0.0 << u"redrive 1 is not paused"_s;
    QTest::newRow("over") << 2 << RedriveSteer::Stop << 0.0 << u"redrive 2 is done"_s;
    QTest::newRow("no rate") << 1 << RedriveSteer::Rate << -2.0
                             << u"a rate is from 0.001 to 1000000 a second, or 0 for no limit"_s;
    QTest::newRow("no pace") << 3 << RedriveSteer::Rate << 5.0
                             << u"redrive 3 is done at once and takes no pace"_s;
}

void RedriveTest::ordersAreRefused()
{
    QFETCH(int, no);
    QFETCH(RedriveSteer, how);
    QFETCH(double, perSecond);
    QFETCH(QString, words);
    const QStringList ids = fail(3);
    m_harness->holdBack = true;
    RedrivePace pace;
    pace.perSecond = 1;
    QVERIFY(submit(replay(ids.mid(0, 2), pace)));
    QVERIFY(submit(replay(ids.mid(2))));
    ActionRequest cancel = replay(ids.mid(1, 1));
    cancel.verb = ActionVerb::Cancel;
    QVERIFY(m_harness->turn([&](Cycle& cycle) -> Status { // asked, and not yet begun
        REDRIVE_TRY(m_gate->write(cycle, cancel));
        return {};
    }));
    const auto refused = steer(no, how, perSecond);
    QVERIFY(!refused);
    QCOMPARE(refused.error().text(), words);
}

void RedriveTest::theLedgerSaysWhatBecameOfThem()
{
    const QStringList ids = fail(4);
    m_receiver->answer("/hook", ReceiverAnswer::status(500));
    m_receiver->answerNext("/hook", ReceiverAnswer::status(200));
    m_receiver->answerNext("/hook", ReceiverAnswer::status(502));
    const auto answer = submit(replay(ids + QStringList{u"nothing"_s}));
    QVERIFY(answer && !answer->goesOn);
    settle();
    const RedriveInfo end = info();
    QCOMPARE(end.state, RedriveState::Done);
    QVERIFY(end.ofDeliveries);
    QCOMPARE(end.total, 5);
    QCOMPARE(end.ledger.refused, 1);
    QCOMPARE(end.ledger.succeeded, 1);
    QCOMPARE(end.ledger.failedAnew, 1);
    QCOMPARE(end.ledger.failedAgain, 2);
    QCOMPARE(end.ledger.waiting + end.ledger.running + end.ledger.queued + end.ledger.gone, 0);
    // A later attempt of the schedule that succeeds is what became of it in the end.
    m_receiver->answer("/hook", ReceiverAnswer::status(200));
    m_harness->advance(20'000);
    QVERIFY(m_harness->drain());
    QCOMPARE(info().ledger.succeeded, 4);
}

void RedriveTest::aCancelledOneIsGone()
{
    const QStringList ids = fail(3);
    m_harness->dispatcher().beginStop(); // nothing goes out
    RedrivePace pace;
    pace.canary = 1;
    QVERIFY(submit(replay(ids, pace)));
    QCOMPARE(begun(), 1);
    ActionRequest cancel = replay(ids.mid(0, 1));
    cancel.verb = ActionVerb::Cancel;
    QVERIFY(submit(cancel));
    for (int turns = 0; turns < 3; ++turns) {
        m_gate->lookAtStore();
        gateTurn();
    }
    QCOMPARE(info().ledger.gone, 1);
    QCOMPARE(info().state, RedriveState::Paused); // its first one did not succeed
}

void RedriveTest::whatIsDeliveredIsLeftAlone()
{
    const QStringList ids = fail(4);
    m_receiver->answer("/hook", ReceiverAnswer::status(200));
    ActionRequest everything = replay({});
    everything.scope.matching = true;
    QVERIFY(submit(replay(ids.mid(0, 1))));
    settle();
    QCOMPARE(m_receiver->arrivalCount(), 5);
    // Delivered ones are in no filter that does not name them.
    QCOMPARE(m_gate->plan(m_harness->store.db(), everything, m_harness->clock.wallMs())->total, 3);
    everything.scope.filter = u"status:delivered"_s;
    QCOMPARE(m_gate->plan(m_harness->store.db(), everything, m_harness->clock.wallMs())->willAct, 1);
    everything.scope.filter.clear();
    everything.scope.deliveredToo = true;
    QCOMPARE(m_gate->plan(m_harness->store.db(), everything, m_harness->clock.wallMs())->willAct, 4);

    // What is delivered between the freezing and its turn is left alone as well.
    RedrivePace slow;
    slow.perSecond = 0.001;
    everything.scope.deliveredToo.reset();
    everything.pace = slow;
    QVERIFY(submit(everything));
    settle();
    m_harness->advance(20'000); // the schedule
    QVERIFY(m_harness->drain());
    QCOMPARE(m_receiver->arrivalCount(), 8);
    QVERIFY(steer(2, RedriveSteer::Rate, 0));
    settle();
    QCOMPARE(info(2).state, RedriveState::Done);
    QCOMPARE(info(2).ledger.refused, 2);
    QCOMPARE(m_receiver->arrivalCount(), 8);
    QCOMPARE(m_harness->text(u"SELECT message FROM redrive_items WHERE result = 'refused' LIMIT 1"_s),
             u"is delivered by now"_s);
    // One that is named is sent again all the same.
    QVERIFY(submit(replay(ids.mid(3))));
    settle();
    QCOMPARE(m_receiver->arrivalCount(), 9);
}

void RedriveTest::askingTwiceIsOneAttempt()
{
    const QStringList ids = fail(12);
    m_receiver->answer("/hook", ReceiverAnswer::status(200));
    m_gate->submit(replay(ids), [](const Result<ActionResult>&) {});
    m_gate->submit(replay(ids), [](const Result<ActionResult>&) {});
    settle();
    QCOMPARE(m_receiver->arrivalCount(), 24);
    QCOMPARE(m_harness->number(u"SELECT max(attempt) FROM delivery_attempts"_s), 2);
    QCOMPARE(info(1).ledger.succeeded + info(2).ledger.succeeded, 12);
    QCOMPARE(info(1).ledger.refused + info(2).ledger.refused, 12);
}

void RedriveTest::whatAnEndpointNeverGotIsDelivered()
{
    // Two events that went elsewhere, one of another type, one that it got, one too old.
    const auto payload = [](const QString& type, const QString& endpoint, const QString& url) {
        auto text = fanOutPayload({{endpoint, url}});
        return text.replace("a.b", type.toUtf8());
    };
    m_harness->fanOut(payload(u"a.b"_s, u"x"_s, m_receiver->url()));
    m_harness->clock.advance(60'000);
    const qint64 sinceMs = m_harness->clock.wallMs();
    m_harness->fanOut(payload(u"a.b"_s, u"x"_s, m_receiver->url()));
    m_harness->fanOut(payload(u"a.c"_s, u"x"_s, m_receiver->url()));
    m_harness->fanOut(payload(u"b.c"_s, u"x"_s, m_receiver->url()));
    m_harness->fanOut(payload(u"a.d"_s, u"late"_s, m_receiver->url("/late")));
    QVERIFY(m_harness->drain());
    const int before = m_receiver->arrivalCount();

    ActionRequest missing;
    missing.verb = ActionVerb::ReplayMissing;
    missing.scope.endpointId = u"late"_s;
    missing.scope.sinceMs = sinceMs;
    const auto plan = m_gate->plan(m_harness->store.db(), missing, m_harness->clock.wallMs());
    QVERIFY(plan);
    QCOMPARE(plan->willAct, 2);
    m_gate->submit(missing, [](const Result<ActionResult>&) {});
    m_gate->submit(missing, [](const Result<ActionResult>&) {});
    settle();
    QCOMPARE(m_receiver->arrivalCount(), before + 2);
    QCOMPARE(m_receiver->arrivalCount("/late"), 3);
    // The same events under the same ids, with the same bodies.
    const auto all = m_receiver->arrivals();
    for (const ReceivedRequest& late : m_receiver->arrivals("/late")) {
        if (late.body.contains("a.d"))
            continue;
        const auto first = std::find_if(all.begin(), all.end(), [&](const ReceivedRequest& other) {
            return other.header("webhook-id") == late.header("webhook-id");
        });
        QVERIFY(first != all.end());
        QCOMPARE(first->body, late.body);
    }
    QCOMPARE(info(1).ledger.succeeded, 2);
    missing.scope.endpointId = u"x"_s; // what it would want is not known
    QVERIFY(!m_gate->plan(m_harness->store.db(), missing, m_harness->clock.wallMs()));
}

void RedriveTest::chosenMissedEventsAreDeliveredExactly()
{
    const auto payload = [&](const QString& type, const QString& endpoint, const QString& path) {
        auto text = fanOutPayload({{endpoint, m_receiver->url(path.toUtf8())}});
        return text.replace("a.b", type.toUtf8());
    };
    m_harness->fanOut(payload(u"a.one"_s, u"x"_s, u"/hook"_s));
    m_harness->fanOut(payload(u"a.two"_s, u"x"_s, u"/hook"_s));
    m_harness->fanOut(payload(u"a.three"_s, u"x"_s, u"/hook"_s));
    m_harness->fanOut(payload(u"b.four"_s, u"x"_s, u"/hook"_s));
    QVERIFY(m_harness->drain());
    const auto event = [&](const char* type) {
        return m_harness->text(
            u"SELECT id FROM webhook_events WHERE event_type = '%1'"_s.arg(QLatin1String(type)));
    };
    const auto at = [](const QString& id, const QString& endpoint) { return toText({id, endpoint}); };
    const QString late = u"late"_s;
    ActionRequest chosen;
    chosen.verb = ActionVerb::ReplayMissing;
    chosen.scope.ids = {at(event("a.one"), late),  at(event("a.three"), late), at(event("a.one"), late),
                        at(event("b.four"), late), at(event("a.one"), u"x"_s), at(u"nothing"_s, late)};
    const auto plan = m_gate->plan(m_harness->store.db(), chosen, m_harness->clock.wallMs());
    QVERIFY(plan);
    QCOMPARE(plan->total, 5); // each once
    QCOMPARE(plan->willAct, 2);
    const QList<std::pair<QString, int>> skipped{{u"is not kept any more"_s, 1},
                                                 {u"its endpoint does not take such events"_s, 1},
                                                 {u"its endpoint is not registered any more"_s, 1}};
    QCOMPARE(plan->skipped, skipped);

    // A double click; what fits the endpoint's filter by now and was not chosen stays away.
    m_gate->submit(chosen, [](const Result<ActionResult>&) {});
    m_gate->submit(chosen, [](const Result<ActionResult>&) {});
    settle();
    QCOMPARE(m_receiver->arrivalCount("/late"), 2);
    QStringList got;
    for (const ReceivedRequest& request : m_receiver->arrivals("/late"))
        got.append(QString::fromUtf8(request.header("webhook-id")));
    got.sort();
    QStringList wanted{event("a.one"), event("a.three")};
    wanted.sort();
    QCOMPARE(got, wanted);
    QCOMPARE(info(1).scope, u"6 selected"_s);
    QCOMPARE(info(1).ledger.succeeded + info(2).ledger.succeeded, 2);
    QCOMPARE(info(1).ledger.refused, 3);
    QCOMPARE(info(2).ledger.refused, 5);
    QCOMPARE(m_harness->number(u"SELECT count(*) FROM redrive_items WHERE message = "
                               "'has a delivery to it already'"_s),
             2);
}

void RedriveTest::missedEventsAreNamedWithTheirEndpoints()
{
    ActionRequest request;
    request.verb = ActionVerb::ReplayMissing;
    for (const QString& id : {u"event"_s, u":late"_s, u"event:"_s}) {
        request.scope.ids = {id};
        const auto refused = submit(request);
        QVERIFY(!refused && refused.error().text().contains(u"EVENT:ENDPOINT"_s));
    }
    request.scope.ids = {u"event:late"_s};
    request.scope.endpointId = u"late"_s;
    QVERIFY(!submit(request)); // not both ways at once
    QCOMPARE(missedEventFrom(u"event:with:colon"_s)->endpointId, u"with:colon"_s);
}

void RedriveTest::anEventIsPublishedOnceMore()
{
    m_harness->store.execute(
        u"INSERT INTO jobs (id, type, status, payload, queue, created_at, updated_at, created_at_ms, "
        "updated_at_ms) VALUES ('j1', 'webhook_fanout', 'done', '{\"eventType\":\"a.b\" }', 'jobs', 1, 1, "
        "1000, 1000)"_s);
    m_harness->fanOut(fanOutPayload({{u"e"_s, m_receiver->url()}}), u"j1"_s);
    QVERIFY(m_harness->drain());
    const QString event = m_harness->text(u"SELECT id FROM webhook_events"_s);
    ActionRequest publish = replay({event});
    publish.verb = ActionVerb::Publish;
    const auto done = submit(publish);
    QVERIFY(done);
    QCOMPARE(done->succeeded, 1);
    QVERIFY(!done->newId.isEmpty());
    QCOMPARE(m_harness->text(u"SELECT parent_id || payload FROM jobs WHERE id = '%1'"_s.arg(done->newId)),
             u"j1{\"eventType\":\"a.b\" }"_s);
    QCOMPARE(m_harness->number(u"SELECT count(*) FROM messages WHERE id = '%1'"_s.arg(done->newId)), 1);
    QCOMPARE(m_harness->text(u"SELECT status FROM jobs WHERE id = 'j1'"_s), u"done"_s);
    publish.scope.ids = {u"nothing"_s};
    const auto refused = submit(publish);
    QVERIFY(refused);
    QCOMPARE(refused->refused.first().why, u"is no event whose job is still kept"_s);
}

void RedriveTest::aPaceIsRefusedWhereNothingIsAwaited()
{
    ActionRequest request = replay({u"x"_s});
    request.verb = ActionVerb::Discard;
    request.pace.canary = 3;
    const auto refused = submit(request);
    QVERIFY(!refused);
    QCOMPARE(refused.error().text(), u"discard is done at once and takes no pace"_s);
    request.verb = ActionVerb::Replay;
    request.pace.brakePercent = 101;
    QVERIFY(!submit(request));
}

void RedriveTest::aCanaryThatPassedCostsNoCounting()
{
    TestStore& store = m_harness->store;
    RedriveRow row;
    row.no = 1;
    row.state = RedriveState::Running;
    row.total = row.succeeded = 2'000;
    row.asked.pace.canary = 5;
    row.canaryPassed = true;
    store.execute(u"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) "
                  "INSERT INTO redrive_items (redrive_no, item_no, item_id, acted_id, outcome) "
                  "SELECT 1, i, i, i, 'waiting' FROM n"_s);
    Cycle cycle(store.db());
    const qint64 steps = sqlStepsOf([&] {
        const auto leave = redrive_pacer::leaveOf(cycle, row, 100);
        QVERIFY(leave && leave->items == 100 && !leave->awaitsOutcomes);
    });
    QVERIFY2(steps < 200, qPrintable(QString::number(steps)));
}

void RedriveTest::anOrderWaitsForALock()
{
    const QStringList ids = fail(2);
    m_harness->holdBack = true;
    RedrivePace pace;
    pace.perSecond = 1;
    QVERIFY(submit(replay(ids, pace)));
    int steered = 0;
    QList<Result<RedriveInfo>> answers;
    RedriveSteering steering([&steered] { ++steered; });
    steering.submit({1, RedriveSteer::Pause, 0, u"anna"_s, u"console"_s, {}},
                    [&](Result<RedriveInfo> answer) { answers.append(std::move(answer)); });
    steering.rolledBack({ErrorKind::Busy, u"locked"_s, {}, {}});
    QVERIFY(answers.isEmpty() && steering.hasIncoming());
    QVERIFY(m_harness->turn([&](Cycle& cycle) { return steering.apply(cycle); }));
    QCOMPARE(answers.size(), 1);
    QVERIFY(answers[0] && answers[0]->state == RedriveState::Paused);
    QCOMPARE(steered, 1);
    steering.submit({1, RedriveSteer::Stop, 0, {}, {}, {}},
                    [&](Result<RedriveInfo> answer) { answers.append(std::move(answer)); });
    steering.rolledBack({ErrorKind::StorageFull, u"the disk is full"_s, {}, {}});
    QCOMPARE(answers.size(), 2);
    QVERIFY(!answers[1] && !steering.hasIncoming());
}

QTEST_GUILESS_MAIN(RedriveTest)
#include "redrive_test.moc"
