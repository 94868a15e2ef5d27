// Says which secret signed a webhook that somebody pastes, or what is wrong with it. What is typed as a
// secret stays in its field and is gone with the dialog. Not modal; deletes itself. Window thread.
#pragma once

#include "core/domain/signature_question.h"
#include "ui/bridge/latest.h"

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
    using Said = std::function<void(const SignatureAnswer&)>;
    // Says the answer at once or later; window thread.
    using Verifier = std::function<void(const SignatureQuestion&, Said)>;

    explicit VerifyDialog(Verifier verifier, QWidget* parent = nullptr);

    // Of the secrets that are known, once they have been read; what is chosen stays.
    void setNames(const QStringList& names);

    QPlainTextEdit* request() const { return m_request; }
    QComboBox* secret() const { return m_secret; }
    QLineEdit* typed() const { return m_typed; }
    QString verdict() const;
    void verify();

private:
    void buildRequest(QVBoxLayout* column);
    void buildSecret(QVBoxLayout* column);
    void buildFoot(QVBoxLayout* column);
    void judge();
    void say(const SignatureAnswer& answer);
    SignatureQuestion question() const;

    const Verifier m_verifier;
    Latest m_asked;
    QPlainTextEdit* m_request = nullptr;
    QComboBox* m_secret = nullptr;
    QLineEdit* m_typed = nullptr;
    PlainLabel* m_verdict = nullptr;
    QPushButton* m_verify = nullptr;
};

} // namespace redrive
