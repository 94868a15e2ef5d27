// What an operator sees while the store cannot be written, over a real engine: the cause in a bar within two
// seconds, what was shown last as of then, and nothing of it once it is over. Nobody presses anything.
#include "core/db/transaction.h"
#include "core/engine/engine.h"
#include "tests/support/mounts.h"
#include "tests/support/plain_client.h"
#include "tests/ui/support/page_fixture.h"
#include "ui/pages/jobs_page.h"
#include "ui/pages/overview_page.h"
#include "ui/widgets/bars.h"
#include "ui/widgets/plain_label.h"
#include "ui/widgets/row_table.h"
#include "ui/widgets/theme_controller.h"

#include <QElapsedTimer>
#include <QProcess>
#include <QTcpServer>
#include <QTemporaryDir>
#include <QTimer>

#include <csignal>

using namespace redrive;
using namespace redrive::test;

namespace {

constexpr int kStartMs = 60'000;
constexpr int kSeenMs = 2'000;
constexpr int kBackMs = 10'000;

QString cause(const QWidget* page)
{
    const auto* bar = page->findChild<BrokenBar*>();
    return bar->isVisible() ? bar->findChild<PlainLabel*>()->text() : QString();
}

} // namespace

class StorageWindowTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        std::signal(SIGXFSZ, SIG_IGN);
        m_themes = std::make_unique<ThemeController>(*qApp);
        m_senders.callOnTimeout(this, [this] { send(); });
        m_senders.setInterval(20);
    }
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void cleanup()
    {
        m_senders.stop();
        m_engine.reset();
    }

    void aFullDisk()
    {
        const auto disk = Mount::memory(m_folder->path(), 64 << 20);
        if (!disk)
            QSKIP("a file system of its own needs root");
        start(disk->path(u"jobs.db"_s), true);
        PageFixture<JobsPage> at(*m_engine);
        PageFixture<OverviewPage> overview(*m_engine);
        m_senders.start();
        QTRY_VERIFY(at.page->model()->rowCount() > 3);
        QCOMPARE(cause(at.page.get()), QString());
        disk->fill();
        QTRY_VERIFY_WITH_TIMEOUT(m_refused > 0, kBackMs); // the first that met it
        QTRY_VERIFY_WITH_TIMEOUT(cause(at.page.get()).startsWith(u"Disk full on "_s), kSeenMs);
        QVERIFY(cause(at.page.get()).contains(u": new jobs are refused, "_s));
        QTRY_COMPARE(cause(overview.page.get()), cause(at.page.get()));
        QVERIFY(at.page->scopeText().contains(u"as of "_s));
        const int rows = at.page->model()->rowCount();
        disk->makeRoom();
        QTRY_COMPARE_WITH_TIMEOUT(cause(at.page.get()), QString(), kBackMs);
        QVERIFY(!at.page->scopeText().contains(u"as of "_s));
        QTRY_VERIFY(at.page->model()->rowCount() > rows);
        QVERIFY(!at.page->grab().isNull());
    }

    void aLockedDatabase()
    {
        const QString path = m_folder->filePath(u"jobs.db"_s);
        start(path, true);
        PageFixture<JobsPage> at(*m_engine);
        m_senders.start();
        QTRY_VERIFY(at.page->model()->rowCount() > 3);
        const auto other = Connection::open({path}, Access::Writer);
        {
            const auto held = Transaction::begin(**other);
            QVERIFY(held);
            QTRY_COMPARE_WITH_TIMEOUT(
                cause(at.page.get()),
                u"Database busy: another process holds 'jobs.db'. Work resumes by itself."_s,
                3'000 + kSeenMs);
            QVERIFY(at.page->scopeText().contains(u"as of "_s));
        }
        QTRY_COMPARE_WITH_TIMEOUT(cause(at.page.get()), QString(), kSeenMs);
    }

    void aFileThatIsGone()
    {
        const QString path = m_folder->filePath(u"jobs.db"_s);
        start(path, true);
        PageFixture<JobsPage> at(*m_engine);
        QVERIFY(QFile::rename(path, path + u".away"_s));
        QTRY_COMPARE_WITH_TIMEOUT(
            cause(at.page.get()),
            u"The database file was moved or deleted while in use. New jobs are refused. Put "
            u"the file back or choose another one."_s,
            kSeenMs);
        QVERIFY(QFile::rename(path + u".away"_s, path));
        QTRY_COMPARE_WITH_TIMEOUT(cause(at.page.get()), QString(), kSeenMs);
    }

    // The program itself: it opens to look, says why, and works from the moment on at which it can.
    void theConsoleBeginsToWorkByItself()
    {
        const QString from = m_folder->filePath(u"from"_s);
        const QString seen = m_folder->filePath(u"seen"_s);
        QVERIFY(QDir().mkpath(from) && QDir().mkpath(seen));
        start(from + u"/jobs.db"_s, true);
        m_engine.reset();
        const auto mount = Mount::readOnly(from, seen);
        if (!mount)
            QSKIP("a mount needs root");
        QTcpServer free;
        QVERIFY(free.listen(QHostAddress::LocalHost));
        const QString address = u"127.0.0.1:%1"_s.arg(free.serverPort());
        free.close();
        QProcess console;
        console.setWorkingDirectory(m_folder->path());
        console.start(QString::fromUtf8(REDRIVE_PROGRAM),
                      {u"--database"_s, mount->path(u"jobs.db"_s), u"--data"_s, m_folder->filePath(u"data"_s),
                       u"--listen"_s, address});
        const auto logged = [&](const char* event) {
            QFile log(m_folder->filePath(u"data/redrive.log"_s));
            return log.open(QIODevice::ReadOnly) && log.readAll().contains(event);
        };
        QTRY_VERIFY_WITH_TIMEOUT(logged("'jobs.db' is read-only"), kStartMs);
        QCOMPARE(PlainClient(u"http://"_s + address).get("/healthz").status, 0);
        QVERIFY(mount->makeWritable());
        QTRY_COMPARE_WITH_TIMEOUT(PlainClient(u"http://"_s + address).get("/healthz").status, 200, kStartMs);
        QVERIFY(logged("store_writable_again"));
        console.terminate();
        QVERIFY(console.waitForFinished(kStartMs));
        QCOMPARE(console.exitCode(), 0);
    }

    void aReadOnlyFileSystemIsLookedAt()
    {
        const QString from = m_folder->filePath(u"from"_s);
        const QString seen = m_folder->filePath(u"seen"_s);
        QVERIFY(QDir().mkpath(from) && QDir().mkpath(seen));
        start(from + u"/jobs.db"_s, true);
        m_senders.start();
        QTRY_VERIFY(m_accepted > 3);
        m_senders.stop();
        m_engine.reset();
        const auto mount = Mount::readOnly(from, seen);
        if (!mount)
            QSKIP("a mount needs root");
        start(mount->path(u"jobs.db"_s), false);
        QVERIFY(m_engine->health().readOnly);
        PageFixture<JobsPage> at(*m_engine);
        QTRY_VERIFY(at.page->model()->rowCount() > 3);
        QTRY_COMPARE(
            cause(at.page.get()),
            u"'jobs.db' is read-only: the file or its folder cannot be written. Nothing has been changed."_s);
        const int refused = m_refused;
        send();
        QTRY_COMPARE(m_refused.load(), refused + 1);
        QVERIFY(mount->makeWritable());
        QTRY_VERIFY_WITH_TIMEOUT(!m_engine->health().readOnly,
                                 kBackMs); // the console then starts another one
        m_engine->stop();
    }

private:
    void start(const QString& path, bool works)
    {
        m_accepted = m_refused = 0;
        EngineOptions options;
        ConsumerSettings consumer;
        consumer.queue = u"jobs"_s;
        consumer.maxBatchTimeoutMs = 0;
        options.settings.consumers = {consumer};
        options.settings.jobsQueue = u"jobs"_s;
        options.database.path = path;
        options.consume = works;
        options.listen = false;
        options.drainMs = 300;
        auto engine = Engine::start(std::move(options));
        if (!engine)
            qFatal("%s", qPrintable(engine.error().text()));
        m_engine = std::move(*engine);
    }

    void send()
    {
        m_engine->submit({u"nobody"_s, '"' + QByteArray(2'000, 'x') + '"', 0},
                         [this](const Result<QString>& id) { ++(id ? m_accepted : m_refused); });
    }

    std::unique_ptr<ThemeController> m_themes;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Engine> m_engine;
    QTimer m_senders;
    std::atomic<int> m_accepted = 0;
    std::atomic<int> m_refused = 0;
};

QTEST_MAIN(StorageWindowTest)
#include "storage_window_test.moc"
