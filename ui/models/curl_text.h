// A request as a curl command that a shell takes as one, whatever the texts hold. Pure; any thread.
#pragma once

#include <QByteArray>
#include <QString>

namespace redrive {

// `headers`: one a line, as an attempt keeps them; masked ones stay masked.
QString curlText(const QString& url, const QString& headers, const QByteArray& body);

// One word of a shell; control characters as $'…', which bash, zsh and ksh know.
QString shellWord(const QString& text);

} // namespace redrive
