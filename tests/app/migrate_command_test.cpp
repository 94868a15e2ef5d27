// `redrive migrate` where things are not as it expects them.
#include "tests/app/program.h"

#include <QTest>

using namespace redrive;
using namespace redrive::test;

namespace {

constexpr char kDatabase[] = "[[queues.producers]]\nbinding = \"Q\"\nqueue = \"jobs\"\n"
                             "[[d1_databases]]\nbinding = \"DB\"\ndatabase_name = \"x\"\n";

} // namespace

class MigrateCommandTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    // The column was added by hand, and no ledger knows of it.
    void whatWasMadeByHandCanBeMarked()
    {
        const Program program;
        program.write(u"wrangler.toml"_s, kDatabase);
        program.write(u"migrations/0001_a.sql"_s, "CREATE TABLE t (a, b);");
        QCOMPARE(program.run({u"migrate"_s}).code, 0);
        program.write(u"migrations/0002_b.sql"_s, "CREATE TABLE half (a);\nALTER TABLE t ADD COLUMN b;");
        const Outcome failed = program.run({u"migrate"_s});
        QCOMPARE(failed.code, 1);
        QVERIFY2(failed.err.contains(u"duplicate column name: b"_s), qPrintable(failed.err));
        QVERIFY2(failed.err.contains(u"redrive migrate --mark \"0002_b.sql\""_s), qPrintable(failed.err));

        const Outcome marked = program.run({u"migrate"_s, u"--mark"_s, u"0002_b.sql"_s});
        QCOMPARE(marked.code, 0);
        QVERIFY2(marked.out.contains(u"without running it"_s), qPrintable(marked.out));
        QCOMPARE(program.run({u"migrate"_s}).out, u"nothing to apply\n"_s);
        const Outcome again = program.run({u"migrate"_s, u"--mark"_s, u"0002_b.sql"_s});
        QCOMPARE(again.code, 1);
        QVERIFY2(again.err.contains(u"is not a pending migration"_s), qPrintable(again.err));
        QCOMPARE(program.run({u"migrate"_s, u"--mark"_s, u""_s}).code, 2);
    }

    void anotherFailureOffersNoMark()
    {
        const Program program;
        program.write(u"wrangler.toml"_s, kDatabase);
        program.write(u"migrations/0001_a.sql"_s, "CREATE TABLE t (a);");
        QCOMPARE(program.run({u"migrate"_s}).code, 0);
        program.write(u"migrations/0002_b.sql"_s, "INSERT INTO nope VALUES (1);");
        const Outcome failed = program.run({u"migrate"_s});
        QCOMPARE(failed.code, 1);
        QVERIFY2(failed.err.contains(u"0002_b.sql failed at statement 1"_s) &&
                     failed.err.contains(u"no such table: nope"_s) && !failed.err.contains(u"--mark"_s),
                 qPrintable(failed.err));
    }

    void saysWhyThereIsNothingToApply()
    {
        const Program program;
        for (const QStringList& words : {QStringList{u"migrate"_s}, {u"migrate"_s, u"--json"_s}}) {
            const Outcome unconfigured = program.run(words);
            QCOMPARE(unconfigured.code, 0);
            QVERIFY2(unconfigured.err.contains(u"no d1_databases"_s), qPrintable(unconfigured.err));
        }
        program.write(u"wrangler.toml"_s, kDatabase);
        const Outcome folderless = program.run({u"migrate"_s});
        QCOMPARE(folderless.code, 1);
        QVERIFY2(folderless.err.contains(program.path(u"migrations"_s) + u"' does not exist"_s),
                 qPrintable(folderless.err));
        QVERIFY(program.run({u"migrate"_s, u"--config"_s, u"nope.toml"_s}).err.contains(u"nope.toml"_s));
    }

    // One folder a migration, as other tools lay them out.
    void aNestedLayoutIsPointedTo()
    {
        const Program program;
        program.write(u"wrangler.toml"_s, kDatabase);
        program.write(u"migrations/0000_init/migration.sql"_s, "CREATE TABLE t (a);");
        for (const QStringList& words : {QStringList{u"migrate"_s}, {u"enqueue"_s, u"x"_s}}) {
            const Outcome flat = program.run(words);
            QCOMPARE(flat.code, 0);
            QVERIFY2(flat.err.contains(u"0000_init/migration.sql"_s) &&
                         flat.err.contains(u"migrations_pattern"_s),
                     qPrintable(flat.err));
        }
        program.write(u"wrangler.toml"_s,
                      QByteArray(kDatabase) + "migrations_pattern = \"migrations/*/migration.sql\"\n");
        const Outcome nested = program.run({u"migrate"_s});
        QCOMPARE(nested.out, u"applied 0000_init/migration.sql\n"_s);
        QCOMPARE(nested.err, QString());
    }
};

QTEST_GUILESS_MAIN(MigrateCommandTest)
#include "migrate_command_test.moc"
