// Why the JSON gate refused a text. Codes and texts are the ones a client sees. Value, any thread.
#pragma once

#include <QString>

namespace redrive {

enum class JsonProblem {
    InvalidJson,
    InvalidUtf8,
    TooDeep,
    TooManyKeys,
    DuplicateKey,
    NulCharacter,
    UnpairedSurrogate,
};

struct JsonFault
{
    JsonProblem problem = JsonProblem::InvalidJson;
    qsizetype offset = 0; // of the first byte that is wrong; the size of the text when it ends too early
    QString field;        // path of the value concerned, such as payload.endpoints[0].url; may be empty
    QString key;          // DuplicateKey only
    const char* what = "";
    int limit = 0; // TooDeep, TooManyKeys

    const char* code() const;
    QString text() const;
};

} // namespace redrive
