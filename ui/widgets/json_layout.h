// JSON set in lines for reading. Only the white space between tokens changes: numbers, escapes and the order
// of keys stay byte for byte as they came. Pure functions; any thread.
#pragma once

#include <QString>

namespace redrive {

// Nothing (a null string) when the text is not one JSON value; then it is shown as it is.
QString layOutJson(const QString& text);

enum class JsonToken { None, Key, String, Number, Word, Punctuation };

struct JsonSpan
{
    qsizetype from = 0;
    qsizetype length = 0;
    JsonToken token = JsonToken::None;
};

// The token that begins at or after `at`; length 0 at the end. A broken text gives None for the characters
// that belong to no token. Whether a string is a key is seen by the colon after it.
JsonSpan nextJsonToken(const QString& text, qsizetype at);

} // namespace redrive
