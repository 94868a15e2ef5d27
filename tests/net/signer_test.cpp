#include "core/net/signer.h"

#include <QTest>

using namespace redrive;

class SignerTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void publicVectors_data()
    {
        QTest::addColumn<QByteArray>("secret");
        QTest::addColumn<QByteArray>("id");
        QTest::addColumn<qint64>("seconds");
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<QByteArray>("signature");
        const auto row = [](const char* name, const char* secret, const char* id, qint64 seconds,
                            const char* body, const char* signature) {
            QTest::newRow(name) << QByteArray(secret) << QByteArray(id) << seconds << QByteArray(body)
                                << QByteArray(signature);
        };
        row("spec", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330,
            R"({"test": 2432232314})", "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
        row("library", "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD", "msg_27UH4WbU6Z5A5EzD8u03UvzRbpk",
            1649367553, R"({"email":"test@example.com","username":"test_user"})",
            "v1,tZ1I4/hDygAJgO5TYxiSd6Sd0kDW6hPenDe+bTa3Kkw=");
        row("short key", "whsec_plJ3nmyCDGBKInavdOK15jsl", "msg_loFOjxBNrRLzqYUf", 1731705121,
            R"({"event_type":"ping","data":{"success":true}})",
            "v1,rAvfW3dJ/X/qxhsaXPOyyCGmRKsaKWcsNccKXlIktD0=");
    }
    void publicVectors()
    {
        QFETCH(QByteArray, secret);
        QFETCH(QByteArray, id);
        QFETCH(qint64, seconds);
        QFETCH(QByteArray, body);
        const auto key = parseSigningSecret(secret);
        QVERIFY(key);
        QTEST(webhookSignature({*key}, id, seconds, body), "signature");
    }

    void severalKeysSignInTheirOrder()
    {
        const auto newer = parseSigningSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
        const auto older = parseSigningSecret("whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD");
        const QByteArray both = webhookSignature({*newer, *older}, "msg_1", 7, "{}");
        QCOMPARE(both, webhookSignature({*newer}, "msg_1", 7, "{}") + ' ' +
                           webhookSignature({*older}, "msg_1", 7, "{}"));
        QVERIFY(webhookSignature({}, "msg_1", 7, "{}").isEmpty());
    }

    void bytesAreSignedAsTheyAre()
    {
        const auto key = parseSigningSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
        QVERIFY(webhookSignature({*key}, "m", 1, "{}") != webhookSignature({*key}, "m", 1, "{}\n"));
        const QByteArray withNul("a\0b", 3);
        QVERIFY(webhookSignature({*key}, "m", 1, withNul) != webhookSignature({*key}, "m", 1, "a"));
    }

    void secretSizes_data()
    {
        QTest::addColumn<int>("bytes");
        QTest::addColumn<bool>("accepted");
        QTest::addColumn<bool>("isShort");
        QTest::newRow("15") << 15 << false << false;
        QTest::newRow("16") << 16 << true << true;
        QTest::newRow("23") << 23 << true << true;
        QTest::newRow("24") << 24 << true << false;
        QTest::newRow("64") << 64 << true << false;
        QTest::newRow("65") << 65 << false << false;
    }
    void secretSizes()
    {
        QFETCH(int, bytes);
        QFETCH(bool, accepted);
        const auto key = parseSigningSecret("whsec_" + QByteArray(bytes, 'k').toBase64());
        QCOMPARE(key.has_value(), accepted);
        if (key) {
            QCOMPARE(key->bytes, QByteArray(bytes, 'k'));
            QTEST(key->isShort(), "isShort");
        }
    }

    void unreadableSecretsAreRefusedWithoutRepeatingThem_data()
    {
        QTest::addColumn<QByteArray>("secret");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("no marker") << QByteArray("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
        QTest::newRow("other marker") << QByteArray("whpk_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
        QTest::newRow("marker alone") << QByteArray("whsec_");
        QTest::newRow("not base64") << QByteArray("whsec_MfKQ9r8GKYqrTwjU*D8ILPZIo2LaLaSw");
        QTest::newRow("too long") << "whsec_" + QByteArray(66, 'k').toBase64();
    }
    void unreadableSecretsAreRefusedWithoutRepeatingThem()
    {
        QFETCH(QByteArray, secret);
        const auto key = parseSigningSecret(secret);
        QVERIFY(!key);
        const QString core = QString::fromLatin1(secret.mid(6));
        QVERIFY(core.isEmpty() || !key.error().text().contains(core));
    }
};

QTEST_APPLESS_MAIN(SignerTest)
#include "signer_test.moc"
