#include "core/base/file_lock.h"
#include "core/config/load_settings.h"
#include "core/config/secret_file.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>
#include <unistd.h>

using namespace redrive;

class SecretFileTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;

    QString path() const { return m_folder->filePath(u"data/secrets"_s); }
    int modeOf(const QString& file) const
    {
        struct stat facts = {};
        return ::stat(QFile::encodeName(file).constData(), &facts) == 0 ? int(facts.st_mode & 0777) : -1;
    }

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void keepsWhatIsPut()
    {
        SecretFile store(path());
        QCOMPARE(store.names()->size(), 0);
        const QByteArray odd = "a\"b\\c\nd\re\tf = # \xC3\xA9 '";
        QVERIFY(store.put(u"ODD"_s, odd));
        QVERIFY(store.put(u"ACME"_s, "whsec_1"));
        QVERIFY(store.put(u"ACME"_s, "whsec_2"));
        const SecretFile other(path());
        QCOMPARE(*other.names(), (QStringList{u"ACME"_s, u"ODD"_s}));
        QCOMPARE(*other.get(u"ACME"_s), QByteArray("whsec_2"));
        QCOMPARE(*other.get(u"ODD"_s), odd);
        QVERIFY(store.remove(u"ACME"_s));
        QCOMPARE(other.get(u"ACME"_s).error().kind, ErrorKind::NotFound);
        QCOMPARE(store.remove(u"ACME"_s).error().kind, ErrorKind::NotFound);
        QCOMPARE(*other.names(), QStringList{u"ODD"_s});
    }

    void onlyTheOwnerMayReadIt()
    {
        const mode_t before = ::umask(0);
        SecretFile store(path());
        const bool put = store.put(u"ACME"_s, "whsec_1").has_value();
        ::umask(before);
        QVERIFY(put);
        QCOMPARE(modeOf(path()), 0600);
        QCOMPARE(modeOf(m_folder->filePath(u"data"_s)), 0700);

        ::chmod(QFile::encodeName(path()).constData(), 0640);
        const auto read = store.get(u"ACME"_s);
        QCOMPARE(read.error().kind, ErrorKind::Refused);
        QVERIFY2(read.error().message.contains(u"chmod 600"_s), qPrintable(read.error().message));
        QCOMPARE(store.put(u"OTHER"_s, "x").error().kind, ErrorKind::Refused);
        QCOMPARE(store.remove(u"ACME"_s).error().kind, ErrorKind::Refused);
        ::chmod(QFile::encodeName(path()).constData(), 0600);
        QCOMPARE(*store.names(), QStringList{u"ACME"_s});
    }

    void linksAreNotFollowed()
    {
        SecretFile real(m_folder->filePath(u"real"_s));
        QVERIFY(real.put(u"ACME"_s, "whsec_1"));
        QVERIFY(QFile::link(m_folder->filePath(u"real"_s), m_folder->filePath(u"link"_s)));
        QCOMPARE(SecretFile(m_folder->filePath(u"link"_s)).names().error().kind, ErrorKind::Refused);
        QCOMPARE(SecretFile(m_folder->path()).names().error().kind, ErrorKind::Refused);
    }

    void twoDoNotChangeItAtOnce()
    {
        SecretFile store(path());
        QVERIFY(store.put(u"A"_s, "1"));
        const auto lock = FileLock::tryLock(path() + u".lock"_s);
        QVERIFY(lock);
        QCOMPARE(store.put(u"B"_s, "2").error().kind, ErrorKind::Busy);
        QCOMPARE(*store.get(u"A"_s), QByteArray("1"));
    }

    void whatADeadProcessLeftDoesNoHarm()
    {
        SecretFile store(path());
        QVERIFY(store.put(u"A"_s, "1"));
        QFile left(path() + u".new"_s);
        QVERIFY(left.open(QIODevice::WriteOnly) && left.write("half") == 4);
        left.close();
        QVERIFY(store.put(u"B"_s, "2"));
        QCOMPARE(modeOf(path()), 0600);
        QCOMPARE(store.names()->size(), 2);
    }

    void refusesWhatIsNoSecret_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("value");
        QTest::newRow("empty") << u"A"_s << QByteArray();
        QTest::newRow("long") << u"A"_s << QByteArray(kMostSecretBytes + 1, 'x');
        QTest::newRow("NUL") << u"A"_s << QByteArray("a\0b", 3);
        QTest::newRow("no name") << QString() << QByteArray("x");
        QTest::newRow("line end") << u"A\nB"_s << QByteArray("x");
        QTest::newRow("the secret as its name") << u"whsec_abc"_s << QByteArray("x");
    }
    void refusesWhatIsNoSecret()
    {
        QFETCH(QString, name);
        QFETCH(QByteArray, value);
        QCOMPARE(SecretFile(path()).put(name, value).error().kind, ErrorKind::InvalidInput);
        QVERIFY(!QFile::exists(path()));
    }

    void aSpoiltFileSaysWhereWithoutRepeatingIt()
    {
        SecretFile store(path());
        QVERIFY(store.put(u"A"_s, "1"));
        QFile file(path());
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("A=\"1\"\nhunter2\n") > 0);
        file.close();
        const auto names = store.names();
        QCOMPARE(names.error().kind, ErrorKind::Corrupt);
        QVERIFY(names.error().text().contains(u":2:"_s) && !names.error().text().contains(u"hunter2"_s));
    }

    void environmentAndDevVarsComeFirst()
    {
        TextRequest request;
        request.kept = {{{u"A"_s, "kept"}, {u"B"_s, "kept"}, {u"C"_s, "kept"}}, u"there"_s, {}};
        request.devVars = SourceFile{u".dev.vars"_s, "A=vars\nB=vars\n"};
        request.processEnvironment = {{u"A"_s, "environment"}};
        const LoadResult loaded = loadSettingsFromText(request);
        QVERIFY2(loaded.ok, qPrintable(loaded.text()));
        QCOMPARE(loaded.settings.secrets.value(u"A"_s), QByteArray("environment"));
        QCOMPARE(loaded.settings.secrets.value(u"B"_s), QByteArray("vars"));
        QCOMPARE(loaded.settings.secrets.value(u"C"_s), QByteArray("kept"));
    }

    void whatCannotBeReadIsAWarning()
    {
        TextRequest request;
        request.kept = {{}, u"the file x"_s, u"others may read it"_s};
        const LoadResult loaded = loadSettingsFromText(request);
        QVERIFY(loaded.ok);
        QVERIFY2(loaded.text().contains(u"others may read it"_s), qPrintable(loaded.text()));
    }
};

QTEST_APPLESS_MAIN(SecretFileTest)
#include "secret_file_test.moc"
