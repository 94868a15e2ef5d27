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
    }

private:
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
        const SystemClock clock;
        for (int twice = 0; twice < 2; ++twice)
            QVERIFY(runLoneTurn(seed.store.db(), clock, [&](Cycle& cycle) -> Status {
                        REDRIVE_TRY(seed.gate.write(cycle, GateFixture::request(verb, ids)));
                        return {};
                    }).has_value());
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
        const auto number = [&](const QString& statement) {
            auto query = db.dynamicQuery(statement);
            return query.next() ? query.int64(0) : -1;
        };
        for (const auto& [rows, count] : counts)
            QCOMPARE(number(u"SELECT count(*) FROM "_s + rows), count);
        QCOMPARE(number(u"SELECT sum(succeeded) FROM redrives"_s), kJobs);
        QCOMPARE(number(u"SELECT sum(refused) FROM redrives"_s), kJobs);
        QCOMPARE(number(u"SELECT count(*) FROM redrive_items WHERE result = 'ok'"_s), kJobs);
        QCOMPARE(number(u"SELECT count(*) FROM audit"_s), 2);
    }
};

QTEST_GUILESS_MAIN(CommandGateKillTest)
#include "command_gate_kill_test.moc"
