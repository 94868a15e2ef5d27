// Commands as real processes on a real file, without an engine.
#include "core/db/migrator.h"
#include "core/engine/lone_turn.h"
#include "tests/app/program.h"

#include <QTest>

using namespace redrive;
using namespace redrive::test;

class CommandLineTest : public QObject
{
    Q_OBJECT

    static std::unique_ptr<Connection> openDatabase(const Program& program)
    {
        QDir().mkpath(program.path(u"data"_s));
        auto opened = openStore({program.database()}, Access::Writer);
        if (!opened)
            qFatal("%s", qUtf8Printable(opened.error().text()));
        return std::move(*opened);
    }

    static QString value(Connection& db, const QString& statement)
    {
        auto query = db.dynamicQuery(statement);
        return query.next() ? query.text(0) : query.status() ? QString() : query.status().error().text();
    }

    static void addDeadJob(Connection& db, const QString& id, const QString& type)
    {
        for (
            const QString& statement :
            {u"INSERT INTO jobs (id, type, status, payload, error, queue, created_at_ms, updated_at_ms) "
             u"VALUES "
             "('%1', '%2', 'dead', '{}', 'line one' || char(10) || char(27) || '[31mline two', 'jobs', 1, 1)"_s,
             u"INSERT INTO dead_letters (kind, subject_id, source_queue, type, attempts, reason, error, "
             u"sent_at_ms, "
             "dead_at_ms, changed_at_ms) VALUES ('job', '%1', 'jobs', '%2', 4, 'retries_used_up', 'broke', 1, 2, 2)"_s})
            if (const auto done = db.execute(statement.arg(id, type)); !done)
                qFatal("%s", qUtf8Printable(done.error().text()));
    }

private Q_SLOTS:
    void answersWithoutADisplay()
    {
        const Program program;
        QCOMPARE(program.run({u"--version"_s}).out, QStringLiteral("redrive " REDRIVE_VERSION "\n"));
        const Outcome help = program.run({u"--help"_s});
        QCOMPARE(help.code, 0);
        QVERIFY(help.out.contains(u"requeue"_s) && help.err.isEmpty());
        QVERIFY(program.run({u"replay"_s, u"--help"_s}).out.contains(u"--dry-run"_s));
        QVERIFY(!QFile::exists(program.path(u"data"_s)));
    }

    void usageErrorsAreCodeTwo()
    {
        const Program program;
        const Outcome outcome = program.run({u"jobs"_s, u"--frobnicate"_s});
        QCOMPARE(outcome.code, 2);
        QVERIFY(outcome.out.isEmpty());
        QVERIFY2(outcome.err.contains(u"'--frobnicate'"_s), qPrintable(outcome.err));
    }

    void checksTheConfiguration()
    {
        const Program program;
        const Outcome usual = program.run({u"check"_s});
        QCOMPARE(usual.code, 0);
        QVERIFY2(usual.out.contains(program.path(u"data/ingest-token"_s)), qPrintable(usual.out));
        program.write(u"wrangler.toml"_s, "[[queues.consumers]]\nqueue = \"telemetry-ingest\"\n");
        program.write(u".dev.vars"_s, "AUTH_SECRET=\"s3cret\"\n");
        QVERIFY(program.run({u"check"_s}).out.contains(u"with the token: the secret AUTH_SECRET\n"_s));
        program.write(u".dev.vars"_s, "AUTH_SECRET=\"\"\n");
        QCOMPARE(program.run({u"check"_s}).code, 1);
        program.write(u".dev.vars"_s, "");
        program.write(u"wrangler.toml"_s, "[[queues.consumers]]\nqueue = \"jobs\"\nmax_retries = 101\n"
                                          "max_batch_size = \"3\"\nfrob = 1\n");
        const Outcome outcome = program.run({u"check"_s});
        QCOMPARE(outcome.code, 1);
        QVERIFY2(outcome.out.contains(u"wrangler.toml:3:"_s), qPrintable(outcome.out));
        QVERIFY(outcome.out.contains(u"wrangler.toml:4:"_s));
        QVERIFY(outcome.out.contains(u"warning"_s));
        const Outcome json = program.run({u"check"_s, u"--json"_s});
        QCOMPARE(json.code, 1);
        QVERIFY(json.lines().size() >= 3);
        bool found = false;
        for (int i = 0; i < json.lines().size(); ++i)
            found |= json.json(i).value(u"line"_s).toInt() == 3 &&
                     json.json(i).value(u"severity"_s).toString() == u"error"_s;
        QVERIFY2(found, qPrintable(json.out));
        QCOMPARE(program.run({u"check"_s, u"--config"_s, u"missing.toml"_s}).code, 1);
    }

    void errorsOfTheConfigurationStopCommands()
    {
        const Program program;
        program.write(u"wrangler.toml"_s, "[[queues.consumers]]\nmax_retries = 101\n");
        const Outcome outcome = program.run({u"jobs"_s});
        QCOMPARE(outcome.code, 1);
        QVERIFY2(outcome.err.contains(u"wrangler.toml:2:"_s), qPrintable(outcome.err));
    }

    void appliesTheUsersMigrations()
    {
        const Program program;
        program.write(u"wrangler.toml"_s, "[[d1_databases]]\nbinding = \"DB\"\ndatabase_name = \"x\"\n");
        QCOMPARE(program.run({u"migrate"_s}).code, 1); // no folder
        program.write(
            u"migrations/0001_jobs.sql"_s,
            "CREATE TABLE jobs (id TEXT PRIMARY KEY, type TEXT NOT NULL, status TEXT DEFAULT 'pending', "
            "payload TEXT, error TEXT, created_at INTEGER, updated_at INTEGER, mine TEXT);");
        program.write(u"migrations/0002_bad.sql"_s, "CREATE TABLE half (a);\nCREATE TABLE (;\n");
        const Outcome stopped = program.run({u"migrate"_s});
        QCOMPARE(stopped.code, 1);
        QVERIFY(stopped.out.contains(u"applied 0001_jobs.sql"_s));
        QVERIFY2(stopped.err.contains(u"0002_bad.sql"_s), qPrintable(stopped.err));
        program.write(u"migrations/0002_bad.sql"_s, "CREATE TABLE whole (a);\n");
        const Outcome applied = program.run({u"migrate"_s, u"--json"_s});
        QCOMPARE(applied.code, 0);
        QCOMPARE(applied.lines(), QStringList{u"{\"applied\":\"0002_bad.sql\"}"_s});
        QCOMPARE(program.run({u"migrate"_s}).out, u"nothing to apply\n"_s);
        const auto db = openDatabase(program);
        QCOMPARE(value(*db, u"SELECT count(mine) || count(run) FROM jobs"_s), u"00"_s);
    }

    void takesTheUsersTablesOnANewDatabase()
    {
        const Program program;
        program.write(u"wrangler.toml"_s, "[[queues.producers]]\nbinding = \"Q\"\nqueue = \"jobs\"\n"
                                          "[[d1_databases]]\nbinding = \"DB\"\ndatabase_name = \"x\"\n");
        program.write(u"migrations/0001_jobs.sql"_s,
                      "CREATE TABLE jobs (id TEXT PRIMARY KEY, type TEXT NOT NULL, "
                      "status TEXT, payload TEXT, error TEXT, created_at INTEGER, updated_at INTEGER, "
                      "mine TEXT);");
        const Outcome first = program.run({u"enqueue"_s, u"x"_s});
        QCOMPARE(first.code, 0);
        QVERIFY2(first.err.contains(u"0001_jobs.sql"_s), qPrintable(first.err));
        program.write(u"migrations/0002_more.sql"_s, "CREATE TABLE more (a);");
        const Outcome second = program.run({u"enqueue"_s, u"x"_s});
        QCOMPARE(second.code, 0);
        QVERIFY2(second.err.contains(u"redrive migrate"_s), qPrintable(second.err));
        const auto db = openDatabase(program);
        QCOMPARE(value(*db, u"SELECT count(*) || count(mine) FROM jobs"_s), u"20"_s);
    }

    void enqueuesExactBytes()
    {
        const Program program;
        const Outcome outcome = program.run({u"enqueue"_s, u"mail"_s, u"--payload"_s, u"-"_s},
                                            " {\"b\":12345678901234567890,\"a\":\"\\u00e9\\/\xc3\xa9\"}\n");
        QCOMPARE(outcome.code, 0);
        const auto db = openDatabase(program);
        QCOMPARE(value(*db, u"SELECT payload FROM jobs WHERE id = '%1'"_s.arg(outcome.out.trimmed())),
                 QString::fromUtf8("{\"b\":12345678901234567890,\"a\":\"\\u00e9\\/\xc3\xa9\"}"));
        QCOMPARE(value(*db, u"SELECT queue || is_job FROM messages"_s), u"jobs1"_s);
        QCOMPARE(program.run({u"enqueue"_s, u"mail"_s, u"--payload"_s, u"{"_s}).code, 1);
        QCOMPARE(
            program.run({u"enqueue"_s, u"mail"_s, u"--payload"_s, u"["_s + QString(128'000, u'1') + u"]"_s})
                .code,
            1);
        QCOMPARE(value(*db, u"SELECT count(*) FROM jobs"_s), u"1"_s);
        const Outcome json = program.run({u"enqueue"_s, u"mail"_s, u"--delay"_s, u"60"_s, u"--json"_s});
        QVERIFY(!json.json().value(u"jobId"_s).toString().isEmpty());
    }

    void listsRows()
    {
        const Program program;
        QVERIFY(program.run({u"jobs"_s}).err.contains(u"no database at"_s));
        const auto db = openDatabase(program);
        QCOMPARE(program.run({u"jobs"_s}).out, QString());
        addDeadJob(*db, u"job-1"_s, u"mail"_s);
        addDeadJob(*db, u"job-2"_s, u"sms"_s);
        const Outcome table = program.run({u"jobs"_s});
        QCOMPARE(table.lines().size(), 3);
        QVERIFY(table.lines()[1].startsWith(u"job-2  dead"_s));
        QVERIFY(!table.out.contains(u"line two"_s));
        const Outcome json = program.run({u"jobs"_s, u"--json"_s, u"--limit"_s, u"1"_s});
        QCOMPARE(json.lines().size(), 1);
        QCOMPARE(json.json().value(u"id"_s).toString(), u"job-2"_s);
        QCOMPARE(json.json().value(u"error"_s).toString(), u"line one\n\033[31mline two"_s);
        QVERIFY(!json.out.contains(QChar(27)));
        QVERIFY(json.json().value(u"nextAttemptAt"_s).isNull() && json.json().value(u"reason"_s).isNull());
        QVERIFY(json.err.contains(u"--limit"_s));
        const Outcome some = program.run({u"jobs"_s, u"--where"_s, u"status:dead type:mail"_s, u"--json"_s});
        QCOMPARE(some.lines().size(), 1);
        QVERIFY(db->dynamicQuery(u"UPDATE jobs SET status = 'archived' WHERE id = 'job-2'"_s).run());
        QVERIFY(program.run({u"jobs"_s}).lines()[1].startsWith(u"job-2  archived"_s));
        const Outcome dead = program.run({u"dead"_s, u"--json"_s, u"--where"_s, u"id:job-1"_s});
        QCOMPARE(dead.json().value(u"reason"_s).toString(), u"retries_used_up"_s);
        QCOMPARE(program.run({u"dead"_s, u"--bin"_s}).out, QString());
        QCOMPARE(program.run({u"deliveries"_s}).code, 0);
        QCOMPARE(program.run({u"jobs"_s, u"--where"_s, u"attempt:>x"_s}).code, 1);
    }

    void listsTelemetry()
    {
        const Program program;
        const auto db = openDatabase(program);
        QVERIFY(
            db->execute(u"INSERT INTO system_telemetry (id, source, tenant_id, payload, created_at) VALUES "
                        "('e-1', 'audit', 'acme', '{\n  \"user\": {\"id\": 42}\n}', 1900000000000), "
                        "('e-2', 'metric', 'bolt', '{\"value\":1}', 1900000001000)"_s));
        const Outcome table = program.run({u"telemetry"_s});
        QCOMPARE(table.lines().size(), 3);
        QVERIFY(table.lines()[1].startsWith(u"e-2  2030-03-17T17:46:41Z  bolt"_s));
        QVERIFY2(table.lines()[2].endsWith(u"{ \"user\": {\"id\": 42} }"_s), qPrintable(table.out));
        const Outcome json =
            program.run({u"telemetry"_s, u"--where"_s, u"tenant:acme payload.user.id:42"_s, u"--json"_s});
        QCOMPARE(json.lines().size(), 1);
        QCOMPARE(json.json().value(u"payload"_s).toString(), u"{\n  \"user\": {\"id\": 42}\n}"_s);
        QCOMPARE(json.json().value(u"createdAt"_s).toInteger(), 1'900'000'000'000);
        QCOMPARE(program.run({u"telemetry"_s, u"--where"_s, u"source:trace"_s}).out, QString());
        QCOMPARE(program.run({u"telemetry"_s, u"--limit"_s, u"1"_s, u"--csv"_s}).lines().size(), 2);
        QCOMPARE(program.run({u"telemetry"_s, u"--where"_s, u"since:soon"_s}).code, 1);
        const auto lines = [&](const QString& where) {
            return program.run({u"telemetry"_s, u"--where"_s, where, u"--json"_s}).lines().size();
        };
        QCOMPARE(lines(u"payload.value:>0.5"_s), 1);
        QCOMPARE(lines(u"payload.user.id:>=43"_s), 0);
        const Outcome refused = program.run({u"telemetry"_s, u"--where"_s, u"payload.value:>much"_s});
        QCOMPARE(refused.code, 1);
        QVERIFY2(refused.err.contains(u"'much' is not a number (use >10"_s), qPrintable(refused.err));
    }

    void requeuesAlone()
    {
        const Program program;
        const auto db = openDatabase(program);
        QVERIFY(db->execute(u"BEGIN"_s).has_value());
        for (int i = 0; i < 250; ++i)
            addDeadJob(*db, u"job-%1"_s.arg(i), i < 240 ? u"mail"_s : u"sms"_s);
        QVERIFY(db->execute(u"COMMIT"_s).has_value());
        const QStringList all{u"requeue"_s, u"--where"_s, u"type:mail"_s, u"--reason"_s, u"a test"_s};
        const Outcome plan = program.run(all + QStringList{u"--dry-run"_s, u"--json"_s});
        QCOMPARE(plan.code, 0);
        QCOMPARE(plan.json().value(u"willAct"_s).toInt(), 240);
        QCOMPARE(value(*db, u"SELECT count(*) FROM redrives"_s), u"0"_s);
        const Outcome done = program.run(all);
        QCOMPARE(done.code, 0);
        QCOMPARE(done.out, u"240 of 240 requeued\n"_s);
        QCOMPARE(value(*db, u"SELECT count(*) FROM messages WHERE queue = 'jobs'"_s), u"240"_s);
        QCOMPARE(
            value(
                *db,
                u"SELECT source || ' ' || verb || ' ' || count || ' ' || reason || ' ' || target FROM audit"_s),
            u"command line requeue 240 a test matching type:mail"_s);
        QCOMPARE(program.run(all).out, u"nothing matches\n"_s);
    }

    void namesRefusals()
    {
        const Program program;
        const auto db = openDatabase(program);
        addDeadJob(*db, u"job-1"_s, u"mail"_s);
        const Outcome outcome = program.run({u"requeue"_s, u"job-1"_s, u"nope"_s});
        QCOMPARE(outcome.code, 1);
        QCOMPARE(outcome.out, u"1 of 2 requeued\n"_s);
        QCOMPARE(outcome.err, u"nope: not found\n"_s);
        const Outcome again = program.run({u"requeue"_s, u"job-1"_s, u"--json"_s});
        QCOMPARE(again.json().value(u"succeeded"_s).toInt(), 0);
        QCOMPARE(again.json(1).value(u"refused"_s).toString(), u"is waiting already"_s);
    }

    void discardsAndRestores()
    {
        const Program program;
        const auto db = openDatabase(program);
        addDeadJob(*db, u"job-1"_s, u"mail"_s);
        QCOMPARE(program.run({u"discard"_s, u"job-1"_s}).code, 0);
        QCOMPARE(program.run({u"dead"_s, u"--bin"_s, u"--json"_s}).lines().size(), 1);
        QCOMPARE(program.run({u"restore"_s, u"--where"_s, u""_s}).out, u"1 of 1 restored\n"_s);
        QCOMPARE(program.run({u"dead"_s, u"--json"_s}).lines().size(), 1);
    }

    void takesADiscardBack()
    {
        const Program program;
        const auto db = openDatabase(program);
        addDeadJob(*db, u"job-1"_s, u"mail"_s);
        QCOMPARE(program.run({u"discard"_s, u"job-1"_s}).code, 0);
        const Outcome undone = program.run({u"redrives"_s, u"undo"_s, u"1"_s, u"--json"_s});
        QVERIFY2(undone.code == 0, qPrintable(undone.err));
        QVERIFY(undone.json().value(u"undoneAt"_s).isDouble());
        QVERIFY(undone.json().value(u"heldUntil"_s).isNull()); // a command begins at once
        QCOMPARE(program.run({u"dead"_s, u"--bin"_s, u"--json"_s}).out, QString());
        QCOMPARE(program.run({u"dead"_s, u"--json"_s}).lines().size(), 1);
        const Outcome again = program.run({u"redrives"_s, u"undo"_s, u"1"_s});
        QCOMPARE(again.code, 1);
        QVERIFY2(again.err.contains(u"redrive 1 is undone already"_s), qPrintable(again.err));
    }

    void cancelsAndPostpones()
    {
        const Program program;
        const QString id = program.run({u"enqueue"_s, u"mail"_s, u"--delay"_s, u"600"_s}).out.trimmed();
        const auto db = openDatabase(program);
        const Outcome later = program.run({u"postpone"_s, u"--where"_s, u"type:mail"_s, u"--delay"_s,
                                           u"7200"_s, u"--reason"_s, u"a test"_s});
        QCOMPARE(later.out, u"1 of 1 postponed\n"_s);
        QCOMPARE(
            value(*db,
                  u"SELECT (m.visible_at_ms = j.due_at_ms) || (j.due_at_ms - m.sent_at_ms >= 7200000) || "
                  u"j.reason FROM jobs j JOIN messages m USING (id)"_s),
            u"11delayed"_s);
        const Outcome past = program.run({u"postpone"_s, id, u"--until"_s, u"2001-01-01T00:00:00Z"_s});
        QCOMPARE(past.code, 1);
        QVERIFY2(past.err.contains(u"in the past"_s), qPrintable(past.err));
        QCOMPARE(
            program.run({u"cancel"_s, id, u"--dry-run"_s, u"--json"_s}).json().value(u"willAct"_s).toInt(),
            1);
        QCOMPARE(program.run({u"cancel"_s, id}).out, u"1 of 1 cancelled\n"_s);
        QCOMPARE(value(*db, u"SELECT status FROM jobs"_s), u"cancelled"_s);
        QCOMPARE(value(*db, u"SELECT count(*) FROM messages"_s), u"0"_s);
        const Outcome again = program.run({u"cancel"_s, id, u"nope"_s});
        QCOMPARE(again.code, 1);
        QVERIFY(again.err.contains(id + u": is cancelled already\n"_s) &&
                again.err.contains(u"nope: not found\n"_s));
    }

    void editsAndRequeues()
    {
        const Program program;
        const auto db = openDatabase(program);
        addDeadJob(*db, u"job-1"_s, u"webhook_fanout"_s);
        const QStringList edit{u"edit"_s, u"job-1"_s, u"--payload"_s};
        const Outcome refused =
            program.run(edit + QStringList{u"{\"endpoints\":[{\"id\":\"a\",\"url\":\"ftp://x\"}]}"_s});
        QCOMPARE(refused.code, 1);
        QVERIFY2(refused.err.contains(u"payload.endpoints[0].url"_s), qPrintable(refused.err));
        QCOMPARE(program.run(edit + QStringList{u"{"_s}).code, 1);
        QCOMPARE(program.run(edit + QStringList{u"{}"_s, u"--to"_s, u"typo"_s}).code, 1);
        QCOMPARE(value(*db, u"SELECT count(*) FROM redrives"_s), u"0"_s);
        const Outcome done =
            program.run(edit + QStringList{u"-"_s, u"--json"_s}, " {\"n\":12345678901234567890}\n");
        QCOMPARE(done.code, 0);
        const QString newId = done.json().value(u"newId"_s).toString();
        QCOMPARE(value(*db, u"SELECT payload FROM jobs WHERE id = '%1'"_s.arg(newId)),
                 u"{\"n\":12345678901234567890}"_s);
        const Outcome rows = program.run({u"jobs"_s, u"--json"_s, u"--where"_s, u"type:webhook_fanout"_s});
        QCOMPARE(rows.lines().size(), 2);
        for (int i = 0; i < 2; ++i) {
            const bool isNew = rows.json(i).value(u"id"_s).toString() == newId;
            QCOMPARE(rows.json(i).value(isNew ? u"parentId"_s : u"supersededBy"_s).toString(),
                     isNew ? u"job-1"_s : newId);
            QCOMPARE(rows.json(i).value(u"status"_s).toString(), isNew ? u"pending"_s : u"cancelled"_s);
        }
        const Outcome again = program.run(edit + QStringList{u"{}"_s});
        QCOMPARE(again.code, 1);
        QVERIFY2(again.err.contains(u"its newer version is "_s + newId), qPrintable(again.err));
    }

    void checksPayloadsAsHttpDoes()
    {
        const Program program;
        const Outcome refused =
            program.run({u"enqueue"_s, u"webhook_fanout"_s, u"--payload"_s,
                         u"{\"endpoints\":[{\"id\":\"a\",\"url\":\"http://user@x/\"}]}"_s});
        QCOMPARE(refused.code, 1);
        QVERIFY2(refused.err.contains(u"payload.endpoints[0].url"_s), qPrintable(refused.err));
        QVERIFY(!QFile::exists(program.database()));
        program.write(u"redrive.toml"_s, "[process_file]\nroots = [\"/srv/files\"]\n");
        program.write(u"wrangler.toml"_s, "[[queues.producers]]\nbinding = \"Q\"\nqueue = \"jobs\"\n");
        const Outcome outside =
            program.run({u"enqueue"_s, u"process_file"_s, u"--payload"_s, u"{\"path\":\"/etc/passwd\"}"_s});
        QCOMPARE(outside.code, 1);
        QVERIFY2(outside.err.contains(u"payload.path"_s), qPrintable(outside.err));
    }

    void profilesChooseTheDatabaseAndGuardIt()
    {
        const Program program;
        const Outcome none = program.run({u"jobs"_s, u"--profile"_s, u"eu"_s});
        QCOMPARE(none.code, 1);
        QVERIFY2(none.err.contains(u"there is no profile 'eu'"_s), qPrintable(none.err));
        program.write(u"data/profiles/eu.toml"_s,
                      "database = \"../eu.db\"\nproduction = true\ncolour = \"plum\"\n");
        QVERIFY(program.run({u"jobs"_s, u"--profile"_s, u"us"_s}).err.contains(u"there are: eu"_s));
        QCOMPARE(program.run({u"jobs"_s, u"--profile"_s, u"../eu"_s}).code, 1);
        const QStringList eu{u"--profile"_s, u"eu"_s};
        const QString id = program.run(QStringList{u"enqueue"_s, u"mail"_s} + eu).out.trimmed();
        QVERIFY(QFile::exists(program.path(u"data/eu.db"_s)) && !QFile::exists(program.database()));

        const QStringList cancel = QStringList{u"cancel"_s, id} + eu;
        const Outcome refused = program.run(cancel);
        QCOMPARE(refused.code, 1);
        QVERIFY2(refused.err.contains(u"--yes and --reason"_s), qPrintable(refused.err));
        QCOMPARE(program.run(cancel + QStringList{u"--yes"_s}).code, 1);
        QCOMPARE(program.run(cancel + QStringList{u"--yes"_s, u"--reason"_s, u" "_s}).code, 1);
        QCOMPARE(program.run(cancel + QStringList{u"--dry-run"_s}).code, 0);
        QCOMPARE(program.run(QStringList{u"pause"_s, u"jobs"_s} + eu).code, 1);
        QCOMPARE(program.run(cancel + QStringList{u"--yes"_s, u"--reason"_s, u"sent twice"_s}).out,
                 u"1 of 1 cancelled\n"_s);
    }

    void aProfileWithoutAnEngineLeavesActionsToOne()
    {
        const Program program;
        const QString id = program.run({u"enqueue"_s, u"mail"_s}).out.trimmed();
        program.write(u"data/profiles/look.toml"_s, "engine = false\n");
        const QStringList look{u"--profile"_s, u"look"_s};
        QVERIFY(program.run(QStringList{u"serve"_s} + look).err.contains(u"runs no engine"_s));
        const Outcome refused = program.run(QStringList{u"cancel"_s, id} + look);
        QCOMPARE(refused.code, 1);
        QVERIFY2(refused.err.contains(u"no engine is running"_s), qPrintable(refused.err));
        const auto db = openDatabase(program);
        QCOMPARE(value(*db, u"SELECT status || (SELECT count(*) FROM redrives) FROM jobs"_s), u"pending0"_s);
    }

    void wrongProfilesAreRefused_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("says");
        QTest::newRow("misspelt") << QByteArray("prodution = true\n") << u"prodution"_s;
        QTest::newRow("type") << QByteArray("production = \"yes\"\n") << u"production"_s;
        QTest::newRow("colour") << QByteArray("colour = \"pink\"\n") << u"slate, teal"_s;
        QTest::newRow("no TOML") << QByteArray("production =\n") << u"bad.toml:1"_s;
        QTest::newRow("bytes") << QByteArray("\xff\xfe\0", 3) << u"bad.toml"_s;
    }

    void wrongProfilesAreRefused()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, says);
        const Program program;
        program.write(u"data/profiles/bad.toml"_s, text);
        const Outcome refused = program.run({u"jobs"_s, u"--profile"_s, u"bad"_s});
        QCOMPARE(refused.code, 1);
        QVERIFY2(refused.err.contains(says), qPrintable(refused.err));
    }

    void pausesQueues()
    {
        const Program program;
        const auto db = openDatabase(program);
        QCOMPARE(program.run({u"pause"_s, u"jobs"_s}).code, 0);
        QCOMPARE(value(*db, u"SELECT name FROM queues WHERE paused_at_ms IS NOT NULL"_s), u"jobs"_s);
        QCOMPARE(program.run({u"pause"_s, u"jobs"_s}).code, 1);
        QCOMPARE(program.run({u"resume"_s, u"jobs"_s}).code, 0);
        QCOMPARE(program.run({u"pause"_s, u"typo"_s}).code, 1);
        QCOMPARE(value(*db, u"SELECT count(*) FROM queues WHERE paused_at_ms IS NOT NULL"_s), u"0"_s);
    }

    void leavesForeignFilesAlone()
    {
        const Program program;
        program.write(u"data/redrive.db"_s, "this is no database at all, whatever its name says");
        QCOMPARE(program.run({u"jobs"_s}).code, 1);
        QCOMPARE(program.run({u"enqueue"_s, u"x"_s}).code, 1);
        QFile file(program.database());
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(file.readAll().startsWith("this is no database"));
    }

    void keepsTokens()
    {
        const Program program;
        const Outcome made = program.run({u"tokens"_s, u"create"_s, u"shop"_s, u"--rate"_s, u"5"_s});
        QCOMPARE(made.code, 0);
        const QString secret = made.lines().value(0);
        QVERIFY2(secret.startsWith(u"rdv_"_s), qPrintable(made.out));
        QCOMPARE(made.lines().size(), 1);
        QVERIFY(made.err.contains(u"shown once"_s));

        const Outcome listed = program.run({u"tokens"_s});
        QVERIFY(listed.out.contains(u"shop"_s) && listed.out.contains(u"5/s"_s));
        QVERIFY(!listed.out.contains(secret));
        QCOMPARE(program.run({u"tokens"_s, u"list"_s, u"--json"_s}).json()[u"state"_s].toString(),
                 u"in use"_s);

        const Outcome rotated =
            program.run({u"tokens"_s, u"rotate"_s, u"shop"_s, u"--overlap"_s, u"60"_s, u"--json"_s});
        QVERIFY(rotated.json()[u"token"_s].toString() != secret);
        QVERIFY(rotated.json()[u"oldSecretUntil"_s].toDouble() > 0);
        QCOMPARE(program.run({u"tokens"_s, u"--json"_s}).json()[u"state"_s].toString(), u"rotating"_s);

        QCOMPARE(program.run({u"tokens"_s, u"revoke"_s, u"shop"_s}).code, 0);
        QCOMPARE(program.run({u"tokens"_s, u"revoke"_s, u"shop"_s}).code, 1);
        QCOMPARE(program.run({u"tokens"_s, u"create"_s, u"a\nb"_s}).code, 1);
        for (const QStringList& words : {QStringList{u"create"_s},
                                         {u"list"_s, u"x"_s},
                                         {u"forget"_s, u"x"_s},
                                         {u"create"_s, u"a"_s, u"b"_s}})
            QCOMPARE(program.run(QStringList{u"tokens"_s} + words).code, 2);
    }
};

QTEST_GUILESS_MAIN(CommandLineTest)
#include "command_line_test.moc"
