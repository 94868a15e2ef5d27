// `redrive endpoints` as a real process on a real file, without an engine.
#include "tests/app/program.h"
#include "tests/support/http_receiver.h"

#include "core/db/connection.h"

#include <QJsonArray>
#include <QTest>

using namespace redrive;
using namespace redrive::test;

namespace {

constexpr char kConfig[] = "[[redrive.endpoints]]\nid = \"fixed\"\nurl = \"https://fixed.example/\"\n"
                           "events = [\"order.*\"]\n";

Outcome endpoints(const Program& program, const QStringList& words)
{
    return program.run(QStringList{u"endpoints"_s} + words);
}

QJsonObject settingsOf(const Outcome& shown)
{
    return QJsonDocument::fromJson(shown.json().value(u"settings"_s).toString().toUtf8()).object();
}

} // namespace

class EndpointsCommandTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void registersChangesAndDeletes()
    {
        const Program program;
        const Outcome added = endpoints(
            program, {u"add"_s, u"acme"_s, u"--url"_s, u"https://acme.example/"_s, u"--settings"_s,
                      u"{\"events\":[\"order.*\"],\"headers\":{\"X-Key\":\"s3cret\"}}"_s, u"--json"_s});
        QVERIFY2(added.code == 0, qPrintable(added.err));
        QCOMPARE(added.json().value(u"version"_s).toInt(), 1);
        QCOMPARE(endpoints(program, {u"add"_s, u"acme"_s, u"--url"_s, u"https://x/"_s}).code, 1);
        QCOMPARE(endpoints(program, {u"edit"_s, u"acme"_s, u"--settings"_s, u"{\"rate\":2.5}"_s}).code, 0);
        const Outcome shown = endpoints(program, {u"show"_s, u"acme"_s, u"--json"_s});
        QCOMPARE(shown.json().value(u"version"_s).toInt(), 2);
        QCOMPARE(settingsOf(shown).value(u"rate"_s).toDouble(), 2.5);
        QCOMPARE(settingsOf(shown).value(u"events"_s).toArray().size(), 1);
        QCOMPARE(settingsOf(shown).value(u"headers"_s).toObject().value(u"X-Key"_s).toString(), u"***"_s);
        for (const Outcome& outcome : {shown, endpoints(program, {u"show"_s, u"acme"_s})})
            QVERIFY(!outcome.out.contains(u"s3cret"_s));

        QCOMPARE(endpoints(program, {u"pause"_s, u"acme"_s}).code, 0);
        QCOMPARE(endpoints(program, {u"list"_s, u"--json"_s}).json().value(u"state"_s).toString(),
                 u"paused"_s);
        QCOMPARE(endpoints(program, {u"resume"_s, u"acme"_s}).code, 0);
        QCOMPARE(endpoints(program, {u"rotate"_s, u"acme"_s, u"--secret"_s, u"NEXT"_s}).code, 0);
        QCOMPARE(settingsOf(endpoints(program, {u"show"_s, u"acme"_s, u"--json"_s}))
                     .value(u"secret"_s)
                     .toArray()
                     .first()
                     .toString(),
                 u"NEXT"_s);
        QCOMPARE(endpoints(program, {u"delete"_s, u"acme"_s}).code, 0);
        QCOMPARE(endpoints(program, {u"list"_s}).out, QString());
        QCOMPARE(endpoints(program, {u"delete"_s, u"acme"_s}).code, 1);
    }

    void showsTheSlowestAnswersAndTheNextProbe()
    {
        const Program program;
        QCOMPARE(endpoints(program, {u"add"_s, u"acme"_s, u"--url"_s, u"https://x.example/"_s}).code, 0);
        const QStringList show{u"show"_s, u"acme"_s};
        QVERIFY(!endpoints(program, show).out.contains(u"breaker"_s));
        const auto db = Connection::open({program.database()}, Access::Writer);
        const qint64 slotMs = QDateTime::currentMSecsSinceEpoch() / 3'600'000 * 3'600'000;
        QVERIFY(
            (*db)
                ->dynamicQuery(
                    u"INSERT INTO endpoint_stats VALUES ('acme', %1, 100, 100, 0, 60, 0, 0, 37, 0, 0, 3, 0, 0, 0, 0)"_s
                        .arg(slotMs))
                .run());
        QVERIFY((*db)
                    ->dynamicQuery(u"INSERT INTO endpoint_breakers VALUES ('acme', 1900000000000, "
                                   "4000000000000, 2)"_s)
                    .run());
        const Outcome shown = endpoints(program, show);
        for (const QString& part :
             {u"half within ≤10 ms"_s, u"95 of 100 within ≤100 ms"_s, u"99 within ≤1000 ms"_s,
              u"breaker open since 2030-03-17T17:46:40Z"_s, u"probes 2096-10-02T07:06:40Z"_s})
            QVERIFY2(shown.out.contains(part), qPrintable(part + u" is not in\n"_s + shown.out));
    }

    void deletingCancelsWhatIsOpenOrHoldsIt()
    {
        const Program program;
        for (const QString& id : {u"a"_s, u"b"_s})
            QCOMPARE(endpoints(program, {u"add"_s, id, u"--url"_s, u"https://x.example/"_s}).code, 0);
        const auto db = Connection::open({program.database()}, Access::Writer);
        for (const QString& id : {u"a"_s, u"b"_s})
            QVERIFY(
                (*db)
                    ->dynamicQuery(u"INSERT INTO webhook_deliveries (id, endpoint_id, event_type, status, "
                                   "due_at_ms) VALUES ('d-%1', '%1', 't', 'failed', 9000000000000)"_s.arg(id))
                    .run());
        QCOMPARE(endpoints(program, {u"delete"_s, u"a"_s}).code, 0);
        QCOMPARE(endpoints(program, {u"delete"_s, u"b"_s, u"--keep"_s}).code, 0);
        auto query = (*db)->dynamicQuery(u"SELECT group_concat(status) FROM (SELECT status FROM "
                                         "webhook_deliveries ORDER BY id)"_s);
        QVERIFY(query.next());
        QCOMPARE(query.text(0), u"cancelled,failed"_s); // the engine holds it at its next start
    }

    void theConfigurationsAreShownAndLeftAlone()
    {
        const Program program;
        program.write(u"wrangler.toml"_s, kConfig);
        QCOMPARE(endpoints(program, {u"add"_s, u"own"_s, u"--url"_s, u"https://x/"_s}).code, 0);
        const Outcome listed = endpoints(program, {u"list"_s, u"--json"_s});
        QCOMPARE(listed.json().value(u"id"_s).toString(), u"fixed"_s);
        QCOMPARE(listed.json().value(u"origin"_s).toString(), u"configuration"_s);
        QCOMPARE(endpoints(program, {u"edit"_s, u"fixed"_s, u"--url"_s, u"https://y/"_s}).code, 1);
    }

    void theConfigurationsAreThereBeforeAnEngineRegistersThem()
    {
        HttpReceiver receiver;
        const Program program;
        program.write(u"wrangler.toml"_s, "[[redrive.endpoints]]\nid = \"fixed\"\nurl = \"" +
                                              receiver.url("/fixed").toUtf8() + "\"\n");
        QCOMPARE(endpoints(program, {u"add"_s, u"own"_s, u"--url"_s, u"https://x/"_s}).code, 0);
        const Outcome shown = endpoints(program, {u"show"_s, u"fixed"_s, u"--json"_s});
        QVERIFY2(shown.code == 0, qPrintable(shown.err));
        QCOMPARE(shown.json().value(u"origin"_s).toString(), u"configuration"_s);
        QCOMPARE(shown.json().value(u"url"_s).toString(), receiver.url("/fixed"));
        const Outcome tested = endpoints(program, {u"test"_s, u"fixed"_s});
        QVERIFY2(tested.code == 0, qPrintable(tested.err));
        QCOMPARE(receiver.arrivalCount("/fixed"), 1);
        QCOMPARE(endpoints(program, {u"show"_s, u"nobody"_s}).code, 1);
    }

    void aDeletedOneIsNotTested()
    {
        HttpReceiver receiver;
        const Program program;
        QCOMPARE(endpoints(program, {u"add"_s, u"acme"_s, u"--url"_s, receiver.url("/acme")}).code, 0);
        QCOMPARE(endpoints(program, {u"delete"_s, u"acme"_s}).code, 0);
        const Outcome tested = endpoints(program, {u"test"_s, u"acme"_s});
        QCOMPARE(tested.code, 1);
        QVERIFY2(tested.err.contains(u"'acme' is not registered"_s), qPrintable(tested.err));
        QCOMPARE(receiver.arrivalCount("/acme"), 0);
    }

    void refusesWhatItDoesNotUnderstand()
    {
        const Program program;
        QCOMPARE(endpoints(program, {u"paint"_s, u"a"_s}).code, 2);
        QCOMPARE(endpoints(program, {u"show"_s}).code, 2);
        QVERIFY(endpoints(program, {u"add"_s, u"a"_s, u"--url"_s, u"file:///etc/passwd"_s}).code == 1);
        const Outcome secret =
            endpoints(program, {u"add"_s, u"a"_s, u"--url"_s, u"https://x/"_s, u"--settings"_s,
                                u"{\"secret\":\"whsec_TOPSECRETTOPSECRETTOPSECRET\"}"_s});
        QCOMPARE(secret.code, 1);
        QVERIFY(!secret.err.contains(u"TOPSECRET"_s));
        QCOMPARE(endpoints(program, {u"add"_s, u"a"_s, u"--settings"_s, u"[1"_s}).code, 1);
    }

    // Nobody has seen the secret by then, and nothing signs with it.
    void aRefusedRotationKeepsNoSecret()
    {
        const Program program;
        QCOMPARE(endpoints(program, {u"rotate"_s, u"nobody"_s}).code, 1);
        QCOMPARE(program.run({u"secrets"_s, u"--json"_s}).out, QString());
        QCOMPARE(endpoints(program, {u"add"_s, u"acme"_s, u"--url"_s, u"https://x.example/"_s}).code, 0);
        const Outcome made = endpoints(program, {u"rotate"_s, u"acme"_s, u"--json"_s});
        QCOMPARE(made.code, 0);
        QCOMPARE(program.run({u"secrets"_s, u"--json"_s}).json().value(u"name"_s).toString(),
                 made.json().value(u"secretName"_s).toString());
    }

    void migrationsThatArePendingAreSaid()
    {
        const Program program;
        program.write(u"wrangler.toml"_s, "[[d1_databases]]\nbinding = \"DB\"\ndatabase_name = \"x\"\n"
                                          "database_id = \"y\"\nmigrations_dir = \"sql\"\n");
        program.write(u"sql/0001_first.sql"_s, "CREATE TABLE first (id INTEGER);\n");
        QCOMPARE(endpoints(program, {u"add"_s, u"a"_s, u"--url"_s, u"https://x.example/"_s}).code, 0);
        program.write(u"sql/0002_second.sql"_s, "CREATE TABLE second (id INTEGER);\n");
        const Outcome paused = endpoints(program, {u"pause"_s, u"a"_s});
        QVERIFY2(paused.code == 0 && paused.err.contains(u"migrations are pending (0002_second.sql)"_s),
                 qPrintable(paused.err));
    }

    void aTestSaysWhatTheEndpointAnswered()
    {
        HttpReceiver receiver;
        receiver.answerNext("/bad", ReceiverAnswer::status(503));
        const Program program;
        for (const auto& [id, path] : {std::pair{u"good"_s, "/good"}, std::pair{u"bad"_s, "/bad"}})
            QCOMPARE(endpoints(program, {u"add"_s, id, u"--url"_s, receiver.url(path)}).code, 0);
        const Outcome good = endpoints(program, {u"test"_s, u"good"_s, u"--json"_s});
        QVERIFY2(good.code == 0, qPrintable(good.err));
        QCOMPARE(good.json().value(u"status"_s).toInt(), 200);
        QCOMPARE(receiver.arrivalCount("/good"), 1);
        const Outcome bad = endpoints(program, {u"test"_s, u"bad"_s});
        QCOMPARE(bad.code, 1);
        QVERIFY2(bad.err.contains(u"503"_s), qPrintable(bad.err));
        const auto db = Connection::open({program.database()}, Access::Reader);
        auto query =
            (*db)->dynamicQuery(u"SELECT (SELECT count(*) FROM delivery_attempts) + (SELECT count(*) FROM "
                                "endpoint_stats) + (SELECT count(*) FROM webhook_events)"_s);
        QVERIFY(query.next());
        QCOMPARE(query.int64(0), 0); // it counts nowhere
    }
};

QTEST_GUILESS_MAIN(EndpointsCommandTest)
#include "endpoints_command_test.moc"
