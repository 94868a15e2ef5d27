// recover, use-backup and new-database as real processes, beside `redrive serve` that refuses to start.
#include "tests/app/program.h"

#include <QTest>

using namespace redrive;
using namespace redrive::test;

class RescueCommandTest : public QObject
{
    Q_OBJECT

    static QByteArray read(const QString& path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    static void fill(const Program& program)
    {
        for (int job = 0; job < 3; ++job)
            QCOMPARE(program.run({u"enqueue"_s, u"mail"_s}).code, 0);
    }

    static int jobs(const Program& program)
    {
        return int(program.run({u"jobs"_s, u"--json"_s}).lines().size());
    }

private Q_SLOTS:
    void aDamagedDatabaseIsRecovered()
    {
        const Program program;
        fill(program);
        QByteArray content = read(program.database());
        content.replace(0, 16, QByteArray(16, 'Z')); // its header
        program.write(u"data/redrive.db"_s, content);
        const Outcome serve = program.run({u"serve"_s, u"--listen"_s, u"127.0.0.1:0"_s});
        QCOMPARE(serve.code, 1);

        const Outcome recovered = program.run({u"recover"_s});
        QVERIFY2(recovered.code == 0, qPrintable(recovered.err));
        QVERIFY2(recovered.out.contains(u"saved and checked: "_s + program.database() + u".recovered-"_s),
                 qPrintable(recovered.out));
        QVERIFY(read(program.database()) == content);
        const Outcome used = program.run({u"recover"_s, u"--use"_s, u"--json"_s});
        QVERIFY2(used.code == 0, qPrintable(used.err));
        bool hasJobs = false;
        for (int line = 0; line < used.lines().size(); ++line)
            if (used.json(line).value(u"table"_s).toString() == u"jobs")
                hasJobs = used.json(line).value(u"rows"_s).toInt() == 3 &&
                          used.json(line).value(u"complete"_s).toBool();
        QVERIFY2(hasJobs, qPrintable(used.out));
        const QString aside = used.json(int(used.lines().size()) - 1).value(u"keptAs"_s).toString();
        QVERIFY(read(aside) == content);
        QCOMPARE(jobs(program), 3);
    }

    void anEmptiedDatabaseNamesTheWaysOut()
    {
        const Program program;
        fill(program);
        const QString kept = program.path(u"kept.db"_s);
        QVERIFY(QFile::copy(program.database(), kept));
        program.write(u"data/redrive.db"_s, {});
        const Outcome serve = program.run({u"serve"_s, u"--listen"_s, u"127.0.0.1:0"_s});
        QCOMPARE(serve.code, 1);
        QVERIFY2(serve.err.contains(u" is empty (0 bytes). It held "_s) &&
                     serve.err.contains(u"redrive use-backup --database '"_s) &&
                     serve.err.contains(u"redrive new-database --database '"_s),
                 qPrintable(serve.err));
        QCOMPARE(program.run({u"use-backup"_s}).code, 0);
        QCOMPARE(program.run({u"use-backup"_s, program.path(u"nowhere.db"_s)}).code, 1);
        const Outcome used = program.run({u"use-backup"_s, kept});
        QVERIFY2(used.code == 0, qPrintable(used.err));
        QVERIFY(used.out.contains(u"what was there is now "_s));
        QCOMPARE(jobs(program), 3);

        QCOMPARE(program.run({u"new-database"_s}).code, 2);
        QCOMPARE(jobs(program), 3);
        const Outcome anew =
            program.run({u"new-database"_s, u"--yes"_s, u"--reason"_s, u"a trial"_s, u"--json"_s});
        QVERIFY2(anew.code == 0, qPrintable(anew.err));
        QVERIFY2(anew.err.contains(u"\"database_moved_aside\""_s) && anew.err.contains(u"\"a trial\""_s),
                 qPrintable(anew.err));
        QVERIFY(QFile::exists(anew.json().value(u"keptAs"_s).toString()));
        QCOMPARE(program.run({u"enqueue"_s, u"mail"_s}).code, 0);
        QCOMPARE(jobs(program), 1);
    }
};

QTEST_GUILESS_MAIN(RescueCommandTest)
#include "rescue_command_test.moc"
