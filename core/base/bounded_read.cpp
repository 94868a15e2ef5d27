#include "core/base/bounded_read.h"

namespace redrive {

Result<QByteArray> readAtMost(QIODevice& device, qint64 most, const QString& what)
{
    QByteArray bytes;
    while (bytes.size() <= most) { // a pipe gives it in parts
        const QByteArray part = device.read(most + 1 - bytes.size());
        if (part.isEmpty())
            return bytes;
        bytes += part;
    }
    const QString has = device.isSequential() ? u"more than %1"_s.arg(most) : QString::number(device.size());
    return fail(ErrorKind::InvalidInput, u"%1 has %2 bytes; at most %3 are read"_s.arg(what, has).arg(most));
}

} // namespace redrive
