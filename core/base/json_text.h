// Strings of JSON text, read and written. Any thread.
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QStringView>

namespace redrive {

// The UTF-8 of what stands between the quotes of a string that passed checkJson(). Of other text: what can
// be read of it.
QByteArray decodeJsonString(QByteArrayView inner);

// Appends the text as a JSON string with its quotes. Unpaired surrogates become U+FFFD.
void appendJsonString(QByteArray& out, QStringView text);
void appendJsonString(QByteArray& out, QByteArrayView utf8);

} // namespace redrive
