#include "core/jobs/file_facts.h"

#include <QCryptographicHash>
#include <QMimeDatabase>

#include <cerrno>
#include <cstring>

#include <unistd.h>

namespace redrive {

namespace {

constexpr qsizetype kPieceBytes = 1 << 20;
constexpr qsizetype kBytesThatTellTheType = 16 * 1024;

} // namespace

Result<FileFacts> readFileFacts(int file, const std::function<bool()>& goOn)
{
    FileFacts facts;
    QCryptographicHash hash(QCryptographicHash::Sha256);
    QByteArray piece(kPieceBytes, Qt::Uninitialized);
    QByteArray head;
    for (;;) {
        if (!goOn())
            return fail(ErrorKind::Cancelled, u"stopped"_s);
        const ssize_t count = ::pread(file, piece.data(), size_t(piece.size()), facts.size);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return fail(ErrorKind::Internal, u"the file cannot be read"_s,
                        QString::fromLocal8Bit(std::strerror(errno)));
        if (count == 0)
            break;
        const QByteArrayView read(piece.constData(), count);
        if (head.isEmpty())
            head = read.first(std::min<qsizetype>(count, kBytesThatTellTheType)).toByteArray();
        hash.addData(read);
        facts.size += count;
    }
    facts.sha256 = hash.result().toHex();
    facts.mimeType = QMimeDatabase().mimeTypeForData(head).name();
    return facts;
}

} // namespace redrive
