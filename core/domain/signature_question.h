// What the console asks about a webhook's signature, and the answer in words. Plain values; any thread.
#pragma once

#include <QByteArray>
#include <QString>

namespace redrive {

struct SignatureQuestion
{
    QByteArray request;     // header lines, an empty line, the body
    QString secretName;     // of a known one; empty: all of them, where nothing is typed
    QByteArray typedSecret; // never kept; empty: none
};

struct SignatureAnswer
{
    bool good = false;
    QString words; // plain text; may hold text from outside
};

} // namespace redrive
