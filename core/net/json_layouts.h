// The ways in which programs write the same JSON again: what a body may have been before somebody parsed it
// and wrote it anew. Pure; any thread.
#pragma once

#include <QByteArray>
#include <QList>
#include <QString>

namespace redrive {

struct JsonLayout
{
    QString words; // "without white space", to be read after "the body"
    QByteArray text;
};

// Each text that differs from `json` and from the ones before it. Numbers stay as they are written, so that
// only white space, escapes of strings and the order of keys change. None where it is no JSON, or has more
// than 256 KiB.
QList<JsonLayout> jsonLayouts(const QByteArray& json);

} // namespace redrive
