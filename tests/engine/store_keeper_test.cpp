// What the turns do while the store cannot be written, with a clock moved by hand.
#include "core/engine/control.h"
#include "tests/support/manual_clock.h"
#include "tests/support/test_store.h"

#include <QFile>
#include <QFileInfo>
#include <QTest>

using namespace redrive;
using namespace redrive::test;
using namespace Qt::Literals::StringLiterals;

namespace {

// Writes one row a turn and says so after the commit.
class Writer final : public CyclePart
{
public:
    explicit Writer(bool records) : m_records(records) {}

    bool hasWork(qint64, qint64) const override { return wants; }
    bool hasRecords(qint64) const override { return wants && m_records; }
    Status apply(Cycle& cycle) override
    {
        if (beforeCommit)
            beforeCommit();
        REDRIVE_TRY(
            cycle.db.execute(u"INSERT INTO queues (name, created_at_ms) VALUES (hex(randomblob(8)), 1)"_s));
        cycle.afterCommit.push_back([this] { ++told; });
        return {};
    }
    void rolledBack(const Error&) override { ++undone; }
    void storeRefuses(const std::optional<Error>& why) override { refusal = why; }
    std::optional<qint64> nextDeadline() const override { return std::nullopt; }

    bool wants = true;
    std::function<void()> beforeCommit;
    int told = 0;
    int undone = 0;
    std::optional<Error> refusal;

private:
    bool m_records;
};

struct Rig
{
    explicit Rig(qint64 ballastBytes = 0)
    {
        control.addPart(intake);
        control.addPart(outcomes);
        store.db().setBusyTimeout(0);
        if (ballastBytes > 0)
            withBallast.emplace(store.db(), clock, ballastBytes);
    }
    // Time passes, with a turn every quarter of a second.
    void pass(qint64 ms)
    {
        for (qint64 until = clock.steadyMs() + ms; clock.steadyMs() < until; clock.advance(250))
            control.turn();
    }
    Error full() const { return {ErrorKind::StorageFull, u"running"_s, u"database or disk is full"_s, {}}; }

    ManualClock clock;
    TestStore store;
    Feed feed;
    Control control{store.db(), clock, feed};
    Writer intake{false};
    Writer outcomes{true};
    std::optional<StoreKeeper> withBallast;
};

} // namespace

class StoreKeeperTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aLockOfAMinuteIsToldAfterThreeSecondsAndRefusedAfterFive()
    {
        Rig rig;
        const auto other = rig.store.openWriter();
        QVERIFY(other->execute(u"BEGIN IMMEDIATE"_s));
        rig.pass(2'750);
        QVERIFY(!rig.control.store().problem());
        rig.pass(750);
        QVERIFY(rig.control.store().problem());
        QCOMPARE(rig.control.store().problem()->message,
                 u"Database busy: another process holds 'jobs.db'. Work resumes by itself."_s);
        QVERIFY(!rig.intake.refusal);
        rig.pass(2'000);
        QVERIFY(rig.intake.refusal);
        QCOMPARE(rig.intake.refusal->kind, ErrorKind::Busy);
        rig.intake.wants = rig.outcomes.wants = false; // nobody has work: the lock is tried all the same
        rig.pass(55'000);
        QVERIFY(rig.control.store().problem());
        QCOMPARE(rig.intake.undone + rig.outcomes.undone, 0); // no part was troubled with it
        QVERIFY(other->execute(u"COMMIT"_s));
        rig.pass(500);
        QVERIFY(!rig.control.store().problem());
        QVERIFY(!rig.intake.refusal);
    }

    void aLogInUseIsWrittenBackEachSecondAndAnIdleOneEmptied()
    {
        Rig rig;
        rig.store.execute(u"CREATE TABLE filling (b BLOB)"_s);
        rig.intake.beforeCommit = [&rig] {
            QVERIFY(rig.store.db().execute(u"INSERT INTO filling VALUES (zeroblob(5000000))"_s));
        };
        qint64 longest = 0;
        for (int turn = 0; turn < 20; ++turn) { // 5 s, 100 MB
            QVERIFY(rig.control.turn());
            rig.clock.advance(250);
            longest = std::max(longest, walBytes(rig.store.target()));
        }
        QVERIFY2(longest < 45'000'000, qPrintable(QString::number(longest)));
        QCOMPARE(walBytes(rig.store.target()), longest); // its place is used again, which syncs faster
        rig.intake.wants = rig.outcomes.wants = false;
        rig.pass(3'000);
        QCOMPARE(walBytes(rig.store.target()), 0); // idle
    }

    void aFullDiskTakesOnlyRecords()
    {
        Rig rig;
        rig.control.turn();
        QCOMPARE(rig.intake.told, 1);
        (void)rig.control.store().turnFailed(rig.full());
        QCOMPARE(rig.control.store().use(), StoreUse::Records);
        rig.control.turn();
        QCOMPARE(rig.intake.told, 1);
        QCOMPARE(rig.outcomes.told, 2);
        QCOMPARE(rig.intake.refusal->kind, ErrorKind::StorageFull);
        bool looked = false;
        rig.control.onOutsideChange([&] { looked = true; });
        rig.pass(1'500); // there is room on this disk: the first probe finds it
        QCOMPARE(rig.control.store().use(), StoreUse::Everything);
        QVERIFY(!rig.intake.refusal);
        QVERIFY(rig.intake.told > 1);
        QVERIFY(looked); // what the records made due meanwhile
    }

    void aFaultThatComesBackIsProbedLessOften()
    {
        Rig rig;
        StoreKeeper& store = rig.control.store();
        rig.intake.wants = rig.outcomes.wants = false;
        QList<qint64> lasted;
        for (int i = 0; i < 6; ++i) {
            (void)store.turnFailed(rig.full());
            const qint64 since = rig.clock.steadyMs();
            while (store.use() != StoreUse::Everything)
                rig.pass(250);
            lasted.append(rig.clock.steadyMs() - since);
        }
        QVERIFY(lasted[0] <= 1'500);
        QVERIFY(lasted[2] > 2 * lasted[0]);
        QVERIFY(lasted.last() <= 10'000);
    }

    void theBallastIsGivenBackAndMadeAgain()
    {
        constexpr qint64 bytes = 1 << 20;
        Rig rig(bytes);
        const QString ballast = rig.store.target().path + u"-ballast"_s;
        rig.withBallast->look();
        QCOMPARE(QFileInfo(ballast).size(), bytes);
        (void)rig.withBallast->turnFailed(rig.full());
        QVERIFY(!QFileInfo::exists(ballast));
        for (int i = 0; i < 40 && !QFileInfo::exists(ballast); ++i, rig.clock.advance(500))
            rig.withBallast->look();
        QCOMPARE(QFileInfo(ballast).size(), bytes);
        QVERIFY(rig.withBallast->notices().isEmpty());
    }

    void nobodyIsToldOfACommitIntoAFileThatIsGone()
    {
        Rig rig;
        const QString path = rig.store.target().path;
        rig.intake.beforeCommit = [&] { QVERIFY(QFile::rename(path, path + u".away"_s)); };
        QVERIFY(!rig.control.turn());
        rig.intake.beforeCommit = {};
        rig.intake.wants = rig.outcomes.wants = false;
        QCOMPARE(rig.intake.told, 0);
        rig.pass(2'000);
        QCOMPARE(rig.intake.told, 0);
        QCOMPARE(rig.control.store().use(), StoreUse::Nothing);
        QVERIFY(QFile::rename(path + u".away"_s, path));
        rig.pass(1'000);
        QCOMPARE(rig.intake.told, 1); // it is durable now, and was not written twice
        QCOMPARE(rig.intake.undone, 0);
        QCOMPARE(rig.store.number(u"SELECT count(*) FROM queues"_s), 2);
    }

    void damageHaltsForGood()
    {
        Rig rig;
        rig.control.store().halt(
            {ErrorKind::Corrupt, u"reading"_s, u"database disk image is malformed"_s, {}});
        rig.pass(60'000);
        QCOMPARE(rig.control.store().use(), StoreUse::Nothing);
        QCOMPARE(rig.intake.told, 0);
        QCOMPARE(rig.intake.refusal->kind, ErrorKind::Corrupt);
        QVERIFY(!rig.control.once([](Cycle&) { return Status(); })); // not the last turn either
    }
};

QTEST_GUILESS_MAIN(StoreKeeperTest)
#include "store_keeper_test.moc"
