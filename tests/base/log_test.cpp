#include "core/base/log.h"

#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

using namespace redrive;

class LogTest : public QObject
{
    Q_OBJECT
    QTemporaryDir m_dir;

    QByteArray written(const QString& value)
    {
        const QString path = m_dir.filePath(QStringLiteral("log"));
        QFile::remove(path);
        if (!setLogFile(path))
            return {};
        logEvent(LogLevel::Warning, "test", {{"name", value}});
        setLogFile({});
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

private Q_SLOTS:
    void writesOneLineWhateverTheTextHolds()
    {
        const QByteArray line = written(QStringLiteral("x\n2030-01-01 CRITICAL \u001b[31m\u2028\u202e\"\\"));
        QCOMPARE(line.count('\n'), 1);
        QVERIFY(line.contains("x\\u000a2030"));
        QVERIFY(!line.contains('\x1b'));
        QVERIFY(!line.contains("\u2028"));
    }

    void cutsLongEntries()
    {
        const QByteArray line = written(QString(100'000, u'y'));
        QVERIFY(line.size() <= 8 * 1024 + 4);
        QVERIFY(line.endsWith("}\n"));
    }

    void aFullFileMakesRoomForTheNext()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("full.log"));
        QFile before(path);
        QVERIFY(before.open(QIODevice::WriteOnly));
        QVERIFY(before.resize(kMaxLogFileBytes - 10));
        before.close();
        QVERIFY(setLogFile(path));
        logEvent(LogLevel::Info, "the_last_of_the_old");
        logEvent(LogLevel::Info, "the_first_of_the_new");
        setLogFile({});
        QVERIFY(QFileInfo(path + ".1").size() > kMaxLogFileBytes);
        QFile after(path);
        QVERIFY(after.open(QIODevice::ReadOnly));
        const QByteArray entries = after.readAll();
        QCOMPARE(entries.count('\n'), 1);
        QVERIFY(entries.contains("the_first_of_the_new"));
    }

    void masksSecrets()
    {
        maskInLog(QStringLiteral("CANARY-7f31"));
        QVERIFY(!written(QStringLiteral("Bearer CANARY-7f31 sent")).contains("CANARY"));
    }
};

QTEST_APPLESS_MAIN(LogTest)
#include "log_test.moc"
