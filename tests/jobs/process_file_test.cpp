#include "core/jobs/beneath_open.h"
#include "core/jobs/process_file_handler.h"

#include <QCryptographicHash>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <thread>

#include <sys/stat.h>
#include <unistd.h>

using namespace redrive;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr char kRefused[] = "The file is outside the allowed folders or is not a regular file.";

void write(const QString& path, const QByteArray& content)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
        qFatal("cannot write %s", qPrintable(path));
}

} // namespace

class ProcessFileTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    QString m_root = m_folder.filePath(u"in"_s);
    QString m_outside = m_folder.filePath(u"outside.txt"_s);

    Settings settings() const
    {
        Settings settings;
        settings.processFileRoots = {m_root};
        settings.commands = {{u"count"_s, {u"/usr/bin/wc"_s, u"-c"_s}},
                             {u"show"_s, {u"/bin/sh"_s, u"-c"_s, u"cat; printf '|%s' \"$@\""_s, u"show"_s}}};
        return settings;
    }

    HandlerOutcome run(const QJsonObject& payload, bool stopped = false) const
    {
        ClaimedJob job;
        job.id = u"j"_s;
        job.payload = QJsonDocument(payload).toJson();
        StopSignal stop;
        stop.requested = stopped;
        return ProcessFileHandler(settings()).run(job, stop);
    }

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(QDir().mkpath(m_root + u"/deep"_s));
        write(m_root + u"/deep/a b.txt"_s, "hello");
        write(m_outside, "secret");
        QVERIFY(QFile::link(m_outside, m_root + u"/link-out"_s));
        QVERIFY(QFile::link(m_root + u"/deep/a b.txt"_s, m_root + u"/link-in"_s));
        QVERIFY(QFile::link(m_folder.path(), m_root + u"/up"_s));
        QCOMPARE(::mkfifo(QFile::encodeName(m_root + u"/pipe"_s).constData(), 0600), 0);
    }

    void sizeHashAndTypeAreTheResult_data()
    {
        QTest::addColumn<bool>("absolute");
        QTest::newRow("absolute") << true;
        QTest::newRow("relative") << false;
    }
    void sizeHashAndTypeAreTheResult()
    {
        QFETCH(bool, absolute);
        const QString path = (absolute ? m_root + u'/' : QString()) + u"deep/a b.txt"_s;
        const HandlerOutcome outcome = run({{u"path"_s, path}});
        QCOMPARE(outcome.result, HandlerResult::Done);
        const QJsonObject result = QJsonDocument::fromJson(outcome.content).object();
        QCOMPARE(result[u"path"_s].toString(), path);
        QCOMPARE(result[u"size"_s].toInt(), 5);
        QCOMPARE(result[u"sha256"_s].toString(),
                 QString::fromLatin1(QCryptographicHash::hash("hello", QCryptographicHash::Sha256).toHex()));
        QCOMPARE(result[u"mimeType"_s].toString(), u"text/plain"_s);
    }

    void aProgramGetsTheFileAndItsName()
    {
        const QString path = m_root + u"/deep/a b.txt"_s;
        const HandlerOutcome outcome = run({{u"path"_s, path}, {u"command"_s, u"show"_s}});
        QCOMPARE(outcome.result, HandlerResult::Done);
        QCOMPARE(outcome.content, "hello|--|" + path.toUtf8());
    }

    void badPayloadsAreRefused_data()
    {
        QTest::addColumn<QJsonObject>("payload");
        QTest::newRow("no path") << QJsonObject{};
        QTest::newRow("path of another kind") << QJsonObject{{u"path"_s, QJsonArray{1}}};
        QTest::newRow("unknown command")
            << QJsonObject{{u"path"_s, u"deep/a b.txt"_s}, {u"command"_s, u"rm"_s}};
        QTest::newRow("command of another kind")
            << QJsonObject{{u"path"_s, u"deep/a b.txt"_s}, {u"command"_s, QJsonArray{u"/bin/rm"_s}}};
    }
    void badPayloadsAreRefused()
    {
        QFETCH(QJsonObject, payload);
        QCOMPARE(run(payload).result, HandlerResult::Permanent);
    }

    void whatLiesOutsideIsRefusedQuickly_data()
    {
        QTest::addColumn<QString>("path");
        for (const QString& path : {u"../outside.txt"_s,
                                    m_root + u"/../outside.txt"_s,
                                    u"../../etc/passwd"_s,
                                    u"/etc/passwd"_s,
                                    u"/proc/self/environ"_s,
                                    u"/dev/zero"_s,
                                    u"link-out"_s,
                                    u"link-in"_s,
                                    u"up/outside.txt"_s,
                                    u"pipe"_s,
                                    u"deep"_s,
                                    u"."_s,
                                    m_root,
                                    m_root + u"x/y"_s,
                                    u":/icons/x"_s,
                                    u"qrc:/icons/x"_s,
                                    u"a\0.txt"_s,
                                    QString(4096, u'a'),
                                    QString(300, u'a'),
                                    u""_s,
                                    u"deep/a b.txt/more"_s})
            QTest::newRow(qPrintable(path.left(60).replace(QChar::Null, u'0'))) << path;
    }
    void whatLiesOutsideIsRefusedQuickly()
    {
        QFETCH(QString, path);
        QElapsedTimer timer;
        timer.start();
        const auto opened = openBeneath({m_root}, path);
        QVERIFY(!opened);
        QCOMPARE(opened.error().text(), QString::fromLatin1(kRefused));
        if (!path.isEmpty() && !path.contains(QChar::Null)) {
            const HandlerOutcome outcome = run({{u"path"_s, path}});
            QCOMPARE(outcome.result, HandlerResult::Permanent);
            QCOMPARE(outcome.error, QString::fromLatin1(kRefused));
        }
        QVERIFY(timer.elapsed() < 100);
    }

    void aFileThatIsNotThereYetIsTriedAgain()
    {
        QCOMPARE(run({{u"path"_s, u"deep/later.txt"_s}}).result, HandlerResult::Transient);
    }

    void aStopEndsIt()
    {
        QCOMPARE(run({{u"path"_s, u"deep/a b.txt"_s}}, true).result, HandlerResult::Cancelled);
    }

    // A name that is a file and a link out of the folder in turn is never opened as the link.
    void aSwappedLinkIsNeverFollowed()
    {
        const QString name = m_root + u"/swapped"_s;
        const QByteArray encoded = QFile::encodeName(name);
        const QByteArray file = encoded + ".file";
        const QByteArray link = encoded + ".link";
        std::atomic<bool> enough = false;
        std::thread swapper([&] {
            while (!enough) {
                write(QFile::decodeName(file), "inside");
                ::rename(file.constData(), encoded.constData());
                if (::symlink(QFile::encodeName(m_outside).constData(), link.constData()) == 0)
                    ::rename(link.constData(), encoded.constData());
            }
        });
        int openedTimes = 0;
        int refusedTimes = 0;
        bool wrong = false;
        for (int i = 0; i < 10'000 || ((openedTimes == 0 || refusedTimes == 0) && i < 1'000'000); ++i) {
            const auto opened = openBeneath({m_root}, u"swapped"_s);
            if (!opened) {
                refusedTimes += opened.error().kind == ErrorKind::Refused ? 1 : 0;
                continue;
            }
            ++openedTimes;
            char content[16] = {};
            const ssize_t count = ::read(opened->file.get(), content, sizeof content);
            wrong |= QByteArrayView(content, std::max<ssize_t>(count, 0)) != "inside";
        }
        enough = true;
        swapper.join();
        QVERIFY(!wrong);
        QVERIFY(openedTimes > 0);
        QVERIFY(refusedTimes > 0);
    }
};

QTEST_GUILESS_MAIN(ProcessFileTest)
#include "process_file_test.moc"
