#include "core/jobs/program_lookup.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace redrive;

namespace {

void makeFile(const QString& path, bool executable)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("#!/bin/sh\n");
    file.setPermissions(executable ? QFile::ReadOwner | QFile::ExeOwner : QFile::ReadOwner);
}

} // namespace

class ProgramLookupTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        m_path = qgetenv("PATH");
        m_folder = QDir::currentPath();
    }
    void cleanup()
    {
        qputenv("PATH", m_path);
        QDir::setCurrent(m_folder);
    }

    void bareNamesAreLookedForInPath()
    {
        QTemporaryDir first;
        QTemporaryDir second;
        makeFile(first.filePath(u"tool"_s), false);
        makeFile(second.filePath(u"tool"_s), true);
        QVERIFY(QDir(first.path()).mkdir(u"other"_s));
        makeFile(second.filePath(u"other"_s), true);
        qputenv("PATH", (first.path() + u':' + second.path() + u'/').toLocal8Bit());
        QCOMPARE(lookUpProgram(u"tool"_s).value(), second.filePath(u"tool"_s));
        QCOMPARE(lookUpProgram(u"other"_s).value(), second.filePath(u"other"_s));
        QCOMPARE(lookUpProgram(u"nothing"_s).error().kind, ErrorKind::NotFound);
    }

    void theWorkingFolderIsNeverLookedIn_data()
    {
        QTest::addColumn<QByteArray>("path");
        QTest::newRow("empty") << QByteArray("");
        QTest::newRow("dot") << QByteArray(".");
        QTest::newRow("empty part") << QByteArray("/nowhere::/nowhere");
        QTest::newRow("trailing colon") << QByteArray("/nowhere:");
        QTest::newRow("relative part") << QByteArray("bin:../bin");
    }
    void theWorkingFolderIsNeverLookedIn()
    {
        QFETCH(QByteArray, path);
        QTemporaryDir folder;
        makeFile(folder.filePath(u"git"_s), true);
        QVERIFY(QDir(folder.path()).mkdir(u"bin"_s));
        makeFile(folder.filePath(u"bin/git"_s), true);
        QDir::setCurrent(folder.path());
        qputenv("PATH", path);
        QVERIFY(!lookUpProgram(u"git"_s));
    }

    void absolutePathsMustBePrograms()
    {
        QTemporaryDir folder;
        makeFile(folder.filePath(u"tool"_s), true);
        QCOMPARE(lookUpProgram(folder.filePath(u"./tool"_s)).value(), folder.filePath(u"tool"_s));
        makeFile(folder.filePath(u"text"_s), false);
        QCOMPARE(lookUpProgram(folder.filePath(u"text"_s)).error().kind, ErrorKind::NotFound);
        QCOMPARE(lookUpProgram(folder.path()).error().kind, ErrorKind::NotFound);
        QCOMPARE(lookUpProgram(u"/no/such/program"_s).error().kind, ErrorKind::NotFound);
        QVERIFY(lookUpProgram(u"/no/such/program"_s).error().message.contains(u"/no/such/program"_s));
    }

    void otherNamesAreRefused_data()
    {
        QTest::addColumn<QString>("name");
        QTest::newRow("empty") << QString();
        QTest::newRow("relative") << u"bin/tool"_s;
        QTest::newRow("dot") << u"./tool"_s;
        QTest::newRow("NUL") << (u"/bin/sh"_s + QChar(0));
    }
    void otherNamesAreRefused()
    {
        QFETCH(QString, name);
        QCOMPARE(lookUpProgram(name).error().kind, ErrorKind::InvalidInput);
    }

private:
    QByteArray m_path;
    QString m_folder;
};

QTEST_APPLESS_MAIN(ProgramLookupTest)
#include "program_lookup_test.moc"
