// Actions that are held before they begin, and taken back: before, while they run, and out of the bin.
#include "core/engine/redrive_steering.h"
#include "core/store/redrive_ledger_store.h"
#include "tests/engine/gate_fixture.h"

#include <QTest>

#include <memory>

using namespace redrive;
using namespace redrive::test;

namespace {

constexpr qint64 kHoldMs = 10'000;

struct HoldFixture : GateFixture
{
    std::optional<Result<ActionResult>> answer;

    void ask(ActionVerb verb, const QStringList& ids, qint64 holdMs = kHoldMs)
    {
        ActionRequest asked = request(verb, ids);
        asked.holdMs = holdMs;
        gate.submit(asked, [this](Result<ActionResult> result) { answer = std::move(result); });
        settle();
    }

    // Another engine on the same store.
    void restart()
    {
        std::destroy_at(&gate);
        std::construct_at(&gate, QStringList{u"jobs"_s, u"mail"_s});
    }

    // What the clock asks for by then.
    void advance(qint64 ms)
    {
        clock.advance(ms);
        while (gate.hasWork(clock.wallMs(), clock.steadyMs()))
            QVERIFY(turn());
    }

    Result<RedriveInfo> steer(qint64 no, RedriveSteer how)
    {
        Result<RedriveInfo> steered = fail(ErrorKind::Internal, u"no answer"_s);
        const auto done = runLoneTurn(store.db(), clock, [&](Cycle& cycle) -> Status {
            steered = steerRedrive(cycle, {no, how, 0, u"anna"_s, u"console"_s, {}});
            return {};
        });
        gate.lookAtStore();
        settle();
        return done ? steered : fail(done.error());
    }

    RedriveInfo info(qint64 no = 1) { return *redrive_ledger_store::info(store.db(), no).value(); }
    QString statusOf(const QString& id)
    {
        auto query = store.db().dynamicQuery(u"SELECT status FROM jobs WHERE id = '%1'"_s.arg(id));
        return query.next() ? query.text(0) : QString();
    }
    int inBin()
    {
        auto query =
            store.db().dynamicQuery(u"SELECT count(*) FROM dead_letters WHERE state = 'discarded'"_s);
        return query.next() ? int(query.int64(0)) : -1;
    }
};

} // namespace

class UndoTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void beginsWhenItsTimeIsOver()
    {
        HoldFixture at;
        at.addDeadJobs({u"a"_s, u"b"_s});
        at.ask(ActionVerb::Requeue, {u"a"_s, u"b"_s});
        QVERIFY(at.info().isHeld(at.clock.wallMs()));
        at.advance(kHoldMs - 1);
        QCOMPARE(at.statusOf(u"a"_s), u"dead"_s);
        QVERIFY(!at.answer);
        at.advance(1);
        QCOMPARE(at.statusOf(u"a"_s), u"pending"_s);
        QCOMPARE(at.statusOf(u"b"_s), u"pending"_s);
        QVERIFY(at.answer && *at.answer);
        QCOMPARE((*at.answer)->succeeded, 2);
        QVERIFY(!(*at.answer)->stopped);
    }

    void takenBackItDoesNothing()
    {
        HoldFixture at;
        at.addDeadJobs({u"a"_s, u"b"_s});
        at.ask(ActionVerb::Requeue, {u"a"_s, u"b"_s});
        at.advance(kHoldMs / 2);
        const auto undone = at.steer(1, RedriveSteer::Undo);
        QVERIFY(undone);
        QCOMPARE(undone->state, RedriveState::Stopped);
        QCOMPARE(undone->note, u"undone by anna"_s);
        QVERIFY(undone->undoneAtMs.has_value());
        QVERIFY(at.answer && *at.answer);
        QCOMPARE((*at.answer)->succeeded, 0);
        QVERIFY((*at.answer)->stopped);
        at.advance(2 * kHoldMs);
        QCOMPARE(at.statusOf(u"a"_s), u"dead"_s);
        const auto again = at.steer(1, RedriveSteer::Undo);
        QVERIFY(!again);
        QCOMPARE(again.error().kind, ErrorKind::Conflict);
        QCOMPARE(again.error().text(), u"redrive 1 is undone already"_s);
        // What was taken back can be asked for again.
        at.ask(ActionVerb::Requeue, {u"a"_s}, 0);
        QCOMPARE(at.statusOf(u"a"_s), u"pending"_s);
    }

    // The engine ends in those seconds: the next one holds it for as long, and does it once.
    void aCrashNeitherLosesNorDoublesIt()
    {
        HoldFixture at;
        at.addDeadJobs({u"a"_s, u"b"_s});
        at.ask(ActionVerb::Requeue, {u"a"_s});
        at.ask(ActionVerb::Requeue, {u"b"_s});
        at.restart();
        at.advance(kHoldMs - 1);
        QCOMPARE(at.statusOf(u"a"_s), u"dead"_s);
        QVERIFY(at.steer(2, RedriveSteer::Undo));
        at.restart();
        at.advance(1);
        at.restart();
        at.advance(kHoldMs);
        QCOMPARE(at.statusOf(u"a"_s), u"pending"_s);
        QCOMPARE(at.statusOf(u"b"_s), u"dead"_s);
        QCOMPARE(at.info(1).state, RedriveState::Done);
        auto runs = at.store.db().dynamicQuery(u"SELECT run FROM jobs WHERE id = 'a'"_s);
        QVERIFY(runs.next());
        QCOMPARE(runs.int64(0), 2); // of a run before: it was given back once
        QCOMPARE(at.info(1).done, 1);
    }

    void aCommandBesideItLeavesItHeld()
    {
        HoldFixture at;
        at.addDeadJobs({u"a"_s, u"b"_s});
        at.ask(ActionVerb::Requeue, {u"a"_s});
        at.ask(ActionVerb::Requeue, {u"b"_s}, 0);
        QCOMPARE(at.statusOf(u"a"_s), u"dead"_s);
        QCOMPARE(at.statusOf(u"b"_s), u"pending"_s);
    }

    void itCanBeginBefore()
    {
        HoldFixture at;
        at.addDeadJobs({u"a"_s});
        at.ask(ActionVerb::Requeue, {u"a"_s});
        QVERIFY(at.steer(1, RedriveSteer::Continue));
        QCOMPARE(at.statusOf(u"a"_s), u"pending"_s);
        const auto late = at.steer(1, RedriveSteer::Undo);
        QVERIFY(!late);
        QCOMPARE(late.error().text(), u"redrive 1 is done: nothing of it can be taken back"_s);
    }

    void whatWasDiscardedComesBack()
    {
        HoldFixture at;
        at.addDeadJobs({u"a"_s, u"b"_s});
        at.ask(ActionVerb::Discard, {u"a"_s, u"gone"_s, u"b"_s});
        QCOMPARE(at.inBin(), 0);
        at.advance(kHoldMs);
        QCOMPARE(at.inBin(), 2);
        const auto undone = at.steer(1, RedriveSteer::Undo);
        QVERIFY(undone);
        QCOMPARE(undone->state, RedriveState::Done); // it was done, and stays so in the ledger
        QCOMPARE(at.inBin(), 0);
        QCOMPARE(at.info(2).verb, u"restore"_s);
        QCOMPARE(at.info(2).scope, u"what redrive 1 discarded"_s);
        QCOMPARE(at.info(2).done, 2);
        QCOMPARE(at.info(2).ledger.refused, 0);
        QVERIFY(!at.steer(1, RedriveSteer::Undo));
    }

    void aClockSetBackHoldsNothingUp()
    {
        HoldFixture at;
        at.addDeadJobs({u"a"_s});
        at.ask(ActionVerb::Requeue, {u"a"_s});
        at.clock.jumpWall(-3'600'000);
        at.gate.lookAtStore();
        at.settle();
        QCOMPARE(at.statusOf(u"a"_s), u"pending"_s);
    }

    void holdsWhatItMay_data()
    {
        QTest::addColumn<ActionVerb>("verb");
        QTest::addColumn<qint64>("holdMs");
        QTest::addColumn<QString>("refusal");
        const QString none;
        QTest::addRow("requeue") << ActionVerb::Requeue << kHoldMs << none;
        QTest::addRow("replay") << ActionVerb::Replay << kHoldMs << none;
        QTest::addRow("run now") << ActionVerb::RunNow << kHoldMs << none;
        QTest::addRow("discard") << ActionVerb::Discard << kLongestHoldMs << none;
        QTest::addRow("too long") << ActionVerb::Discard << kLongestHoldMs + 1
                                  << u"an action is held for a minute at most"_s;
        QTest::addRow("negative") << ActionVerb::Discard << qint64(-1)
                                  << u"an action is held for a minute at most"_s;
        QTest::addRow("restore") << ActionVerb::Restore << kHoldMs
                                 << u"restore is not held before it begins"_s;
        QTest::addRow("cancel") << ActionVerb::Cancel << kHoldMs << u"cancel is not held before it begins"_s;
    }

    void holdsWhatItMay()
    {
        QFETCH(ActionVerb, verb);
        QFETCH(qint64, holdMs);
        QFETCH(QString, refusal);
        HoldFixture at;
        at.addDeadJobs({u"a"_s});
        at.ask(verb, {u"a"_s}, holdMs);
        QCOMPARE(at.answer.has_value(), !refusal.isEmpty());
        if (!refusal.isEmpty())
            QCOMPARE(at.answer->error().text(), refusal);
    }
};

QTEST_GUILESS_MAIN(UndoTest)
#include "undo_test.moc"
