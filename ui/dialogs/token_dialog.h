// Asks what a new token shall be called, how long the older secret of a rotated one is still accepted, or
// whether a token shall be refused from now on. Not modal to the application; deletes itself. Window thread.
#pragma once

#include "core/domain/token.h"

#include <QDialog>

class QButtonGroup;
class QCheckBox;
class QLineEdit;
class QPushButton;
class QVBoxLayout;

namespace redrive {

class TokenDialog final : public QDialog
{
    Q_OBJECT
public:
    // `name`: of the token to rotate or revoke.
    TokenDialog(TokenVerb verb, const QString& name, QWidget* parent);

Q_SIGNALS:
    // Verb, name, overlap, rate and what it opens are filled in.
    void decided(const redrive::TokenChange& change);

private:
    void buildFields(QVBoxLayout* column);
    void buildFoot(QVBoxLayout* column);
    void judge();
    TokenChange change() const;

    const TokenVerb m_verb;
    const QString m_tokenName;
    QLineEdit* m_name = nullptr;
    QLineEdit* m_rate = nullptr;
    QCheckBox* m_forIngest = nullptr;
    QButtonGroup* m_overlap = nullptr;
    QPushButton* m_act = nullptr;
};

// Shows a secret, with a button that copies it: for the one time that it can be seen, or one that is kept.
class SecretDialog final : public QDialog
{
    Q_OBJECT
public:
    SecretDialog(const TokenChanged& changed, qint64 nowMs, bool kept, QWidget* parent);
};

} // namespace redrive
