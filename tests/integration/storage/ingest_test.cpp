// Events posted over HTTP while the store cannot be written: each answer says that the event is kept or when
// to send it again, never that it is wrong, and what was said is what the table holds afterwards.
#include "core/db/transaction.h"
#include "tests/integration/storage/storage_rig.h"
#include "tests/support/mounts.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <array>
#include <condition_variable>
#include <mutex>
#include <thread>

using namespace redrive;
using namespace redrive::test;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr std::array<const char*, 3> kRoutes{"/ingest", "/ingest/batch", "/ingest/sync"};
constexpr int kClientsEach = 3;
constexpr std::chrono::milliseconds kPace{10}; // between two requests of one client
constexpr int kPatienceMs = 30'000;

struct RouteAnswers
{
    int kept = 0;         // requests
    int putOff = 0;       // 429 or 503, with Retry-After
    QStringList ids;      // of events that are kept
    QByteArrayList wrong; // all other answers
};

// Clients of each route that post one request after the other.
class Senders final
{
public:
    explicit Senders(const StorageRig& rig)
    {
        QFile token(rig.path(u"data/ingest-token"_s));
        if (!token.open(QIODevice::ReadOnly))
            qFatal("there is no token");
        m_headers.append({"Authorization", "Bearer " + token.readAll().trimmed()});
        for (size_t route = 0; route < kRoutes.size(); ++route)
            for (int client = 0; client < kClientsEach; ++client)
                m_threads.emplace_back([this, route, url = rig.serve().url()] { run(route, url); });
    }
    ~Senders() { end(); }

    void end()
    {
        {
            std::lock_guard lock(m_mutex);
            m_ending = true;
            m_changed.notify_all();
        }
        for (std::thread& thread : m_threads)
            if (thread.joinable())
                thread.join();
    }
    std::array<RouteAnswers, kRoutes.size()> answers() const
    {
        std::lock_guard lock(m_mutex);
        return m_answers;
    }
    // Whether each route has had at least one more of these answers than it had in `before`.
    template <typename Count>
    bool eachHasMore(const std::array<RouteAnswers, kRoutes.size()>& before, Count RouteAnswers::*count) const
    {
        const auto now = answers();
        for (size_t route = 0; route < kRoutes.size(); ++route)
            if (now[route].*count <= before[route].*count)
                return false;
        return true;
    }

private:
    void run(size_t route, const QString& url)
    {
        const PlainClient client(url);
        const QByteArray event = R"({"source":"metric","s":")" + QByteArray(200, 'x') + "\"}";
        const QByteArray body = route == 1 ? event + '\n' + event + '\n' + event : event;
        for (;;) {
            {
                std::unique_lock lock(m_mutex);
                if (m_changed.wait_for(lock, kPace, [this] { return m_ending; }))
                    return;
            }
            const PlainAnswer answer = client.post(kRoutes[route], body, m_headers);
            std::lock_guard lock(m_mutex);
            note(answer, route, m_answers[route]);
        }
    }
    static void note(const PlainAnswer& answer, size_t route, RouteAnswers& into)
    {
        const QJsonDocument json = QJsonDocument::fromJson(answer.body);
        if (answer.status == (route == 2 ? 201 : 202)) {
            ++into.kept;
            const QJsonArray many = json[u"eventIds"_s].toArray();
            for (const auto& id : many)
                into.ids.append(id.toString());
            if (route != 1)
                into.ids.append(json[u"eventId"_s].toString());
        } else if ((answer.status == 429 || answer.status == 503) && StorageRig::retryAfter(answer) > 0) {
            ++into.putOff;
        } else {
            into.wrong.append(answer.head + answer.body);
        }
    }

    PlainClient::Headers m_headers;
    mutable std::mutex m_mutex; // guards m_answers and m_ending
    std::condition_variable m_changed;
    std::array<RouteAnswers, kRoutes.size()> m_answers;
    bool m_ending = false;
    std::vector<std::thread> m_threads;
};

QStringList rowIds(const StorageRig& rig)
{
    QStringList ids;
    const auto db = Connection::open({rig.database()}, Access::Reader);
    auto query = (*db)->dynamicQuery(u"SELECT id FROM system_telemetry ORDER BY id"_s);
    while (query.next())
        ids.append(query.text(0));
    return ids;
}

// What was kept is there, once, and nothing else is.
void checkAnswersAgainstTheTable(const StorageRig& rig, const Senders& senders)
{
    QTRY_COMPARE_WITH_TIMEOUT(rig.number(u"SELECT count(*) FROM messages WHERE queue = 'telemetry-ingest'"_s),
                              0, kPatienceMs);
    QStringList kept;
    for (const RouteAnswers& of : senders.answers()) {
        QVERIFY2(of.wrong.isEmpty(), of.wrong.value(0));
        QVERIFY(!of.ids.contains(QString()));
        kept += of.ids;
    }
    kept.sort();
    QCOMPARE(rowIds(rig), kept);
    QCOMPARE(rig.number(u"SELECT count(*) FROM dead_letters"_s), 0);
    QCOMPARE(rig.number(u"SELECT row_count FROM telemetry_size"_s), kept.size());
}

} // namespace

class StorageIngestTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aLockOfSixSeconds()
    {
        StorageRig rig;
        QVERIFY2(rig.start(), rig.serve().log());
        Senders senders(rig);
        QTRY_VERIFY(senders.eachHasMore({}, &RouteAnswers::kept));
        const auto db = Connection::open({rig.database()}, Access::Writer);
        QVERIFY(db);
        {
            const auto held = Transaction::begin(**db);
            QVERIFY(held);
            QTest::qWait(6'000); // how long it is held is what this is about
            QVERIFY(senders.eachHasMore({}, &RouteAnswers::putOff));
        }
        const auto before = senders.answers();
        QTRY_VERIFY_WITH_TIMEOUT(senders.eachHasMore(before, &RouteAnswers::kept), kPatienceMs);
        QTRY_VERIFY(rig.isHealthy());
        senders.end();
        checkAnswersAgainstTheTable(rig, senders);
    }

    void aFullDisk()
    {
        const QTemporaryDir folder;
        const auto disk = Mount::memory(folder.path(), 64LL * 1024 * 1024);
        if (!disk)
            QSKIP("a file system of its own needs root");
        StorageRig rig(disk->path(u"jobs.db"_s));
        QVERIFY2(rig.start(), rig.serve().log());
        Senders senders(rig);
        QTRY_VERIFY(senders.eachHasMore({}, &RouteAnswers::kept));
        disk->fill();
        QTRY_VERIFY_WITH_TIMEOUT(senders.eachHasMore({}, &RouteAnswers::putOff), kPatienceMs);
        disk->fill(); // what the engine gave back as well
        auto before = senders.answers();
        QTRY_VERIFY_WITH_TIMEOUT(senders.eachHasMore(before, &RouteAnswers::putOff), kPatienceMs);
        disk->makeRoom();
        before = senders.answers();
        QTRY_VERIFY_WITH_TIMEOUT(senders.eachHasMore(before, &RouteAnswers::kept), kPatienceMs);
        QTRY_VERIFY(rig.isHealthy());
        senders.end();
        checkAnswersAgainstTheTable(rig, senders);
    }
};

QTEST_GUILESS_MAIN(StorageIngestTest)
#include "ingest_test.moc"
