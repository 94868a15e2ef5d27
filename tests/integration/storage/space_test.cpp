// No space under a running engine: a full disk, a limit on the size of files, a log that grows. Everything
// waits with a visible reason, nothing is lost, no job fails of it, and work goes on by itself.
#include "tests/integration/crash/load.h"
#include "tests/integration/storage/storage_rig.h"
#include "tests/support/mounts.h"

#include <QElapsedTimer>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>
#include <QUrl>

#include <csignal>
#include <sys/resource.h>

using namespace redrive;
using namespace redrive::test;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qint64 kSmallDisk = 64LL * 1024 * 1024;
constexpr int kSeenMs = 2'000;
constexpr int kBackMs = 10'000;
constexpr int kDrainMs = 30'000;

// Jobs, each a number, as they were acknowledged.
class Intake final
{
public:
    explicit Intake(StorageRig& rig)
        : m_ledger(rig.path(u"ledger"_s)),
          m_load(m_ledger, 4, 200, Load::job([](int number) {
                     return R"({"type":"quick","payload":)" + QByteArray::number(number) + '}';
                 })),
          m_ledgerFile(rig.path(u"ledger"_s))
    {
        m_load.setPort(quint16(QUrl(rig.serve().url()).port()));
    }
    void end() { m_load.end(); }
    qsizetype acknowledged() const { return LoadLedger::read(m_ledgerFile).acknowledged.size(); }

    // Acknowledged jobs that are not done, or done more often than once, and jobs that were refused and are
    // there.
    QStringList wrong(const StorageRig& rig) const
    {
        QStringList found;
        const LoadLedger::Account account = LoadLedger::read(m_ledgerFile);
        QHash<QString, int> there;
        const auto db = Connection::open({rig.database()}, Access::Reader);
        auto jobs = (*db)->dynamicQuery(u"SELECT id, {bytes:payload}, status FROM jobs"_s);
        while (jobs.next()) {
            const int number = jobs.bytes(1).toInt();
            there.insert(jobs.text(0), number);
            if (jobs.text(2) != u"done" || account.refused.contains(number))
                found.append(jobs.text(0) + u' ' + jobs.text(2));
        }
        for (auto job = account.acknowledged.cbegin(); job != account.acknowledged.cend(); ++job)
            if (there.value(*job, -1) != job.key())
                found.append(u"lost "_s + *job);
        if (rig.runs() != there.size())
            found.append(u"%1 runs of %2 jobs"_s.arg(rig.runs()).arg(there.size()));
        return found;
    }

private:
    LoadLedger m_ledger;
    Load m_load;
    QString m_ledgerFile;
};

qint64 logBytes(const StorageRig& rig)
{
    return QFileInfo(rig.database() + u"-wal"_s).size();
}

void limitFileSize(qint64 process, rlim_t bytes)
{
    const rlimit limit = {bytes, RLIM_INFINITY};
    QVERIFY(::prlimit(pid_t(process), RLIMIT_FSIZE, &limit, nullptr) == 0);
}

} // namespace

class StorageSpaceTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aFullDisk()
    {
        const QTemporaryDir folder;
        const auto disk = Mount::memory(folder.path(), kSmallDisk);
        if (!disk)
            QSKIP("a file system of its own needs root");
        StorageRig rig(disk->path(u"jobs.db"_s));
        QVERIFY2(rig.start(), rig.serve().log());
        const QString ballast = rig.database() + u"-ballast"_s;
        QTRY_COMPARE(QFileInfo(ballast).size(), kSmallDisk / 20);
        Intake intake(rig);
        QTRY_VERIFY(intake.acknowledged() > 100);

        disk->fill();
        QElapsedTimer since;
        since.start();
        QTRY_VERIFY_WITH_TIMEOUT(!rig.isHealthy(), kSeenMs);
        const QString reason = rig.reason();
        QVERIFY2(reason.startsWith(u"Disk full on %1: new jobs are refused, "_s.arg(folder.path())) &&
                     reason.endsWith(u" wait. Free at least 3 MB; work resumes by itself."_s),
                 qPrintable(reason));
        const PlainAnswer refused = rig.post();
        QCOMPARE(refused.status, 503);
        QCOMPARE(StorageRig::code(refused), "storage_full");
        QCOMPARE(StorageRig::retryAfter(refused), 30);
        QVERIFY(!QFileInfo::exists(ballast)); // given back, so that what runs can be recorded
        QTRY_COMPARE(rig.number(u"SELECT count(*) FROM jobs WHERE status = 'processing'"_s), 0);
        const int runs = rig.runs();
        QVERIFY(!rig.isHealthy());
        QCOMPARE(rig.runs(), runs); // nothing was begun meanwhile

        disk->fill(); // the ballast's room as well
        const auto [code, said] = rig.command({u"enqueue"_s, u"quick"_s});
        QCOMPARE(code, 1);
        QVERIFY2(said.startsWith(u"redrive: Disk full on "_s), qPrintable(said));

        disk->makeRoom();
        since.restart();
        QTRY_VERIFY_WITH_TIMEOUT(rig.isHealthy(), kBackMs);
        const auto before = intake.acknowledged();
        QTRY_VERIFY_WITH_TIMEOUT(intake.acknowledged() > before, kBackMs - int(since.elapsed()));
        QTRY_COMPARE_WITH_TIMEOUT(QFileInfo(ballast).size(), kSmallDisk / 20, kBackMs);
        intake.end();
        QTRY_COMPARE_WITH_TIMEOUT(rig.open(), 0, kDrainMs);
        QCOMPARE(rig.failures(), 0);
        QCOMPARE(intake.wrong(rig), QStringList());
    }

    void aDiskWithoutRoomForTheBallastIsWorkedOn()
    {
        const QTemporaryDir folder;
        const auto disk = Mount::memory(folder.path(), kSmallDisk);
        if (!disk)
            QSKIP("a file system of its own needs root");
        StorageRig rig(disk->path(u"jobs.db"_s));
        disk->fill();
        QFile filler(disk->path(u"filler"_s));
        QVERIFY(filler.resize(filler.size() - 5 * 1024 * 1024)); // less than twice the ballast
        QVERIFY2(rig.start(), rig.serve().log());
        QTRY_VERIFY(rig.serve().log().contains("There is no room to keep 3 MB in hand for a full disk"));
        QCOMPARE(rig.post().status, 202);
        QVERIFY(rig.isHealthy());
    }

    void aLimitOnTheSizeOfFiles()
    {
        StorageRig rig;
        QVERIFY2(rig.start(), rig.serve().log());
        const QByteArray payload = '"' + QByteArray(100'000, 'x') + '"';
        QStringList acknowledged;
        const auto send = [&] {
            const PlainAnswer answer = rig.post(payload);
            if (answer.status == 202)
                acknowledged.append(QJsonDocument::fromJson(answer.body)[u"jobId"_s].toString());
            return answer;
        };
        QCOMPARE(send().status, 202);
        limitFileSize(rig.serve().processId(), rlim_t(QFileInfo(rig.database()).size() + 500'000));
        PlainAnswer answer;
        QTRY_VERIFY_WITH_TIMEOUT((answer = send()).status == 503, kDrainMs);
        QCOMPARE(StorageRig::code(answer), "storage_full");
        QVERIFY(rig.serve().isRunning());
        QString reason;
        QTRY_VERIFY_WITH_TIMEOUT((send(), reason = rig.reason()).startsWith(u"The limit of "_s), kBackMs);
        QVERIFY2(reason.endsWith(u"Raise the limit; work resumes by itself."_s), qPrintable(reason));

        limitFileSize(rig.serve().processId(), RLIM_INFINITY);
        QTRY_VERIFY_WITH_TIMEOUT(rig.isHealthy(), kBackMs);
        QCOMPARE(send().status, 202);
        QTRY_COMPARE_WITH_TIMEOUT(rig.open(), 0, kDrainMs);
        QCOMPARE(rig.failures(), 0);
        for (const QString& id : acknowledged)
            QCOMPARE(rig.number(u"SELECT count(*) FROM jobs WHERE status = 'done' AND id = '%1'"_s.arg(id)),
                     1);
    }

    // Readers that come and go all the time keep the log from being emptied only for a moment.
    void theLogStaysSmall()
    {
        StorageRig rig;
        QVERIFY2(rig.start(), rig.serve().log());
        const QByteArray payload = '"' + QByteArray(120'000, 'x') + '"';
        qint64 longest = 0;
        for (int job = 0; job < 700; ++job) {
            QCOMPARE(rig.post(payload, "unknown").status, 202);
            if (job % 10 == 0) {
                (void)rig.number(u"SELECT sum(length(payload)) FROM jobs"_s);
                longest = std::max(longest, logBytes(rig));
            }
        }
        qInfo("the longest log: %lld MiB", longest >> 20);
        QVERIFY(longest > 8 << 20); // it was used
        QVERIFY(longest <= 64 << 20);
        QTRY_COMPARE_WITH_TIMEOUT(logBytes(rig), 0, kBackMs); // idle
    }
};

QTEST_GUILESS_MAIN(StorageSpaceTest)
#include "space_test.moc"
