// Says which secret signed a webhook that somebody pastes, or what is wrong with it. What is typed as a
// secret stays in its field and is gone with the dialog. Not modal; deletes itself. Window thread.
#pragma once

#include "core/domain/signature_question.h"

#include <QDialog>

#include <functional>

class QComboBox;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QVBoxLayout;

namespace redrive {

class PlainLabel;

class VerifyDialog final : public QDialog
{
    Q_OBJECT
public:
    using Verifier = std::function<SignatureAnswer(const SignatureQuestion&)>;

    // `names`: of the secrets that are known.
    VerifyDialog(const QStringList& names, Verifier verifier, QWidget* parent = nullptr);

    QPlainTextEdit* request() const { return m_request; }
    QComboBox* secret() const { return m_secret; }
    QLineEdit* typed() const { return m_typed; }
    QString verdict() const;
    void verify();

private:
    void buildRequest(QVBoxLayout* column);
    void buildSecret(QVBoxLayout* column, const QStringList& names);
    void buildFoot(QVBoxLayout* column);
    void judge();
    SignatureQuestion question() const;

    const Verifier m_verifier;
    QPlainTextEdit* m_request = nullptr;
    QComboBox* m_secret = nullptr;
    QLineEdit* m_typed = nullptr;
    PlainLabel* m_verdict = nullptr;
    QPushButton* m_verify = nullptr;
};

} // namespace redrive
