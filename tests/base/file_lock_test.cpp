#include "core/base/file_lock.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

#include <sys/wait.h>
#include <unistd.h>

using namespace redrive;

class FileLockTest : public QObject
{
    Q_OBJECT
    QTemporaryDir m_dir;
    QString path() const { return m_dir.filePath(QStringLiteral("engines/one.lock")); }

private Q_SLOTS:
    void excludesTheSecond()
    {
        auto first = FileLock::tryLock(path());
        QVERIFY(first.has_value());
        const auto second = FileLock::tryLock(path());
        QVERIFY(!second.has_value());
        QCOMPARE(second.error().kind, ErrorKind::Busy);
        first->release();
        QVERIFY(FileLock::tryLock(path()).has_value());
    }

    void tellsWhetherItIsHeldWithoutTakingIt()
    {
        QVERIFY(!FileLock::isHeld(m_dir.filePath(QStringLiteral("missing"))));
        auto lock = FileLock::tryLock(path());
        QVERIFY(FileLock::isHeld(path()));
        FileLock moved = std::move(*lock);
        QVERIFY(FileLock::isHeld(path()));
        moved.release();
        QVERIFY(!FileLock::isHeld(path()));
    }

    void removesItsFile()
    {
        auto lock = FileLock::tryLock(path());
        lock->releaseAndRemove();
        QVERIFY(!QFile::exists(path()));
    }

    void goesWithItsHolder()
    {
        int ready[2];
        QCOMPARE(::pipe(ready), 0);
        const pid_t child = ::fork();
        if (child == 0) {
            const auto lock = FileLock::tryLock(path());
            (void)!::write(ready[1], "x", 1);
            for (;;)
                ::pause();
        }
        char byte = 0;
        QCOMPARE(::read(ready[0], &byte, 1), 1);
        QVERIFY(FileLock::isHeld(path()));
        ::kill(child, SIGKILL);
        ::waitpid(child, nullptr, 0);
        QVERIFY(!FileLock::isHeld(path()));
        QVERIFY(FileLock::tryLock(path()).has_value());
        ::close(ready[0]);
        ::close(ready[1]);
    }

    void saysWhyItCannotBe()
    {
        const auto lock = FileLock::tryLock(QStringLiteral("/proc/none/x.lock"));
        QVERIFY(!lock.has_value());
        QVERIFY(!lock.error().detail.isEmpty());
    }
};

QTEST_APPLESS_MAIN(FileLockTest)
#include "file_lock_test.moc"
