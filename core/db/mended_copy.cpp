#include "core/db/mended_copy.h"

#include "core/db/migrator.h"
#include "core/db/store_copy.h"

#include <QFile>
#include <QtEndian>

namespace redrive {

namespace {

constexpr int kHeaderBytes = 100;
constexpr quint32 kUsualPageBytes = 4'096;
constexpr char kWriteAheadLog = 2;

quint32 pageBytesOf(const QByteArray& header)
{
    const quint32 said = qFromBigEndian<quint16>(header.constData() + 16);
    const bool possible = said >= 512 && (said & (said - 1)) == 0;
    return possible && header.startsWith("SQLite format 3") ? said : kUsualPageBytes;
}

QByteArray headerFor(const QByteArray& before, qint64 fileBytes)
{
    const quint32 pageBytes = pageBytesOf(before);
    QByteArray header(kHeaderBytes, '\0');
    const auto put32 = [&header](int at, quint32 value) { qToBigEndian(value, header.data() + at); };
    header.replace(0, 16, QByteArray("SQLite format 3\0", 16));
    qToBigEndian(quint16(pageBytes), header.data() + 16);
    header[18] = header[19] = kWriteAheadLog;
    header[21] = 64; // the fractions of payload, which never vary
    header[22] = header[23] = 32;
    put32(24, 1); // change counter
    put32(28, quint32(fileBytes / pageBytes));
    put32(40, 1); // schema cookie
    put32(44, 4); // schema format
    put32(56, 1); // UTF-8
    put32(68, quint32(kApplicationId));
    put32(92, 1); // the change counter that the page count belongs to
    return header;
}

} // namespace

Status makeMendedCopy(const DatabaseTarget& damaged, const QString& path)
{
    const auto failed = [&] {
        return fail(ErrorKind::StorageFull, u"'%1' could not be copied to '%2'"_s.arg(damaged.path, path));
    };
    QFile file(path);
    if (!copyWithLog(damaged.path, path) || !file.open(QIODevice::ReadWrite))
        return failed();
    const QByteArray header = headerFor(file.read(kHeaderBytes), file.size());
    if (!file.seek(0) || file.write(header) != header.size() || !file.flush())
        return failed();
    return {};
}

} // namespace redrive
