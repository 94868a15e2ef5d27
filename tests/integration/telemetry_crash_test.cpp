// `kill -9` at random moments while events come in over /ingest and /ingest/batch, again and again: every
// event that was acknowledged is a row afterwards, or, if the table refuses it, a dead letter; none is both
// or twice, and none was not sent. REDRIVE_SEED repeats a run, REDRIVE_KILLS makes it longer.
#include "core/db/connection.h"
#include "tests/integration/crash/load.h"
#include "tests/integration/serve_process.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QTest>
#include <QUrl>

#include <csignal>

using namespace redrive;
using namespace redrive::test;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int kConnections = 8;
constexpr int kRequestsPerSecond = 1'200;
constexpr int kBatch = 10;
constexpr int kLeastAcknowledged = 2'000;
constexpr int kMostLives = 200;
constexpr int kDrainMs = 60'000;
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

QJsonValue valueIn(const QByteArray& json, const QString& key)
{
    return QJsonDocument::fromJson(json)[key];
}

void sendOne(KeptConnection& connection, LoadLedger& ledger, int percent)
{
    const int number = ledger.invoke();
    const auto answer = connection.post("/ingest", eventOf(number, percent), kToken);
    if (answer.status == 202)
        ledger.acknowledged(number, valueIn(answer.body, u"eventId"_s).toString().toLatin1());
    else if (answer.status != 0)
        ledger.refused(number);
}

// With a line that is no JSON among them.
void sendBatch(KeptConnection& connection, LoadLedger& ledger, int percent)
{
    QByteArray body = "{\"n\":\n";
    QList<int> numbers;
    for (int i = 0; i < kBatch; ++i) {
        numbers.append(ledger.invoke());
        body += eventOf(numbers.last(), percent) + '\n';
    }
    const auto answer = connection.post("/ingest/batch", body, kToken);
    const QJsonArray ids = valueIn(answer.body, u"eventIds"_s).toArray();
    for (int i = 0; i < kBatch; ++i) {
        if (answer.status == 202)
            ledger.acknowledged(numbers[i], ids[i].toString().toLatin1());
        else if (answer.status != 0)
            ledger.refused(numbers[i]);
    }
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
    qint64 waiting() const
    {
        const auto db = open();
        auto query = db->dynamicQuery(u"SELECT count(*) FROM messages WHERE queue = 'telemetry-ingest'"_s);
        return query.next() ? query.int64(0) : -1;
    }
    QHash<QString, QByteArray> rows() const
    {
        const auto db = open();
        auto query = db->dynamicQuery(u"SELECT id, CAST(payload AS BLOB) FROM system_telemetry"_s);
        QHash<QString, QByteArray> found;
        while (query.next())
            found.insert(query.text(0), query.bytes(1));
        return found;
    }
    QStringList letters() const
    {
        const auto db = open();
        auto query = db->dynamicQuery(
            u"SELECT subject_id FROM dead_letters WHERE kind = 'message' AND state = 'open'"_s);
        QStringList ids;
        while (query.next())
            ids.append(query.text(0));
        return ids;
    }
    void judge(int percent) const
    {
        const LoadLedger::Account account = LoadLedger::read(path(u"ledger"_s));
        const QHash<QString, QByteArray> stored = rows();
        const QStringList dead = letters();
        const QSet<QString> letterIds(dead.begin(), dead.end());
        QCOMPARE(letterIds.size(), dead.size()); // none twice
        QStringList lost;
        for (auto event = account.acknowledged.cbegin(); event != account.acknowledged.cend(); ++event) {
            const bool asRow = stored.value(*event) == eventOf(event.key(), percent);
            if (isPoison(event.key(), percent) ? !letterIds.contains(*event) || stored.contains(*event)
                                               : !asRow || letterIds.contains(*event))
                lost.append(u"%1 %2"_s.arg(event.key()).arg(*event));
        }
        QCOMPARE(lost, QStringList());
        QSet<int> numbers;
        for (const QByteArray& payload : stored) {
            const int number = valueIn(payload, u"n"_s).toInt();
            QVERIFY2(!numbers.contains(number), payload.constData()); // sent once, stored once
            numbers.insert(number);
            QVERIFY2(account.invoked.contains(number) && !account.refused.contains(number) &&
                         !isPoison(number, percent),
                     payload.constData());
        }
        qInfo("%d acknowledged, %d rows, %d letters", int(account.acknowledged.size()), int(stored.size()),
              int(dead.size()));
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
        const int kills = fromEnvironment("REDRIVE_KILLS", 6);
        const int seed =
            fromEnvironment("REDRIVE_SEED", QRandomGenerator::global()->bounded(1, 1'000'000'000));
        qInfo("REDRIVE_SEED=%d", seed);
        QRandomGenerator random{quint32(seed)};
        LoadLedger ledger(path(u"ledger"_s));
        std::atomic<int> turn = 0;
        Load load(ledger, kConnections, kRequestsPerSecond,
                  [&](KeptConnection& connection, LoadLedger& into) {
                      if (++turn % 5 == 0)
                          sendBatch(connection, into, percent);
                      else
                          sendOne(connection, into, percent);
                  });
        const auto acknowledged = [&] { return LoadLedger::read(path(u"ledger"_s)).acknowledged.size(); };

        ServeProcess serve(m_folder->path());
        int lives = 0;
        for (; lives < kills || (acknowledged() < kLeastAcknowledged && lives < kMostLives); ++lives) {
            QVERIFY2(serve.start(), serve.log().right(2'000).constData());
            load.setPort(quint16(QUrl(serve.url()).port()));
            QVERIFY2(!serve.exitWithin(random.bounded(50, 900)), "it ended by itself");
            load.setPort(0);
            serve.killNow();
        }
        QVERIFY(serve.start());
        load.setPort(quint16(QUrl(serve.url()).port()));
        load.end();
        QTRY_COMPARE_WITH_TIMEOUT(waiting(), 0, kDrainMs);
        serve.signal(SIGTERM);
        QCOMPARE(serve.exitWithin(30'000), std::optional(0));
        qInfo("killed %d times", lives);
        QVERIFY(acknowledged() >= kLeastAcknowledged);
        judge(percent);
    }
};

QTEST_GUILESS_MAIN(TelemetryCrashTest)
#include "telemetry_crash_test.moc"
