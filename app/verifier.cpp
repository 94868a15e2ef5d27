#include "app/verifier.h"

#include "app/signature_desk.h"
#include "core/base/clock.h"
#include "ui/dialogs/verify_dialog.h"

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>

namespace redrive {

namespace {

// What `work` returns is handed over to `then` on the window thread.
template <typename Work, typename Then>
void inPool(Work work, Then then)
{
    QThreadPool::globalInstance()->start([work = std::move(work), then = std::move(then)] {
        QMetaObject::invokeMethod(
            QCoreApplication::instance(), [then, result = work()] { then(result); }, Qt::QueuedConnection);
    });
}

} // namespace

void openVerifier(QWidget* window, std::function<QHash<QString, QByteArray>()> secrets)
{
    const auto verify = [secrets](const SignatureQuestion& question, const VerifyDialog::Said& said) {
        inPool([secrets,
                question] { return answerSignature(question, secrets(), SystemClock().wallMs() / 1000); },
               said);
    };
    auto* dialog = new VerifyDialog(verify, window);
    inPool([secrets] { return signingSecretNames(secrets()); },
           [dialog = QPointer(dialog)](const QStringList& names) {
               if (dialog)
                   dialog->setNames(names);
           });
    dialog->show();
}

} // namespace redrive
