// Endpoints that are registered, held, changed and deleted while deliveries are under way.
#include "tests/support/http_receiver.h"
#include "tests/webhooks/delivery_harness.h"

#include "core/engine/lone_turn.h"
#include "core/store/endpoint_read_store.h"
#include "core/webhooks/endpoint_changes.h"

#include <QTest>

using namespace redrive;
using namespace redrive::test;

namespace {

// With ' for ", which is easier to read and which moc takes.
QByteArray json(QByteArray text)
{
    return text.replace('\'', '"');
}

const QByteArray kEvent = json("{'eventType':'order.made','eventData':1}");

EndpointChange create(const QString& id, const QString& url, const QByteArray& more = {})
{
    EndpointChange asked;
    asked.verb = EndpointVerb::Create;
    asked.id = id;
    asked.settings = json("{'id':'" + id.toUtf8() + "','url':'" + url.toUtf8() + "'" + more + '}');
    return asked;
}

EndpointChange edit(const QString& id, const QByteArray& settings)
{
    EndpointChange asked;
    asked.verb = EndpointVerb::Edit;
    asked.id = id;
    asked.settings = settings;
    return asked;
}

EndpointRow rowOf(DeliveryHarness& harness, const QString& id)
{
    const auto rows = endpoint_read_store::list(harness.store.db(), harness.clock.wallMs());
    for (const EndpointRow& row : *rows) {
        if (row.id == id)
            return row;
    }
    return {};
}

} // namespace

class EndpointKeeperTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void anEventGoesToAllThatTakeIt()
    {
        HttpReceiver receiver;
        DeliveryHarness harness;
        QVERIFY(harness.change(create(u"orders"_s, receiver.url("/orders"), json(",'events':['order.*']"))));
        QVERIFY(harness.change(create(u"users"_s, receiver.url("/users"), json(",'events':['user.made']"))));
        QVERIFY(harness.change(create(u"all"_s, receiver.url("/all"))));
        harness.fanOut(kEvent);
        QVERIFY(harness.drain());
        QCOMPARE(receiver.arrivalCount("/orders"), 1);
        QCOMPARE(receiver.arrivalCount("/all"), 1);
        QCOMPARE(receiver.arrivalCount("/users"), 0);
        QCOMPARE(harness.text(u"SELECT group_concat(endpoint_version) FROM delivery_attempts"_s), u"1,1"_s);
    }

    void anEventThatNobodyTakesIsKeptAndSaysSo()
    {
        DeliveryHarness harness;
        QVERIFY(harness.change(create(u"users"_s, u"http://127.0.0.1:9/"_s, json(",'events':['user.*']"))));
        QByteArray result;
        QVERIFY(harness.turn([&](Cycle& cycle) -> Status {
            result = harness.runFanOut(cycle, kEvent, u"job"_s).content;
            return {};
        }));
        QVERIFY2(result.contains(json("'deliveries':0,'notSubscribed':1")), result.constData());
        QCOMPARE(harness.number(u"SELECT count(*) FROM webhook_events WHERE event_type = 'order.made'"_s), 1);
        QCOMPARE(harness.number(u"SELECT count(*) FROM webhook_deliveries"_s), 0);
    }

    void anAttemptSaysWhichVersionItUsed()
    {
        HttpReceiver receiver;
        DeliveryHarness harness;
        QVERIFY(harness.change(create(u"e"_s, receiver.url("/old"))));
        receiver.answerNext("/old", ReceiverAnswer::status(500));
        harness.fanOut(kEvent);
        QVERIFY(harness.drain());
        QVERIFY(
            harness.change(edit(u"e"_s, json("{'id':'e','url':'" + receiver.url("/new").toUtf8() + "'}"))));
        harness.advance(10'000);
        QVERIFY(harness.drain());
        QCOMPARE(receiver.arrivalCount("/new"), 1);
        QCOMPARE(harness.text(u"SELECT group_concat(endpoint_version || ' ' || outcome) FROM "
                              "delivery_attempts ORDER BY attempt"_s),
                 u"1 failed,2 delivered"_s);
    }

    void pauseHoldsAndResumeSends()
    {
        HttpReceiver receiver;
        DeliveryHarness harness;
        QVERIFY(harness.change(create(u"e"_s, receiver.url())));
        QVERIFY(harness.change(EndpointVerb::Pause, u"e"_s));
        harness.fanOut(kEvent);
        QVERIFY(harness.turn());
        QCOMPARE(harness.statusOf(u"e"_s), u"held"_s);
        QCOMPARE(harness.text(u"SELECT reason FROM webhook_deliveries"_s), u"endpoint_paused"_s);
        QCOMPARE(rowOf(harness, u"e"_s).held, 1);
        harness.crash();
        harness.fanOut(kEvent);
        QVERIFY(harness.turn());
        QCOMPARE(receiver.arrivalCount(), 0); // it is kept over a restart
        QCOMPARE(rowOf(harness, u"e"_s).held, 2);
        QVERIFY(harness.change(EndpointVerb::Resume, u"e"_s));
        QVERIFY(harness.turn());
        QVERIFY(harness.turn());
        QVERIFY(harness.drain());
        QCOMPARE(receiver.arrivalCount(), 2);
        QCOMPARE(harness.number(u"SELECT sum(attempts) FROM webhook_deliveries"_s), 2);
    }

    void disableHoldsWhatWaitsForItsRetryToo()
    {
        HttpReceiver receiver;
        receiver.answerNext("/", ReceiverAnswer::status(500));
        DeliveryHarness harness;
        QVERIFY(harness.change(create(u"e"_s, receiver.url("/"))));
        harness.fanOut(kEvent);
        QVERIFY(harness.drain());
        QVERIFY(harness.change(EndpointVerb::Disable, u"e"_s));
        QVERIFY(harness.turn());
        QCOMPARE(harness.statusOf(u"e"_s), u"held"_s);
        harness.advance(100'000);
        QCOMPARE(receiver.arrivalCount(), 1);
        QVERIFY(harness.change(EndpointVerb::Enable, u"e"_s));
        QVERIFY(harness.turn());
        QVERIFY(harness.turn());
        QVERIFY(harness.drain());
        QCOMPARE(harness.statusOf(u"e"_s), u"delivered"_s);
    }

    void anEndpointThatAnsweredGoneIsEnabledByHand()
    {
        HttpReceiver receiver;
        receiver.answerNext("/", ReceiverAnswer::status(410));
        DeliveryHarness harness;
        QVERIFY(harness.change(create(u"e"_s, receiver.url("/"))));
        harness.fanOut(kEvent);
        QVERIFY(harness.drain());
        harness.fanOut(kEvent);
        QVERIFY(harness.turn());
        QCOMPARE(rowOf(harness, u"e"_s).disabledCause, DisabledCause::Gone);
        QCOMPARE(rowOf(harness, u"e"_s).held, 1);
        QVERIFY(harness.change(EndpointVerb::Enable, u"e"_s));
        QVERIFY(harness.turn());
        QVERIFY(harness.turn());
        QVERIFY(harness.drain());
        QCOMPARE(receiver.arrivalCount(), 2);
        QCOMPARE(rowOf(harness, u"e"_s).held, 0);
    }

    void openDeliveriesOfADeletedEndpointAreHeld()
    {
        HttpReceiver receiver;
        receiver.answerNext("/", ReceiverAnswer::status(500));
        DeliveryHarness harness;
        QVERIFY(harness.change(create(u"e"_s, receiver.url("/"))));
        harness.fanOut(kEvent);
        QVERIFY(harness.drain());
        QVERIFY(harness.change(EndpointVerb::Delete, u"e"_s));
        QVERIFY(harness.turn());
        harness.advance(100'000);
        QCOMPARE(receiver.arrivalCount(), 1);
        QCOMPARE(harness.statusOf(u"e"_s), u"held"_s);
        QVERIFY(rowOf(harness, u"e"_s).deletedAtMs.has_value());
        QVERIFY(harness.change(create(u"e"_s, receiver.url("/again"))));
        QVERIFY(harness.turn());
        QVERIFY(harness.turn());
        QVERIFY(harness.drain());
        QCOMPARE(receiver.arrivalCount("/again"), 1);
    }

    void aSecretIsMadeAndKeptAndSigns()
    {
        HttpReceiver receiver;
        DeliveryHarness harness;
        QVERIFY(harness.change(create(u"e.1"_s, receiver.url())));
        EndpointChange rotate;
        rotate.verb = EndpointVerb::Rotate;
        rotate.id = u"e.1"_s;
        const auto refused = harness.change(rotate);
        QVERIFY(!refused); // nothing keeps it
        QCOMPARE(refused.error().kind, ErrorKind::Refused);
        harness.keepsSecrets = true;
        const auto rotated = harness.change(rotate);
        QVERIFY(rotated.has_value());
        QVERIFY(rotated->secretName.startsWith(u"WEBHOOK_E_1_"_s));
        QVERIFY(rotated->secret.startsWith(u"whsec_"_s));
        harness.fanOut(kEvent);
        QVERIFY(harness.drain());
        QCOMPARE(receiver.arrivals().size(), size_t(1));
        QVERIFY(receiver.arrivals().back().header("webhook-signature").startsWith("v1,"));
    }

    void aRefusedRotationKeepsNoSecret()
    {
        DeliveryHarness harness;
        EndpointRegistry registry{Settings()};
        QStringList kept;
        EndpointKeeperParts parts{registry, [] {}, {}, {}, {}};
        parts.keepSecret = [&kept](const QString& name, const QByteArray&) -> Status {
            kept.append(name);
            return {};
        };
        parts.forgetSecret = [&kept](const QString& name) { kept.removeOne(name); };
        EndpointKeeper keeper(parts);
        EndpointChange rotate;
        rotate.verb = EndpointVerb::Rotate;
        rotate.id = u"nobody"_s;
        std::optional<ErrorKind> answered;
        keeper.submit(rotate, [&](const Result<EndpointChanged>& changed) {
            answered = changed ? ErrorKind::Internal : changed.error().kind;
        });
        QCOMPARE(kept.size(), 1);
        QVERIFY(harness.turn([&](Cycle& cycle) { return keeper.apply(cycle); }));
        QCOMPARE(answered, std::optional(ErrorKind::NotFound));
        QVERIFY(kept.isEmpty());
    }

    void anotherProcessChangesIt()
    {
        HttpReceiver receiver;
        DeliveryHarness harness;
        const auto beside = Connection::open(harness.store.target(), Access::Writer);
        QVERIFY(runLoneTurn(**beside, harness.clock, [&](Cycle& cycle) -> Status {
            REDRIVE_TRY(changeEndpoint(cycle, create(u"e"_s, receiver.url())));
            return {};
        }));
        harness.lookAtStore();
        QVERIFY(harness.turn());
        harness.fanOut(kEvent);
        QVERIFY(harness.drain());
        QCOMPARE(receiver.arrivalCount(), 1);
    }

    void whatIsDueAtOnceWaitsForTheNewEndpoint()
    {
        HttpReceiver receiver;
        DeliveryHarness harness;
        harness.fanOut(fanOutPayload({{u"other"_s, receiver.url()}}));
        QVERIFY(harness.drain());
        const auto beside = Connection::open(harness.store.target(), Access::Writer);
        QVERIFY(runLoneTurn(**beside, harness.clock, [&](Cycle& cycle) -> Status {
            REDRIVE_TRY(changeEndpoint(cycle, create(u"e"_s, receiver.url())));
            REDRIVE_TRY(cycle.db.execute(u"DELETE FROM delivery_attempts"_s));
            return cycle.db.execute(u"UPDATE webhook_deliveries SET endpoint_id = 'e', settings = NULL, "
                                    "status = 'pending', attempts = 0, spent = 0, due_at_ms = 1"_s);
        }));
        harness.lookAtStore();
        harness.dispatcher().lookAgain();
        QVERIFY(harness.turn()); // sees both at once
        QVERIFY(harness.dispatcher().hasWork(harness.clock.wallMs(), harness.clock.steadyMs()));
        QVERIFY(harness.turn());
        QVERIFY(harness.drain());
        QCOMPARE(receiver.arrivalCount(), 2);
        QCOMPARE(harness.number(u"SELECT count(*) FROM delivery_attempts WHERE outcome = 'delivered'"_s), 1);
        QCOMPARE(harness.number(u"SELECT count(*) FROM delivery_attempts"_s), 1);
    }

    void endpointsOfPayloadsAppearToo()
    {
        HttpReceiver receiver;
        DeliveryHarness harness;
        harness.fanOut(fanOutPayload({{u"inline"_s, receiver.url()}}));
        QVERIFY(harness.drain());
        const EndpointRow row = rowOf(harness, u"inline"_s);
        QCOMPARE(row.origin, EndpointOrigin::Payload);
        QCOMPARE(row.url, receiver.url());
        QCOMPARE(row.lastDay.attempts, 1);
        QCOMPARE(row.lastDay.delivered, 1);
        QVERIFY(row.lastDay.withinMs(0.5).has_value());
        QCOMPARE(harness.number(u"SELECT count(*) FROM delivery_attempts WHERE endpoint_version IS NULL"_s),
                 1);
    }

    void aTurnThatCannotCommitCountsNothing()
    {
        HttpReceiver receiver;
        DeliveryHarness harness;
        QVERIFY(harness.change(create(u"e"_s, receiver.url())));
        harness.holdBack = true;
        harness.fanOut(kEvent);
        HttpOutcome outcome;
        outcome.token = harness.heldBack.front().token;
        outcome.outcome = HttpOutcome::Class::Answered;
        outcome.status = 200;
        outcome.totalUs = 3'000;
        harness.dispatcher().take({outcome});
        QVERIFY(!harness.turn({}, true));
        QCOMPARE(rowOf(harness, u"e"_s).lastDay.attempts, 0);
        QVERIFY(harness.turn());
        QCOMPARE(rowOf(harness, u"e"_s).lastDay.attempts, 1);
    }
};

QTEST_GUILESS_MAIN(EndpointKeeperTest)
#include "endpoint_keeper_test.moc"
