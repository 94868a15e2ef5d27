// Answers the console's questions about signatures with the secrets that the program knows. Pure; any thread.
#pragma once

#include "core/domain/signature_question.h"

#include <QHash>
#include <QStringList>

namespace redrive {

// Names of those that are meant for signing, sorted. One that is not well formed is among them: that may be
// what is wrong.
QStringList signingSecretNames(const QHash<QString, QByteArray>& secrets);

// The request comes out of a text field, which knows one kind of line end: where it does not fit with LF in
// its body, CR LF is tried.
SignatureAnswer answerSignature(const SignatureQuestion& question, const QHash<QString, QByteArray>& secrets,
                                qint64 nowSeconds);

} // namespace redrive
