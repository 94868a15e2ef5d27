// A replay of 25,000 failed deliveries, sent by a real engine over a real wire, with `kill -9` in the middle:
// once with as many requests in flight as the endpoints take, once in the flow. At the end each is delivered,
// was sent once and once more for each kill that it was in flight at, and what was delivered before got
// nothing. REDRIVE_REPLAYED says how many.
#include "core/db/migrator.h"
#include "core/engine/command_gate.h"
#include "core/engine/lone_turn.h"
#include "tests/integration/serve_process.h"
#include "tests/support/http_receiver.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

using namespace redrive;
using namespace redrive::test;

namespace {

constexpr int kReplayed = 25'000;
constexpr int kEndpoints = 5;
constexpr int kMaxInFlight = 16; // of each
constexpr int kPatienceMs = 120'000;

int replayed()
{
    bool asked = false;
    const int wanted = qEnvironmentVariableIntValue("REDRIVE_REPLAYED", &asked);
    return asked ? wanted : kReplayed;
}

QByteArray pathOf(int endpoint)
{
    return "/e" + QByteArray::number(endpoint);
}

} // namespace

class ReplayKillTest : public QObject
{
    Q_OBJECT

    using Sent = QHash<QString, int>; // by path and event, how often

    const qint64 m_madeMs = SystemClock().wallMs() - 3'600'000;
    QTemporaryDir m_folder;
    HttpReceiver m_receiver;
    ServeProcess m_serve{m_folder.path()};

    std::unique_ptr<Connection> open(Access access) const
    {
        auto db = openStore({m_serve.databasePath()}, access, 1);
        if (!db)
            qFatal("%s", qPrintable(db.error().text()));
        return std::move(*db);
    }
    qint64 number(const QString& sql) const
    {
        const auto db = open(Access::Reader);
        auto query = db->dynamicQuery(sql);
        return query.next() ? query.int64(0) : -1;
    }
    Sent sentOf(const QString& sql) const
    {
        const auto db = open(Access::Reader);
        auto query = db->dynamicQuery(sql);
        Sent found;
        while (query.next())
            ++found[query.text(0)];
        return found;
    }

    void configure() const
    {
        QByteArray text;
        for (int i = 0; i < kEndpoints; ++i)
            text += "[[redrive.endpoints]]\nid = \"e" + QByteArray::number(i) + "\"\nurl = \"" +
                    m_receiver.url(pathOf(i)).toLatin1() +
                    "\"\nmax_in_flight = " + QByteArray::number(kMaxInFlight) + "\n";
        QFile file(m_folder.filePath(u"wrangler.toml"_s));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
        QVERIFY(QDir(m_folder.path()).mkpath(u"data"_s));
    }

    // Every event goes to every endpoint. Each 6th event was delivered; of the others every second one is
    // dead, with its letter, and the rest wait for a retry an hour away.
    void fill(int failed) const
    {
        const int events = failed / kEndpoints * 6 / 5;
        const auto db = open(Access::Writer);
        const auto run = [&](const QString& sql) {
            if (const auto done = db->dynamicQuery(sql).run(); !done)
                qFatal("%s", qPrintable(done.error().text()));
        };
        run(u"BEGIN"_s);
        run(u"WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < %1) INSERT INTO "
            "webhook_events (id, job_id, run, event_type, body, created_at_ms) SELECT printf('event-%06d', "
            "i), printf('job-%06d', i), 1, 'made', '{\"n\":' || i || '}', %2 FROM n"_s.arg(events - 1)
                .arg(m_madeMs));
        run(u"WITH RECURSIVE e(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM e WHERE i < %1) INSERT INTO "
            "webhook_deliveries (id, endpoint_id, event_type, status, event_id, job_id, url, attempts, "
            "spent, created_at_ms, updated_at_ms) SELECT v.id || '-e' || e.i, 'e' || e.i, 'made', "
            "CASE WHEN substr(v.id, 7) % 6 = 0 THEN 'delivered' WHEN substr(v.id, 7) % 2 THEN 'dead' "
            "ELSE 'failed' END, v.id, v.job_id, '%2/e' || e.i, 1, 1, %3, %3 FROM webhook_events v, e"_s
                .arg(kEndpoints - 1)
                .arg(m_receiver.url({}))
                .arg(m_madeMs));
        run(u"UPDATE webhook_deliveries SET error = 'HTTP 500' WHERE status <> 'delivered'"_s);
        run(u"UPDATE webhook_deliveries SET due_at_ms = %1 WHERE status = 'failed'"_s.arg(m_madeMs +
                                                                                          7'200'000));
        run(u"INSERT INTO delivery_attempts (delivery_id, attempt, instance_no, url, started_at_ms, "
            "finished_at_ms, outcome, class, status_code) SELECT id, 1, 0, url, %1, %1, "
            "iif(status = 'delivered', 'delivered', 'failed'), 'answered', "
            "iif(status = 'delivered', 200, 500) FROM webhook_deliveries"_s.arg(m_madeMs));
        run(u"INSERT INTO dead_letters (kind, subject_id, type, endpoint_id, attempts, reason, sent_at_ms, "
            "dead_at_ms, changed_at_ms) SELECT 'delivery', id, 'made', endpoint_id, 1, 'retries_used_up', "
            "%1, %1, %1 FROM webhook_deliveries WHERE status = 'dead'"_s.arg(m_madeMs));
        run(u"COMMIT"_s);
    }

    void askForTheReplay() const
    {
        ActionRequest request;
        request.verb = ActionVerb::Replay;
        request.scope.list = ListKind::Deliveries;
        request.scope.matching = true;
        request.scope.filter = u"type:made"_s;
        request.actor = u"anna"_s;
        request.source = u"console"_s;
        CommandGate gate({});
        const auto db = open(Access::Writer);
        QVERIFY(runLoneTurn(*db, SystemClock(), [&](Cycle& cycle) -> Status {
                    REDRIVE_TRY(gate.write(cycle, request));
                    return {};
                }).has_value());
    }

    // What was in flight, as the database says it.
    Sent kill()
    {
        m_serve.killNow();
        const Sent inFlight =
            sentOf(u"SELECT '/' || d.endpoint_id || ' ' || d.event_id FROM delivery_attempts a "
                   "JOIN webhook_deliveries d ON d.id = a.delivery_id WHERE a.outcome IS NULL"_s);
        qInfo("killed after %d arrivals with %d in flight", m_receiver.arrivalCount(), int(inFlight.size()));
        return inFlight;
    }
    void answerAll(const ReceiverAnswer& answer)
    {
        for (int i = 0; i < kEndpoints; ++i)
            m_receiver.answer(pathOf(i), answer);
    }

private Q_SLOTS:
    void eachArrivesOnceThroughKills();
};

void ReplayKillTest::eachArrivesOnceThroughKills()
{
    const int failed = replayed();
    const int atOnce = kEndpoints * kMaxInFlight;
    configure();
    fill(failed);
    QCOMPARE(number(u"SELECT count(*) FROM webhook_deliveries WHERE status IN ('failed', 'dead')"_s), failed);
    const qint64 delivered = number(u"SELECT count(*) FROM webhook_deliveries WHERE status = 'delivered'"_s);
    QCOMPARE(delivered, failed / 5);
    askForTheReplay();

    Sent interrupted;
    const auto killed = [&](const Sent& inFlight) {
        QVERIFY2(inFlight.size() <= atOnce, qPrintable(QString::number(inFlight.size())));
        for (auto sent = inFlight.cbegin(); sent != inFlight.cend(); ++sent) {
            QCOMPARE(*sent, 1);
            ++interrupted[sent.key()];
        }
        const int arrived = m_receiver.arrivalCount();
        QVERIFY2(arrived > failed / 5 && arrived < failed / 5 * 4, qPrintable(QString::number(arrived)));
    };
    QVERIFY(m_serve.start());
    QVERIFY(m_receiver.waitForArrivals(failed * 3 / 10, {}, kPatienceMs));
    answerAll(ReceiverAnswer::status(200).hold());
    QVERIFY(m_receiver.waitForArrivals(m_receiver.arrivalCount() + atOnce / 2, {}, kPatienceMs));
    const Sent held = kill();
    QVERIFY2(held.size() >= atOnce / 2, qPrintable(QString::number(held.size())));
    killed(held);

    answerAll(ReceiverAnswer::status(200));
    QVERIFY(m_serve.start());
    QVERIFY(m_receiver.waitForArrivals(failed * 6 / 10, {}, kPatienceMs));
    killed(kill());

    QVERIFY(m_serve.start());
    QVERIFY(m_receiver.waitForArrivals(failed, {}, kPatienceMs));
    QTRY_COMPARE_WITH_TIMEOUT(number(u"SELECT count(*) FROM redrives WHERE state = 'done'"_s), 1,
                              kPatienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(
        number(u"SELECT count(*) FROM webhook_deliveries WHERE instance_no IS NOT NULL"_s), 0, kPatienceMs);
    m_serve.signal(SIGTERM);
    QCOMPARE(m_serve.exitWithin(kPatienceMs), std::optional(0));

    // Recorded: one that delivered each of them, and one interrupted for each that a kill caught in flight.
    const QString attempts = u"SELECT '/' || d.endpoint_id || ' ' || d.event_id FROM delivery_attempts a "
                             u"JOIN webhook_deliveries d "
                             "ON d.id = a.delivery_id WHERE a.kind = 'replay' AND a.outcome = '%1'"_s;
    const Sent answered = sentOf(attempts.arg(u"delivered"_s));
    QCOMPARE(answered.size(), failed);
    QCOMPARE(sentOf(attempts.arg(u"interrupted"_s)), interrupted);
    qint64 caught = 0;
    for (const int times : std::as_const(interrupted))
        caught += times;
    QCOMPARE(number(u"SELECT count(*) FROM delivery_attempts"_s), delivered + failed + failed + caught);
    QCOMPARE(number(u"SELECT count(*) FROM webhook_deliveries WHERE status = 'delivered'"_s),
             failed + delivered);
    QCOMPARE(
        number(u"SELECT count(*) FROM webhook_deliveries WHERE attempts = 1 AND updated_at_ms = %1"_s.arg(
            m_madeMs)),
        delivered);
    QCOMPARE(number(u"SELECT count(*) FROM dead_letters WHERE state <> 'requeued'"_s), 0);
    QCOMPARE(number(u"SELECT count(*) FROM redrive_items WHERE result = 'ok' AND outcome = 'succeeded'"_s),
             failed);
    QCOMPARE(number(u"SELECT count(*) FROM redrive_items"_s), failed);

    // The wire: what arrived was recorded, and only what was in flight at a kill came twice.
    Sent arrivals;
    for (const ReceivedRequest& request : m_receiver.arrivals())
        ++arrivals[QString::fromLatin1(request.target + ' ' + request.header("webhook-id"))];
    QCOMPARE(arrivals.size(), failed);
    for (auto sent = arrivals.cbegin(); sent != arrivals.cend(); ++sent) {
        QVERIFY2(answered.value(sent.key()) == 1, qPrintable(sent.key()));
        QVERIFY2(*sent <= 1 + interrupted.value(sent.key()),
                 qPrintable(u"%1 came %2 times"_s.arg(sent.key()).arg(*sent)));
    }
    const int again = m_receiver.arrivalCount() - failed;
    qInfo("%d arrivals, %d of them again, %d interrupted", m_receiver.arrivalCount(), again, int(caught));
    QVERIFY2(again >= atOnce / 2, "what was held at the first kill came again");
}

QTEST_GUILESS_MAIN(ReplayKillTest)
#include "replay_kill_test.moc"
