#include "ui/dialogs/verify_dialog.h"

#include "app/signature_desk.h"
#include "app/verifier.h"
#include "core/net/signer.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTest>
#include <QThreadPool>

#include <atomic>

using namespace redrive;

namespace {

constexpr qint64 kNow = 1'614'265'330;
constexpr char kSecret[] = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
constexpr char kOther[] = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";

QString pasted(const QByteArray& secret, const QByteArray& signedBody, const QByteArray& body)
{
    const QByteArray signature = webhookSignature({*parseSigningSecret(secret)}, "msg_1", kNow, signedBody);
    return QString::fromUtf8("POST /hooks HTTP/1.1\nwebhook-id: msg_1\nwebhook-timestamp: 1614265330\n"
                             "webhook-signature: " +
                             signature + "\n\n" + body);
}

} // namespace

class VerifyDialogTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<VerifyDialog> m_dialog;

    QString verdictOf(const QString& request, int secretIndex = 0)
    {
        m_dialog->request()->setPlainText(request);
        m_dialog->secret()->setCurrentIndex(secretIndex);
        m_dialog->verify();
        return m_dialog->verdict();
    }

private Q_SLOTS:
    void init()
    {
        const QHash<QString, QByteArray> secrets{
            {u"ACME"_s, kSecret}, {u"OTHER"_s, kOther}, {u"PASSWORD"_s, "hunter2"}};
        m_dialog = std::make_unique<VerifyDialog>(
            [secrets](const SignatureQuestion& question, const VerifyDialog::Said& said) {
                said(answerSignature(question, secrets, kNow));
            });
        m_dialog->setNames(signingSecretNames(secrets));
        m_dialog->setAttribute(Qt::WA_DeleteOnClose, false);
        m_dialog->show();
    }
    void cleanup() { m_dialog.reset(); }

    void saysWhichSecretFits()
    {
        QCOMPARE(m_dialog->secret()->count(), 4); // all, ACME, OTHER, typed
        QVERIFY(verdictOf(pasted(kSecret, "{}", "{}")).contains(u"The key ACME fits"_s));
        QVERIFY(verdictOf(pasted(kSecret, "{}", "{}"), 2).contains(u"ACME, which is not the one expected"_s));
        QVERIFY(verdictOf(pasted(kSecret, "{}", "{ }")).contains(u"parsed and written again"_s));
        QVERIFY(verdictOf(u"hello"_s).contains(u"no header field"_s));
    }

    void lineEndsThatPastingChangedAreNoFault()
    {
        QVERIFY(verdictOf(pasted(kSecret, "{\r\n}", "{\r\n}")).contains(u"The key ACME fits"_s));
    }

    void aTypedSecretIsHiddenAndUsed()
    {
        QPushButton* verify = nullptr;
        for (QPushButton* button : m_dialog->findChildren<QPushButton*>())
            if (button->isDefault())
                verify = button;
        QVERIFY(verify);
        QVERIFY(!verify->isEnabled());
        QVERIFY(!m_dialog->typed()->isVisible());
        m_dialog->request()->setPlainText(pasted("whsec_cmVkcml2ZS1leGFtcGxlLWtleS0wMDAwMDAw", "{}", "{}"));
        QVERIFY(verify->isEnabled());
        m_dialog->secret()->setCurrentIndex(3);
        QVERIFY(m_dialog->typed()->isVisible());
        QVERIFY(!verify->isEnabled());
        QCOMPARE(m_dialog->typed()->echoMode(), QLineEdit::Password);
        QTest::keyClicks(m_dialog->typed(), u"whsec_cmVkcml2ZS1leGFtcGxlLWtleS0wMDAwMDAw"_s);
        QTest::mouseClick(verify, Qt::LeftButton);
        QVERIFY2(m_dialog->verdict().contains(u"The key typed here fits"_s), qPrintable(m_dialog->verdict()));
        m_dialog->request()->setPlainText(u"x"_s);
        QCOMPARE(m_dialog->verdict(), QString());
    }

    void secretsAreReadWhenItIsAsked()
    {
        QWidget window;
        std::atomic<bool> isKept = false;
        std::atomic<bool> windowRead = false;
        openVerifier(&window, [&isKept, &windowRead, windowThread = QThread::currentThread()] {
            windowRead = windowRead || QThread::currentThread() == windowThread;
            return isKept ? QHash<QString, QByteArray>{{u"MADE_SINCE"_s, kSecret}}
                          : QHash<QString, QByteArray>();
        });
        auto* dialog = window.findChild<VerifyDialog*>();
        QVERIFY(dialog && dialog->isVisible());
        QVERIFY(!dialog->isModal());
        QTRY_VERIFY(dialog->typed()->isVisible()); // no secret is known yet
        isKept = true;
        dialog->secret()->setCurrentIndex(0);
        dialog->request()->setPlainText(pasted(kSecret, "{}", "{}"));
        dialog->verify();
        QTRY_VERIFY(!dialog->verdict().isEmpty());
        QVERIFY2(dialog->verdict().contains(u"MADE_SINCE"_s), qPrintable(dialog->verdict()));
        QVERIFY(!windowRead);
        QThreadPool::globalInstance()->waitForDone();
    }

    void anAnswerToAnEarlierQuestionIsDropped()
    {
        VerifyDialog::Said late;
        VerifyDialog dialog(
            [&late](const SignatureQuestion&, const VerifyDialog::Said& said) { late = said; });
        dialog.setAttribute(Qt::WA_DeleteOnClose, false);
        dialog.request()->setPlainText(u"a"_s);
        dialog.verify();
        dialog.request()->setPlainText(u"b"_s);
        late({true, u"fits"_s});
        QCOMPARE(dialog.verdict(), QString());
    }

    void hostileTextIsShownAsItIs()
    {
        QString request = pasted(kSecret, "{}", "{}");
        request.replace(u"v1,"_s, u"<b>x</b>,"_s);
        verdictOf(request);
        for (const QLabel* label : m_dialog->findChildren<QLabel*>())
            QCOMPARE(label->textFormat(), Qt::PlainText);
    }
};

QTEST_MAIN(VerifyDialogTest)
#include "verify_dialog_test.moc"
