// redrive secrets as real processes: what is kept is found by name, and shown by its fingerprint only.
#include "core/db/connection.h"
#include "core/net/signer.h"
#include "core/net/signing_secret.h"
#include "tests/app/program.h"

#include <QTest>

using namespace redrive;
using namespace redrive::test;

class SecretsCommandTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void makesListsAndRemoves()
    {
        const Program program;
        const Outcome made = program.run({u"secrets"_s, u"make"_s, u"ACME"_s});
        QVERIFY2(made.code == 0, qPrintable(made.err));
        const QByteArray secret = made.lines().value(0).toUtf8();
        QCOMPARE(parseSigningSecret(secret)->bytes.size(), 32);
        QVERIFY(!made.err.contains(QString::fromUtf8(secret)));
        QCOMPARE(program.run({u"secrets"_s, u"make"_s, u"ACME"_s}).code, 1);

        const Outcome listed = program.run({u"secrets"_s, u"--json"_s});
        QCOMPARE(listed.lines().size(), 1);
        QCOMPARE(listed.json().value(u"name"_s).toString(), u"ACME"_s);
        QCOMPARE(listed.json().value(u"fingerprint"_s).toString(), secretFingerprint(secret));
        QVERIFY(listed.json().value(u"inUse"_s).toBool());
        QVERIFY(!listed.out.contains(u"whsec_"_s));
        QCOMPARE(program.run({u"secrets"_s, u"remove"_s, u"ACME"_s}).code, 0);
        QCOMPARE(program.run({u"secrets"_s, u"remove"_s, u"ACME"_s}).code, 1);
        QVERIFY(program.run({u"secrets"_s, u"list"_s}).out.isEmpty());
    }

    void theConfigurationFindsThemLast()
    {
        const Program program;
        const QByteArray value = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
        program.write(u"wrangler.toml"_s, "[[redrive.endpoints]]\nid = \"a\"\nurl = \"http://127.0.0.1:9/\"\n"
                                          "secret = \"ACME\"\n");
        const Outcome missing = program.run({u"check"_s});
        QCOMPARE(missing.code, 1);
        QVERIFY2(missing.out.contains(u"redrive secrets"_s), qPrintable(missing.out));
        const Outcome put = program.run({u"secrets"_s, u"put"_s, u"ACME"_s}, value + "\n");
        QVERIFY2(put.code == 0, qPrintable(put.err));
        QVERIFY(!(put.out + put.err).contains(QString::fromUtf8(value)));
        QCOMPARE(program.run({u"check"_s}).code, 0);

        program.write(u".dev.vars"_s, "ACME=\"whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD\"\n");
        QVERIFY(!program.run({u"secrets"_s, u"--json"_s}).json().value(u"inUse"_s).toBool());
        QVERIFY(program.run({u"secrets"_s}).out.contains(u".dev.vars has another"_s));
    }

    void aFileThatOthersMayReadIsNotUsed()
    {
        const Program program;
        QCOMPARE(program.run({u"secrets"_s, u"put"_s, u"ACME"_s}, "hunter2hunter2").code, 0);
        const QString file = program.path(u"data/secrets"_s);
        QVERIFY(QFile::setPermissions(file, QFile::ReadOwner | QFile::WriteOwner | QFile::ReadOther));
        const Outcome listed = program.run({u"secrets"_s});
        QCOMPARE(listed.code, 1);
        QVERIFY2(listed.err.contains(u"chmod 600"_s), qPrintable(listed.err));
        const Outcome checked = program.run({u"check"_s});
        QCOMPARE(checked.code, 0);
        QVERIFY2(checked.out.contains(u"chmod 600"_s), qPrintable(checked.out));
    }

    void aChangeSaysWhoMadeItAndWhy()
    {
        const Program program;
        QCOMPARE(program.run({u"enqueue"_s, u"mail"_s}).code, 0); // there is a database
        const Outcome made =
            program.run({u"secrets"_s, u"make"_s, u"ACME"_s, u"--reason"_s, u"a new partner"_s});
        QVERIFY2(made.code == 0, qPrintable(made.err));
        QVERIFY2(made.err.contains(u"\"secret_changed\""_s) && made.err.contains(u"\"a new partner\""_s),
                 qPrintable(made.err));
        QVERIFY(!made.err.contains(u"whsec_"_s));
        QCOMPARE(program.run({u"secrets"_s, u"put"_s, u"B"_s}, "hunter2hunter2").code, 0);
        program.write(u"wrangler.toml"_s, "[[redrive.endpoints]]\nid = \"a\"\nurl = \"http://127.0.0.1:9/\"\n"
                                          "secret = \"ACME\"\n");
        QCOMPARE(program.run({u"secrets"_s, u"remove"_s, u"ACME"_s, u"--reason"_s, u"it left"_s}).code, 0);
        QCOMPARE(program.run({u"secrets"_s, u"remove"_s, u"ACME"_s, u"--reason"_s, u"again"_s}).code, 1);
        const auto db = Connection::open({program.database()}, Access::Reader);
        auto query =
            (*db)->dynamicQuery(u"SELECT verb || ' ' || target || ' ' || source || ' ' || "
                                "COALESCE(reason, '-') || ' ' || (actor <> '') FROM audit ORDER BY no"_s);
        QStringList rows;
        while (query.next())
            rows.append(query.text(0));
        QCOMPARE(rows, (QStringList{u"secret-make ACME command line a new partner 1"_s,
                                    u"secret-put B command line - 1"_s,
                                    u"secret-remove ACME command line it left 1"_s}));
    }

    void aValueThatIsTooLongIsRefused()
    {
        const Program program;
        const Outcome little = program.run({u"secrets"_s, u"put"_s, u"A"_s}, QByteArray(10'001, 'x'));
        QVERIFY2(little.code == 1 && little.err.contains(u"at most 10000 bytes, not 10001"_s),
                 qPrintable(little.err));
        const Outcome much = program.run({u"secrets"_s, u"put"_s, u"A"_s}, QByteArray(50'000, 'x'));
        QVERIFY2(much.code == 1 && much.err.contains(u"has more than"_s), qPrintable(much.err));
        QVERIFY(program.run({u"secrets"_s}).out.isEmpty());
    }

    void wordsThatAreNotUnderstood_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::newRow("no name") << QStringList{u"make"_s};
        QTest::newRow("name of a list") << QStringList{u"list"_s, u"A"_s};
        QTest::newRow("unknown") << QStringList{u"show"_s, u"A"_s};
        QTest::newRow("a value as an argument") << QStringList{u"put"_s, u"A"_s, u"value"_s};
    }
    void wordsThatAreNotUnderstood()
    {
        QFETCH(QStringList, words);
        const Program program;
        QCOMPARE(program.run(QStringList{u"secrets"_s} + words).code, 2);
    }
};

QTEST_GUILESS_MAIN(SecretsCommandTest)
#include "secrets_command_test.moc"
