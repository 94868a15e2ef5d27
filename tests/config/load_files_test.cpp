#include "core/base/result.h"
#include "core/config/load_settings.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

using namespace redrive;

class LoadFilesTest : public QObject
{
    Q_OBJECT
private:
    std::unique_ptr<QTemporaryDir> m_folder;

    QString path(const QString& name) const { return m_folder->filePath(name); }

    void write(const QString& name, const QByteArray& text)
    {
        QDir().mkpath(QFileInfo(path(name)).absolutePath());
        QFile file(path(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(text), text.size());
    }

    LoadResult load(const QString& file = {}, const QString& environment = {},
                    const ProcessEnvironment& process = {})
    {
        return loadSettings({file, environment, m_folder->path(), process});
    }

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void builtInDefaultWithoutFiles()
    {
        write(u".dev.vars"_s, "A=1\n");
        const LoadResult result = load();
        QVERIFY(result.ok);
        QCOMPARE(result.settings.jobsQueue, u"jobs"_s);
        QCOMPARE(result.settings.sourceFile, QString());
        QVERIFY(result.settings.secrets.isEmpty());
    }

    void findsTheFileInOrder()
    {
        const auto queue = [&] { return load().settings.jobsQueue; };
        write(u"wrangler.toml"_s, "queues.producers = [{ binding = \"A\", queue = \"toml\" }]\n");
        QCOMPARE(queue(), u"toml"_s);
        write(u"wrangler.json"_s,
              "{\"queues\": {\"producers\": [{ \"binding\": \"A\", \"queue\": \"json\" },]}} // JSONC");
        QCOMPARE(queue(), u"json"_s);
        write(u"wrangler.jsonc"_s,
              "{\"queues\": {\"producers\": [{ \"binding\": \"A\", \"queue\": \"jsonc\" }]}}");
        QCOMPARE(queue(), u"jsonc"_s);
        QCOMPARE(load().settings.sourceFile, path(u"wrangler.jsonc"_s));
        QCOMPARE(load().settings.redriveFile, path(u"wrangler.jsonc"_s));
        write(u"redrive.toml"_s, "workers = 3\n");
        QCOMPARE(load().settings.sourceFile, path(u"wrangler.jsonc"_s));
        QCOMPARE(load().settings.redriveFile, path(u"redrive.toml"_s));
        QVERIFY(QFile::remove(path(u"redrive.toml"_s)));
        QCOMPARE(load(u"wrangler.toml"_s).settings.jobsQueue, u"toml"_s);
    }

    void pathsBeginAtTheConfiguration()
    {
        write(u"sub/my.toml"_s, "[[d1_databases]]\nbinding = \"DB\"\n[redrive]\ndatabase = "
                                "\"x.db\"\nprocess_file.roots = [\"in\"]\n"
                                "queues.nobody = {}\n");
        const LoadResult result = load(u"sub/my.toml"_s);
        QCOMPARE(result.settings.databases[0].migrationsDir, path(u"sub/migrations"_s));
        QCOMPARE(result.settings.database, path(u"sub/x.db"_s));
        QCOMPARE(result.settings.processFileRoots, QStringList{path(u"sub/in"_s)});
        QVERIFY(result.text().contains(u"sub/my.toml:6:8: warning: redrive.queues.nobody: "_s));
    }

    void readsTheFilesBeside()
    {
        write(u"sub/wrangler.toml"_s, "name = \"x\"\n[env.dev]\n[env.live]\n");
        write(u"sub/redrive.toml"_s, "[redrive]\nintake_token = \"T\"\nwrong = 1\n");
        write(u"sub/.dev.vars"_s, "T=\"one\"\nbroken\n");
        write(u"sub/.dev.vars.live"_s, "T=\"two\"\n");
        const LoadResult top = load(u"sub/wrangler.toml"_s);
        QVERIFY2(top.ok, qPrintable(top.text()));
        QCOMPARE(top.settings.secrets.value(u"T"_s), QByteArray("one"));
        QVERIFY(top.text().contains(u"sub/redrive.toml:3:1: warning: "_s));
        QVERIFY(top.text().contains(u"sub/.dev.vars:2:1: warning: "_s));
        QCOMPARE(load(u"sub/wrangler.toml"_s, u"dev"_s).settings.secrets.value(u"T"_s), QByteArray("one"));
        QCOMPARE(load(u"sub/wrangler.toml"_s, u"live"_s).settings.secrets.value(u"T"_s), QByteArray("two"));
        const ProcessEnvironment process{{u"CLOUDFLARE_ENV"_s, "live"}};
        QCOMPARE(load(u"sub/wrangler.toml"_s, {}, process).settings.secrets.value(u"T"_s), QByteArray("two"));
        QVERIFY(!load(u"sub/wrangler.toml"_s, u"../live"_s).ok);
    }

    void redriveTomlAloneChangesTheDefault()
    {
        write(u"redrive.toml"_s, "workers = 3\nintake_token = \"T\"\n");
        write(u".dev.vars"_s, "T=\"one\"\n");
        const LoadResult result = load();
        QVERIFY2(result.ok, qPrintable(result.text()));
        QCOMPARE(result.settings.workers, 3);
        QCOMPARE(result.settings.sourceFile, path(u"redrive.toml"_s));
    }

    void redriveTomlAsTheConfigurationIsReadOnce()
    {
        write(u"redrive.toml"_s, "[redrive]\nworkers = 3\n");
        const LoadResult result = load(u"redrive.toml"_s);
        QVERIFY2(result.ok, qPrintable(result.text()));
        QCOMPARE(result.settings.workers, 3);
    }

    void refusesWhatCannotBeRead()
    {
        QCOMPARE(load(u"no/such.toml"_s).text(),
                 u"no/such.toml: error: cannot be read: No such file or directory"_s);
        write(u"wrangler.toml/x"_s, {});
        QVERIFY(load().text().endsWith(u"wrangler.toml: error: is a folder, not a configuration file"_s));
        QVERIFY(!load().ok);
        QVERIFY(!load(u"/dev/zero"_s).ok);
        QVERIFY(load(u"/dev/zero"_s).text().contains(u"is larger than 1 MiB"_s));
        QVERIFY(load(u"/dev/null"_s).text().contains(u"is empty"_s));
    }

    void anUnreadableFileBesideIsAnError()
    {
        write(u"wrangler.toml"_s, "name = \"x\"\n");
        write(u".dev.vars/x"_s, {});
        const LoadResult result = load();
        QVERIFY(!result.ok);
        QVERIFY(result.text().contains(u".dev.vars: error: is a folder"_s));
    }

    void formatOfANamelessFileIsSeen()
    {
        write(u"config"_s, "  {\"redrive\": {\"workers\": 2}}");
        QCOMPARE(load(u"config"_s).settings.workers, 2);
        write(u"config"_s, "redrive.workers = 3\n");
        QCOMPARE(load(u"config"_s).settings.workers, 3);
    }

    void currentEnvironmentIsThis()
    {
        qputenv("REDRIVE_TEST_VALUE", "a=b");
        QCOMPARE(currentEnvironment().value(u"REDRIVE_TEST_VALUE"_s), QByteArray("a=b"));
        QVERIFY(currentEnvironment().contains(u"PATH"_s));
    }
};

QTEST_APPLESS_MAIN(LoadFilesTest)
#include "load_files_test.moc"
