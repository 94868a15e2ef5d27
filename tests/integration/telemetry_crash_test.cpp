// 20,000 acknowledged events from 32 connections over /ingest and /ingest/batch, with `kill -9` again and
// again in the middle: every event that was acknowledged is a row afterwards, or, if the table refuses it, a
// dead letter; none is both or twice, and none was not sent. What had no answer is sent again: with an
// Idempotency-Key it is there once, without one at most as often as it was sent. REDRIVE_SEED repeats a run's
// kills, REDRIVE_KILLS and REDRIVE_EVENTS make it longer.
#include "core/db/connection.h"
#include "tests/integration/crash/event_sender.h"
#include "tests/integration/crash/load.h"
#include "tests/integration/serve_process.h"

#include <QFile>
#include <QJsonDocument>
#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QTest>
#include <QUrl>

#include <csignal>

using namespace redrive;
using namespace redrive::test;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int kConnections = 32;
constexpr int kRequestsPerSecond = 2'000;
constexpr int kEvents = 20'000; // acknowledged at least
constexpr int kKills = 12;
constexpr int kPatienceMs = 120'000;
const QByteArray kToken = "Authorization: Bearer s3cret-of-the-test\r\n";

int fromEnvironment(const char* name, int otherwise)
{
    bool ok = false;
    const int value = qEnvironmentVariableIntValue(name, &ok);
    return ok ? value : otherwise;
}

bool isPoison(int number, int percent)
{
    return number * 37 % 100 < percent;
}

QByteArray eventOf(int number, int percent)
{
    return R"({"tenantId":"t)" + QByteArray::number(number % 7) + R"(","source":")" +
           (isPoison(number, percent) ? "nonsense" : "metric") + R"(", "n":)" + QByteArray::number(number) +
           R"(,"big":18446744073709551615})";
}

int numberIn(const QByteArray& event)
{
    return QJsonDocument::fromJson(event)[u"n"_s].toInt();
}

// What the database holds, by the event's id.
struct Stored
{
    QHash<QString, QByteArray> rows;
    QHash<QString, QByteArray> letters;
    QStringList twice; // ids
};

void take(Connection& db, const QString& sql, QHash<QString, QByteArray>& into, QStringList& twice)
{
    auto query = db.dynamicQuery(sql);
    while (query.next()) {
        if (into.contains(query.text(0)))
            twice.append(query.text(0));
        into.insert(query.text(0), query.bytes(1));
    }
    if (const Status read = query.status(); !read)
        qFatal("%s", qPrintable(read.error().text()));
}

} // namespace

class TelemetryCrashTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;

    QString path(const QString& name) const { return m_folder->filePath(name); }
    void write(const QString& name, const QByteArray& text) const
    {
        QFile file(path(name));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
    }
    std::unique_ptr<Connection> open() const
    {
        return *Connection::open({path(u"data/redrive.db"_s)}, Access::Reader);
    }
    qint64 number(const QString& sql) const
    {
        const auto db = open();
        auto query = db->dynamicQuery(sql);
        return query.next() ? query.int64(0) : -1;
    }
    qint64 waitingIn(const QString& queue) const
    {
        return number(u"SELECT count(*) FROM messages WHERE queue = '%1'"_s.arg(queue));
    }
    Stored stored() const
    {
        const auto db = open();
        Stored found;
        take(*db, u"SELECT id, CAST(payload AS BLOB) FROM system_telemetry"_s, found.rows, found.twice);
        take(*db, u"SELECT subject_id, CAST(body AS BLOB) FROM dead_letters"_s, found.letters, found.twice);
        return found;
    }

    static void nothingAcknowledgedIsLost(const LoadLedger::Account& account, const Stored& found,
                                          int percent)
    {
        QStringList lost;
        for (auto event = account.acknowledged.cbegin(); event != account.acknowledged.cend(); ++event) {
            const bool poison = isPoison(event.key(), percent);
            const auto& right = poison ? found.letters : found.rows;
            const auto& wrong = poison ? found.rows : found.letters;
            if (right.value(*event) != eventOf(event.key(), percent) || wrong.contains(*event))
                lost.append(u"%1 %2"_s.arg(event.key()).arg(*event));
        }
        QCOMPARE(lost, QStringList());
    }

    static void nothingElseIsThere(const LoadLedger::Account& account, const Stored& found, int percent,
                                   const EventSender& sender)
    {
        QHash<int, int> copies;
        const auto look = [&](const QHash<QString, QByteArray>& events, bool poison) {
            for (const QByteArray& event : events) {
                const int number = numberIn(event);
                ++copies[number];
                QCOMPARE(event, eventOf(number, percent));
                QCOMPARE(isPoison(number, percent), poison);
                QVERIFY2(account.acknowledged.contains(number), event.constData());
            }
        };
        look(found.rows, false);
        look(found.letters, true);
        int further = 0;
        for (auto event = copies.cbegin(); event != copies.cend(); ++event) {
            const int most = sender.isKeyed(event.key()) ? 1 : 1 + account.again.value(event.key());
            QVERIFY2(*event <= most, qPrintable(u"%1 is there %2 times"_s.arg(event.key()).arg(*event)));
            further += *event - 1;
        }
        qInfo("%d acknowledged, %d rows, %d letters, %d sent again, %d of them there once more",
              int(account.acknowledged.size()), int(found.rows.size()), int(found.letters.size()),
              int(account.again.size()), further);
    }

    void judge(int percent, const EventSender& sender) const
    {
        const LoadLedger::Account account = LoadLedger::read(path(u"ledger"_s));
        const Stored found = stored();
        QCOMPARE(account.acknowledged.size() + account.refused.size(), account.invoked.size());
        QCOMPARE(found.twice, QStringList());
        nothingAcknowledgedIsLost(account, found, percent);
        if (QTest::currentTestFailed())
            return;
        nothingElseIsThere(account, found, percent, sender);
        QCOMPARE(number(u"SELECT count(*) FROM dead_letters WHERE kind = 'message' AND state = 'open'"_s),
                 found.letters.size());
        QCOMPARE(waitingIn(u"telemetry-dlq"_s), found.letters.size());
        QCOMPARE(number(u"SELECT row_count FROM telemetry_size"_s), found.rows.size());
    }

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        write(u"wrangler.toml"_s,
              "[[queues.producers]]\nbinding = \"TELEMETRY\"\nqueue = \"telemetry-ingest\"\n"
              "[[queues.consumers]]\nqueue = \"telemetry-ingest\"\nmax_batch_size = 100\n"
              "max_batch_timeout = 0.5\nmax_retries = 3\n"
              "dead_letter_queue = \"telemetry-dlq\"\n");
        write(u".dev.vars"_s, "AUTH_SECRET=\"s3cret-of-the-test\"\n");
    }

    void losesNothingHoweverOftenItIsKilled_data()
    {
        QTest::addColumn<int>("percent");
        QTest::newRow("clean") << 0;
        QTest::newRow("1 % refused by the table") << 1;
        QTest::newRow("half refused by the table") << 50;
    }
    void losesNothingHoweverOftenItIsKilled()
    {
        QFETCH(int, percent);
        const int kills = fromEnvironment("REDRIVE_KILLS", kKills);
        const int events = fromEnvironment("REDRIVE_EVENTS", kEvents);
        const int seed =
            fromEnvironment("REDRIVE_SEED", QRandomGenerator::global()->bounded(1, 1'000'000'000));
        qInfo("REDRIVE_SEED=%d", seed);
        QRandomGenerator random{quint32(seed)};
        LoadLedger ledger(path(u"ledger"_s));
        EventSender sender(ledger, kToken, [percent](int number) { return eventOf(number, percent); });
        Load load(ledger, kConnections, kRequestsPerSecond,
                  [&](KeptConnection& connection, LoadLedger&) { sender.send(connection); });
        ServeProcess serve(m_folder->path());
        const auto begin = [&] {
            const bool begun = serve.start();
            if (begun)
                load.setPort(quint16(QUrl(serve.url()).port()));
            return begun;
        };
        // Every second life ends soon after it began, the others at places spread over the whole load.
        int amid = 0;
        for (int kill = 0; kill < kills; ++kill) {
            QVERIFY2(begin(), serve.log().right(2'000).constData());
            const int slice = events / (kills + 1);
            const int place = kill * slice + random.bounded(slice / 4, slice + slice / 4);
            const int lifeMs = random.bounded(400);
            if (kill % 2 == 0)
                QTRY_VERIFY_WITH_TIMEOUT(sender.acknowledged() >= place || !serve.isRunning(), kPatienceMs);
            else
                serve.exitWithin(lifeMs);
            QVERIFY2(serve.isRunning(), "it ended by itself");
            serve.killNow();
            load.setPort(0);
            amid += sender.acknowledged() > 0 && sender.acknowledged() < events ? 1 : 0;
        }
        qInfo("killed %d times", kills);
        QVERIFY(amid >= std::min(kills, kKills) - 1);
        QVERIFY(begin());
        QTRY_VERIFY_WITH_TIMEOUT(sender.acknowledged() >= events, kPatienceMs);
        load.end();
        KeptConnection connection;
        while (sender.hasUnanswered() && sender.strangeAnswers().isEmpty()) {
            if (!connection.isOpen())
                QVERIFY(connection.open(quint16(QUrl(serve.url()).port())));
            sender.send(connection);
        }
        QCOMPARE(sender.strangeAnswers(), QByteArrayList());
        QVERIFY(!sender.hasUnanswered());
        QCOMPARE(sender.connections(), kConnections);
        QTRY_COMPARE_WITH_TIMEOUT(waitingIn(u"telemetry-ingest"_s), 0, kPatienceMs);
        serve.signal(SIGTERM);
        QCOMPARE(serve.exitWithin(30'000), std::optional(0));
        judge(percent, sender);
    }
};

QTEST_GUILESS_MAIN(TelemetryCrashTest)
#include "telemetry_crash_test.moc"
