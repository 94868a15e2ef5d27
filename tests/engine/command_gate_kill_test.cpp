// A process that is killed in the middle of redrives, again and again, and another one that goes on.
#include "tests/engine/gate_fixture.h"

#include <QRandomGenerator>
#include <QTest>

#include <atomic>
#include <csignal>

#include <sys/wait.h>
#include <unistd.h>

using namespace redrive;
using namespace redrive::test;

namespace {

constexpr int kJobs = 2'000;
constexpr int kReplayed = 25'000;
constexpr int kPurged = 20'000;

// In the child: works until it is killed or everything is done. Says over the pipe when it began.
[[noreturn]] void workUntilKilled(const DatabaseTarget& target, int ready)
{
    const SystemClock clock;
    auto db = Connection::open(target, Access::Writer);
    CommandGate gate({});
    while (db && gate.hasWork(0, 0)) {
        if (!runLoneTurn(**db, clock, [&](Cycle& cycle) { return gate.apply(cycle); }))
            break;
        (void)!::write(ready, "x", 1);
    }
    ::_exit(0);
}

// In the child: asks for something that is held for a minute, and waits to be killed.
[[noreturn]] void askAndWait(const DatabaseTarget& target, ActionRequest request, int ready)
{
    const SystemClock clock;
    auto db = Connection::open(target, Access::Writer);
    CommandGate gate({});
    request.holdMs = kLongestHoldMs;
    gate.submit(request, [](const Result<ActionResult>&) {});
    if (db && runLoneTurn(**db, clock, [&](Cycle& cycle) { return gate.apply(cycle); }))
        (void)!::write(ready, "x", 1);
    for (;;)
        ::pause();
}

} // namespace

class CommandGateKillTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void requeuesEachOnce()
    {
        QTemporaryDir folder;
        const DatabaseTarget target{folder.filePath(u"jobs.db"_s)};
        prepare(target, ActionVerb::Requeue);
        killAgainAndAgain(target);
        finish(target, {{u"jobs WHERE status = 'pending' AND run = 2"_s, kJobs},
                        {u"messages WHERE queue = 'jobs'"_s, kJobs},
                        {u"dead_letters WHERE state = 'requeued'"_s, kJobs}});
        verifyTheSecondFoundNothingLeft(target);
    }

    void whatIsHeldOutlivesAKillAndIsDoneOnce()
    {
        constexpr int kHeld = 20;
        QStringList ids;
        for (int i = 0; i < kHeld; ++i)
            ids.append(u"job-%1"_s.arg(i));
        QTemporaryDir folder;
        const DatabaseTarget target{folder.filePath(u"jobs.db"_s)};
        {
            GateFixture seed;
            seed.addDeadJobs(ids);
            seed.store.execute(u"VACUUM INTO '%1'"_s.arg(target.path));
        }
        int ready[2];
        QCOMPARE(::pipe(ready), 0);
        const pid_t child = ::fork();
        if (child == 0)
            askAndWait(target, GateFixture::request(ActionVerb::Requeue, ids), ready[1]);
        ::close(ready[1]);
        char byte = 0;
        const auto got = ::read(ready[0], &byte, 1);
        ::close(ready[0]);
        ::kill(child, SIGKILL);
        ::waitpid(child, nullptr, 0);
        QCOMPARE(got, 1);

        const auto opened = Connection::open(target, Access::Writer);
        QVERIFY(opened.has_value());
        Connection& db = **opened;
        const qint64 untilMs = number(db, u"SELECT held_until_ms FROM redrives"_s);
        for (const auto& [nowMs, requeued] :
             {std::pair{untilMs - 1, 0}, {untilMs, kHeld}, {untilMs + 1, kHeld}}) {
            const ManualClock clock(nowMs);
            CommandGate gate({});
            while (gate.hasWork(0, 0))
                QVERIFY(runLoneTurn(db, clock, [&](Cycle& cycle) { return gate.apply(cycle); }).has_value());
            QCOMPARE(number(db, u"SELECT count(*) FROM jobs WHERE status = 'pending' AND run = 2"_s),
                     requeued);
        }
        QCOMPARE(number(db, u"SELECT sum(succeeded) FROM redrives"_s), kHeld);
    }

    // REDRIVE_REPLAYED says how many.
    void replaysEachOnce()
    {
        bool asked = false;
        const int wanted = qEnvironmentVariableIntValue("REDRIVE_REPLAYED", &asked);
        const int failed = asked ? wanted : kReplayed;
        QTemporaryDir folder;
        const DatabaseTarget target{folder.filePath(u"jobs.db"_s)};
        {
            GateFixture seed;
            seed.addFailedDeliveries(failed, failed / 5);
            ActionRequest request = GateFixture::request(ActionVerb::Replay, {});
            request.scope.list = ListKind::Deliveries;
            request.scope.matching = true;
            request.scope.filter = u"endpoint:acme"_s;
            for (int twice = 0; twice < 2; ++twice)
                ask(seed, request);
            seed.store.execute(u"VACUUM INTO '%1'"_s.arg(target.path));
        }
        killAgainAndAgain(target);
        finish(target,
               {{u"webhook_deliveries WHERE status = 'pending' AND replay_of = 1 AND attempts = 1 AND "
                 "resume_status = 'failed'"_s,
                 failed},
                {u"webhook_deliveries WHERE status = 'delivered' AND updated_at_ms = 1000 AND "
                 "replay_of IS NULL"_s,
                 failed / 5},
                {u"redrive_items WHERE outcome = 'waiting' AND error_before = 'HTTP 500'"_s, failed},
                {u"(SELECT 1 FROM redrive_items WHERE result = 'ok' GROUP BY item_id)"_s, failed}});
        verifyTheSecondFoundNothingLeft(target, failed);
    }

    void cancelsEachOnce()
    {
        QTemporaryDir folder;
        const DatabaseTarget target{folder.filePath(u"jobs.db"_s)};
        prepare(target, ActionVerb::Cancel);
        killAgainAndAgain(target);
        finish(target,
               {{u"jobs WHERE status = 'cancelled' AND reason = 'cancelled' AND due_at_ms IS NULL"_s, kJobs},
                {u"messages"_s, 0}});
        verifyTheSecondFoundNothingLeft(target);
    }

    // What is sent after the plan stays.
    void purgesEachOnce()
    {
        QTemporaryDir folder;
        const DatabaseTarget target{folder.filePath(u"jobs.db"_s)};
        GateFixture seed;
        seed.store.execute(
            u"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %1) INSERT INTO jobs "
            "(id, type, status, queue, created_at_ms, updated_at_ms) SELECT 'w' || i, 't', 'pending', "
            "'jobs', "
            "1, 1 FROM n"_s.arg(kPurged));
        seed.store.execute(u"INSERT INTO messages (id, queue, is_job, size, sent_at_ms, visible_at_ms) "
                           u"SELECT id, 'jobs', 1, "
                           "10, 5, 5 FROM jobs"_s);
        ask(seed, GateFixture::queueRequest(ActionVerb::PurgeQueue, u"jobs"_s));
        seed.store.execute(u"INSERT INTO messages (id, queue, is_job, size, sent_at_ms, visible_at_ms) "
                           "VALUES ('later', 'jobs', 0, 10, 5, 5)"_s);
        seed.store.execute(u"VACUUM INTO '%1'"_s.arg(target.path));

        killAgainAndAgain(target);
        finish(target,
               {{u"jobs WHERE status = 'cancelled' AND reason = 'purged'"_s, kPurged},
                {u"messages"_s, 1},
                {u"queue_backlog WHERE queue = 'jobs' AND messages = 1 AND bytes = 10"_s, 1},
                {u"redrives WHERE state = 'done' AND total = succeeded AND succeeded = %1"_s.arg(kPurged), 1},
                {u"audit"_s, 1}});
    }

private:
    static qint64 number(Connection& db, const QString& statement)
    {
        auto query = db.dynamicQuery(statement);
        return query.next() ? query.int64(0) : -1;
    }

    static void ask(GateFixture& seed, const ActionRequest& request)
    {
        const SystemClock clock;
        QVERIFY(runLoneTurn(seed.store.db(), clock, [&](Cycle& cycle) -> Status {
                    REDRIVE_TRY(seed.gate.write(cycle, request));
                    return {};
                }).has_value());
    }

    static void killAgainAndAgain(const DatabaseTarget& target)
    {

        // Killed after a random number of turns, at a random moment of the turn that follows.
        QRandomGenerator random(7);
        int killed = 0;
        for (int round = 0; round < 12; ++round) {
            int ready[2];
            QCOMPARE(::pipe(ready), 0);
            const pid_t child = ::fork();
            if (child == 0)
                workUntilKilled(target, ready[1]);
            ::close(ready[1]);
            char byte = 0;
            for (int turns = 1 + int(random.bounded(2)); turns > 0 && ::read(ready[0], &byte, 1) == 1;
                 --turns) {
            }
            for (std::atomic<int> spin = int(random.bounded(4'000'000)); spin > 0; --spin) {
            }
            ::kill(child, SIGKILL);
            int status = 0;
            ::waitpid(child, &status, 0);
            killed += WIFSIGNALED(status) ? 1 : 0;
            ::close(ready[0]);
        }
        QVERIFY2(killed >= 3, "the child was too quick to be killed in the middle");
    }

    static void prepare(const DatabaseTarget& target, ActionVerb verb)
    {
        QStringList ids;
        for (int i = 0; i < kJobs; ++i)
            ids.append(u"job-%1"_s.arg(i));
        GateFixture seed; // for its rows only
        if (verb == ActionVerb::Requeue)
            seed.addDeadJobs(ids);
        else
            seed.addWaitingJobs(ids);
        for (int twice = 0; twice < 2; ++twice)
            ask(seed, GateFixture::request(verb, ids));
        seed.store.execute(u"VACUUM INTO '%1'"_s.arg(target.path));
    }

    static void finish(const DatabaseTarget& target, const QList<std::pair<QString, int>>& counts)
    {
        const SystemClock clock;
        auto opened = Connection::open(target, Access::Writer);
        QVERIFY(opened.has_value());
        Connection& db = **opened;
        CommandGate gate({});
        while (gate.hasWork(0, 0))
            QVERIFY(runLoneTurn(db, clock, [&](Cycle& cycle) { return gate.apply(cycle); }).has_value());
        for (const auto& [rows, count] : counts)
            QCOMPARE(number(db, u"SELECT count(*) FROM "_s + rows), count);
    }

    static void verifyTheSecondFoundNothingLeft(const DatabaseTarget& target, int items = kJobs)
    {
        const auto db = Connection::open(target, Access::Reader);
        QVERIFY(db.has_value());
        QCOMPARE(number(**db, u"SELECT sum(succeeded) FROM redrives"_s), items);
        QCOMPARE(number(**db, u"SELECT sum(refused) FROM redrives"_s), items);
        QCOMPARE(number(**db, u"SELECT count(*) FROM redrive_items WHERE result = 'ok'"_s), items);
        QCOMPARE(number(**db, u"SELECT count(*) FROM audit"_s), 2);
    }
};

QTEST_GUILESS_MAIN(CommandGateKillTest)
#include "command_gate_kill_test.moc"
