// Bytes as they are seen in an editor of bytes: place, sixteen bytes, the same as characters. Pure.
#pragma once

#include <QByteArray>
#include <QString>

namespace redrive {

// "00000010  7b 22 61 22 3a 31 7d                              {"a":1}"; `offset`: the place of the first
// byte.
QString hexLines(const QByteArray& bytes, qint64 offset);

} // namespace redrive
