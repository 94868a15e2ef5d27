#include "core/jobs/work_folder.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace redrive;

namespace {

constexpr char kMarkedFolder[] = "REDRIVE_TEST_MARKED_FOLDER";

}

class WorkFolderTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void isPrivateAndRemoved()
    {
        QTemporaryDir parent;
        QString path;
        {
            const auto folder = WorkFolder::make(parent.path());
            QVERIFY(folder.has_value());
            path = folder->path();
            QCOMPARE(QFile::permissions(path) & QFile::Permissions(0x77), QFile::Permissions());
            QVERIFY(QDir(path).mkpath(u"a/b"_s));
        }
        QVERIFY(!QDir(path).exists());
    }

    void whatIsInUseStays()
    {
        QTemporaryDir parent;
        const auto folder = WorkFolder::make(parent.path());
        QCOMPARE(WorkFolder::clearAbandoned(parent.path()), 0);
        QVERIFY(QDir(folder->path()).exists());
    }

    void whatWasLeftIsClearedWithItsProcesses()
    {
        QTemporaryDir parent;
        const QString path = parent.filePath(u"redrive-work-left00"_s);
        QVERIFY(QDir().mkpath(path + u"/a"_s));
        QVERIFY(QDir().mkpath(parent.filePath(u"other"_s)));
        QVERIFY(QFile::link(parent.filePath(u"other"_s), parent.filePath(u"redrive-work-link00"_s)));
        QProcess begunThere;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QString::fromLatin1(WorkFolder::kVariable), path);
        begunThere.setProcessEnvironment(environment);
        begunThere.start(u"/bin/sleep"_s, {u"1000"_s});
        QProcess elsewhere;
        environment.insert(QString::fromLatin1(WorkFolder::kVariable), path + u"0"_s);
        elsewhere.setProcessEnvironment(environment);
        elsewhere.start(u"/bin/sleep"_s, {u"1000"_s});
        QVERIFY(begunThere.waitForStarted() && elsewhere.waitForStarted());

        QCOMPARE(WorkFolder::clearAbandoned(parent.path()), 1);
        QVERIFY(!QDir(path).exists());
        QVERIFY(QDir(parent.filePath(u"other"_s)).exists());
        QVERIFY(begunThere.waitForFinished());
        QCOMPARE(begunThere.exitStatus(), QProcess::CrashExit);
        QCOMPARE(elsewhere.state(), QProcess::Running);
        elsewhere.kill();
        elsewhere.waitForFinished();
    }

    // This program as a process of its own, which carries the mark of the folder that it clears.
    void whoClearsDoesNotEndItself()
    {
        const QString mine = qEnvironmentVariable(kMarkedFolder);
        if (!mine.isEmpty()) {
            QCOMPARE(WorkFolder::clearAbandoned(QFileInfo(mine).path()), 1);
            QVERIFY(!QDir(mine).exists());
            return;
        }
        QTemporaryDir parent;
        const QString path = parent.filePath(u"redrive-work-left00"_s);
        QVERIFY(QDir().mkpath(path));
        QProcess marked;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QString::fromLatin1(WorkFolder::kVariable), path);
        environment.insert(QString::fromLatin1(kMarkedFolder), path);
        marked.setProcessEnvironment(environment);
        marked.start(QCoreApplication::applicationFilePath(),
                     {QString::fromLatin1(QTest::currentTestFunction())});
        QVERIFY(marked.waitForFinished());
        QCOMPARE(marked.exitStatus(), QProcess::NormalExit);
        QCOMPARE(marked.exitCode(), 0);
        QVERIFY(!QDir(path).exists());
    }
};

QTEST_GUILESS_MAIN(WorkFolderTest)
#include "work_folder_test.moc"
