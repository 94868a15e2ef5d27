// A flood against a full queue on a slow disk: what is beyond the limit is refused with 429, and the memory
// of the program does not grow with what it refuses or with what waits for the disk.
#include "tests/bench/load_client.h"
#include "tests/integration/serve_process.h"
#include "tests/support/plain_client.h"

#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <QUrl>

#include <csignal>

using namespace redrive;
using namespace redrive::test;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int kLimit = 1'500;
constexpr int kConnections = 48;
constexpr int kRefused = 20'000;
constexpr int kBodyBytes = 8'000;
constexpr double kMostGrowthMib = 24; // caches and threads; the flood itself is 160 MB

const QByteArray kConfiguration = R"(
[[queues.producers]]
binding = "JOBS"
queue = "jobs"
[[queues.consumers]]
queue = "jobs"
[redrive.queues.jobs]
paused = true
[redrive.limits]
backlog = 1500
)";

QByteArray body()
{
    return R"({"type":"noop","payload":")" + QByteArray(kBodyBytes, 'x') + "\"}";
}

double statusMib(qint64 processId, const QByteArray& name)
{
    QFile file(u"/proc/%1/status"_s.arg(processId));
    if (!file.open(QIODevice::ReadOnly))
        return -1;
    for (const QByteArray& line : file.readAll().split('\n'))
        if (line.startsWith(name + ':'))
            return line.mid(name.size() + 1).simplified().split(' ').first().toDouble() / 1024;
    return -1;
}

} // namespace

class SlowDiskTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void aFloodAgainstAFullQueueCostsNoMemory()
    {
        // They fork, so before the first thread.
        bench::LoadClient fill({0, kConnections, kLimit, body()});
        bench::LoadClient flood({0, kConnections, kRefused, body()});

        QTemporaryDir folder;
        QFile file(folder.filePath(u"wrangler.toml"_s));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(kConfiguration) > 0);
        file.close();
        ServeProcess serve(folder.path());
        serve.setVariable(u"LD_PRELOAD"_s, QStringLiteral(SLOW_SYNC));
        QVERIFY2(serve.start(), serve.log());
        const auto port = quint16(QUrl(serve.url()).port());
        const double before = statusMib(serve.processId(), "VmRSS");
        QVERIFY(before > 0);

        QElapsedTimer took;
        took.start();
        fill.start(port);
        const bench::LoadResult filled = fill.wait();
        QCOMPARE(filled.accepted, kLimit);
        // Each commit waits for the disk, with no more of them than there are clients.
        QVERIFY2(took.elapsed() >= kLimit / kConnections * 50, qPrintable(QString::number(took.elapsed())));

        flood.start(port);
        const bench::LoadResult refused = flood.wait();
        QCOMPARE(refused.accepted, 0);
        QCOMPARE(refused.other, kRefused);
        const PlainAnswer answer = PlainClient(serve.url()).post("/jobs", body());
        QCOMPARE(answer.status, 429);
        QVERIFY(answer.body.contains("too_many_requests"));
        QVERIFY(answer.head.toLower().contains("retry-after: 1"));

        const double most = statusMib(serve.processId(), "VmHWM");
        QVERIFY2(most - before < kMostGrowthMib, qPrintable(u"%1 -> %2 MiB"_s.arg(before).arg(most)));
        serve.signal(SIGTERM);
        QCOMPARE(serve.exitWithin(30'000), std::optional(0));
    }
};

QTEST_GUILESS_MAIN(SlowDiskTest)
#include "slow_disk_test.moc"
