// send, queues, stats and purge as real processes on a real file, without an engine.
#include "core/store/telemetry_store.h"
#include "tests/app/program.h"

#include <QTest>

using namespace redrive;
using namespace redrive::test;

namespace {

constexpr char kConfig[] = "[[queues.producers]]\nbinding = \"J\"\nqueue = \"my/ Queue\"\n"
                           "[[queues.consumers]]\nqueue = \"my/ Queue\"\ntype = \"http_pull\"\n";

} // namespace

class QueuesCommandTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void sendsListsAndPurges()
    {
        const Program program;
        program.write(u"wrangler.toml"_s, kConfig);
        const Outcome sent =
            program.run({u"send"_s, u"my/ Queue"_s, u"--body"_s, u"{\"n\":12345678901234567890}"_s});
        QVERIFY2(sent.code == 0, qPrintable(sent.err));
        QCOMPARE(sent.lines().size(), 1);
        const Outcome late = program.run({u"send"_s, u"my/ Queue"_s, u"--body"_s, u"hello"_s, u"--type"_s,
                                          u"text"_s, u"--delay"_s, u"60"_s, u"--json"_s});
        QCOMPARE(late.code, 0);
        QCOMPARE(late.json().value(u"messageId"_s).toString().size(), 36);

        const Outcome listed =
            program.run({u"queues"_s, u"--json"_s, u"--where"_s, u"queue:\"my/ Queue\""_s});
        QCOMPARE(listed.lines().size(), 1);
        const QJsonObject queue = listed.json();
        QCOMPARE(queue.value(u"queue"_s).toString(), u"my/ Queue"_s);
        QCOMPARE(queue.value(u"state"_s).toString(), u"pulled"_s);
        QCOMPARE(queue.value(u"waiting"_s).toInt(), 1);
        QCOMPARE(queue.value(u"delayed"_s).toInt(), 1);
        QCOMPARE(queue.value(u"backlog"_s).toInt(), 2);
        QCOMPARE(queue.value(u"backlogBytes"_s).toInt(), 26 + 5);
        QCOMPARE(queue.value(u"retentionMs"_s).toInteger(), 345'600'000);
        QVERIFY(program.run({u"queues"_s}).out.contains(u"my/ Queue"_s));
        QCOMPARE(program.run({u"queues"_s, u"--where"_s, u"attempt:>3"_s}).code, 1);

        const QJsonObject stats = program.run({u"stats"_s, u"--json"_s}).json();
        QCOMPARE(stats.value(u"waiting"_s).toInt(), 1);
        QCOMPARE(stats.value(u"delayed"_s).toInt(), 1);
        QCOMPARE(stats.value(u"jobs"_s).toInt(), 0);
        QCOMPARE(stats.value(u"telemetryRows"_s).toInt(-1), 0);
        {
            const auto db = Connection::open({program.database()}, Access::Writer);
            QVERIFY(db);
            Cycle cycle(**db);
            QVERIFY(telemetry_store::insert(cycle, {u"e1"_s, {u"audit"_s, {}}, {u"acme"_s, {}}, "{}", 5}));
        }
        const QJsonObject later = program.run({u"stats"_s, u"--json"_s}).json();
        QCOMPARE(later.value(u"telemetryRows"_s).toInt(), 1);
        QCOMPARE(later.value(u"telemetryBytes"_s).toInt(), 2);
        QCOMPARE(later.value(u"telemetryPrunedByAge"_s).toInt(-1), 0);
        const QJsonObject none =
            program.run({u"stats"_s, u"--where"_s, u"queue:nobody"_s, u"--json"_s}).json();
        QCOMPARE(none.value(u"waiting"_s).toInt(), 0);
        QVERIFY(!none.contains(u"jobs"_s)); // a figure of the whole database
        QCOMPARE(program.run({u"stats"_s, u"--limit"_s, u"2"_s, u"--json"_s}).json().size(), 3);

        const Outcome plan = program.run({u"purge"_s, u"my/ Queue"_s, u"--dry-run"_s});
        QCOMPARE(plan.code, 0);
        QVERIFY2(plan.out.startsWith(u"2 of 2 would be deleted"_s), qPrintable(plan.out));
        const Outcome unsure = program.run({u"purge"_s, u"my/ Queue"_s});
        QCOMPARE(unsure.code, 2);
        QVERIFY2(unsure.err.contains(u"--yes"_s), qPrintable(unsure.err));
        const Outcome purged = program.run({u"purge"_s, u"my/ Queue"_s, u"--yes"_s, u"--json"_s});
        QVERIFY2(purged.code == 0, qPrintable(purged.err));
        QCOMPARE(purged.json().value(u"succeeded"_s).toInt(), 2);
        QCOMPARE(program.run({u"stats"_s, u"--json"_s}).json().value(u"waiting"_s).toInt(), 0);
        QCOMPARE(program.run({u"purge"_s, u"no such"_s, u"--yes"_s}).code, 1);
    }

    void manyLinesAreOneSend()
    {
        const Program program;
        program.write(u"wrangler.toml"_s, kConfig);
        const QStringList words{u"send"_s, u"my/ Queue"_s, u"--body"_s, u"-"_s};
        const Outcome three = program.run(words, "{\"a\":1}\n\n[2]\r\n\"3\"\n");
        QVERIFY2(three.code == 0, qPrintable(three.err));
        QCOMPARE(three.lines().size(), 3);
        const Outcome spread = program.run(words, "{\n  \"a\":\n  1\n}\n"); // one value over several lines
        QCOMPARE(spread.lines().size(), 1);
        const Outcome bad = program.run(words, "{}\n{\n{}\n");
        QCOMPARE(bad.code, 1);
        QVERIFY2(bad.err.contains(u"line 2"_s), qPrintable(bad.err));
        QCOMPARE(program.run(words, QByteArray("1\n").repeated(101)).code, 1);
        QCOMPARE(program.run(words, {}).code, 1);
        QCOMPARE(program.run({u"stats"_s, u"--json"_s}).json().value(u"waiting"_s).toInt(), 4);
    }

    void bytesAndTextStayAsTheyAre()
    {
        const Program program;
        program.write(u"wrangler.toml"_s, kConfig);
        const QStringList words{u"send"_s, u"my/ Queue"_s, u"--body"_s, u"-"_s, u"--type"_s};
        QCOMPARE(program.run(words + QStringList{u"bytes"_s}, QByteArray("\0\xff\n", 3)).code, 0);
        QCOMPARE(program.run(words + QStringList{u"text"_s}, QByteArray("\xff")).code, 1);
        QCOMPARE(program.run(words + QStringList{u"text"_s}, " two\nlines \n").code, 0);
        const QJsonObject stats = program.run({u"stats"_s, u"--json"_s}).json();
        QCOMPARE(stats.value(u"waiting"_s).toInt(), 2);
        QCOMPARE(stats.value(u"backlogBytes"_s).toInt(), 3 + 12);
    }

    void saysWhatIsMissingOrFull()
    {
        const Program program;
        program.write(u"wrangler.toml"_s, QByteArray(kConfig) + "[redrive.limits]\nbacklog = 1\n");
        QCOMPARE(program.run({u"send"_s, u"my/ Queue"_s}).code, 2);
        QCOMPARE(program.run({u"send"_s, u"my/ Queue"_s, u"--body"_s, u"1"_s, u"--type"_s, u"xml"_s}).code,
                 2);
        QCOMPARE(program.run({u"send"_s, u"my/ Queue"_s, u"--body"_s, u"1"_s}).code, 0);
        const Outcome full = program.run({u"send"_s, u"my/ Queue"_s, u"--body"_s, u"1"_s});
        QCOMPARE(full.code, 1);
        QCOMPARE(full.err.trimmed(),
                 u"redrive: the queue my/ Queue is full: it holds 1 messages, its limit is 1"_s);
        const Outcome typo = program.run({u"send"_s, u"other"_s, u"--body"_s, u"1"_s});
        QCOMPARE(typo.code, 0);
        QVERIFY2(typo.err.contains(u"nothing in the configuration names the queue other"_s),
                 qPrintable(typo.err));
    }
};

QTEST_GUILESS_MAIN(QueuesCommandTest)
#include "queues_command_test.moc"
