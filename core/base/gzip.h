// Text packed as members of a gzip file, and read back. A file of several members is their texts one after
// the other. Any thread.
// Source: RFC 1952; zlib's inflate and deflate
#pragma once

#include "core/base/result.h"

#include <QByteArray>
#include <QByteArrayView>

#include <memory>

class QIODevice;

namespace redrive {

QByteArray gzipMember(QByteArrayView text);

// What a device holds, unpacked on the way where it begins as gzip does. Constant memory, whatever it unpacks
// to.
class UnpackedText final
{
public:
    explicit UnpackedText(QIODevice& device); // open to read; outlives this
    ~UnpackedText();
    UnpackedText(const UnpackedText&) = delete;
    UnpackedText& operator=(const UnpackedText&) = delete;

    // At most so many bytes; empty at the end. InvalidInput: it is damaged, or ends in the middle of a
    // member.
    Result<QByteArray> read(qsizetype most);

private:
    struct Stream;
    Result<QByteArray> unpack(qsizetype most);
    bool fill(); // false at the end of the device
    Status device() const;

    QIODevice& m_device;
    QByteArray m_packed; // read and not used yet
    qsizetype m_used = 0;
    std::unique_ptr<Stream> m_stream; // of gzip
    bool m_begun = false;
};

} // namespace redrive
