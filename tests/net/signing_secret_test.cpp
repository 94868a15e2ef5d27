#include "core/net/signing_secret.h"

#include "core/net/signer.h"

#include <QSet>
#include <QTest>

using namespace redrive;

class SigningSecretTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void eachIsNewAndCanSign()
    {
        QSet<QByteArray> seen;
        for (int i = 0; i < 100; ++i) {
            const QByteArray secret = makeSigningSecret();
            const auto key = parseSigningSecret(secret);
            QVERIFY(key);
            QCOMPARE(key->bytes.size(), 32);
            QVERIFY(!seen.contains(secret));
            seen.insert(secret);
        }
    }

    void fingerprintsStandForSecretsWithoutHoldingThem()
    {
        const QByteArray secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
        const QString print = secretFingerprint(secret);
        QCOMPARE(print.size(), 8);
        QCOMPARE(secretFingerprint(secret + '\n'), print);
        QVERIFY(secretFingerprint("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSx") != print);
        QVERIFY(!secret.contains(print.toLatin1()));
    }
};

QTEST_APPLESS_MAIN(SigningSecretTest)
#include "signing_secret_test.moc"
