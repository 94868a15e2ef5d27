#include "app/command_line/payload_input.h"

#include <QFile>

#include <cstdio>

namespace redrive {

namespace {

constexpr qint64 kMostRead = 1'000'000; // far over what a payload may have

} // namespace

Result<QByteArray> payloadInput(const QString& word)
{
    if (word != u"-")
        return word.toUtf8();
    QFile input;
    if (!input.open(stdin, QIODevice::ReadOnly))
        return fail(ErrorKind::Internal, u"standard input cannot be read"_s);
    return input.read(kMostRead);
}

} // namespace redrive
