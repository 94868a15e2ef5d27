#include "core/base/gzip.h"

#include <QFileDevice>

#include <algorithm>
#include <limits>
#include <new>
#include <zlib.h>

namespace redrive {

namespace {

constexpr int kGzipWindow = MAX_WBITS + 16; // with a header and a checksum of gzip's
constexpr int kMemoryLevel = 8;
constexpr qsizetype kReadBytes = 64 * 1024;

bool isGzip(QByteArrayView text)
{
    return text.size() >= 2 && uchar(text[0]) == 0x1f && uchar(text[1]) == 0x8b;
}

Bytef* bytesOf(const char* text)
{
    return reinterpret_cast<Bytef*>(const_cast<char*>(text)); // zlib only reads its input
}

Status damaged(const char* words)
{
    return fail(ErrorKind::InvalidInput, u"is damaged gzip"_s, QString::fromLatin1(words ? words : ""));
}

} // namespace

QByteArray gzipMember(QByteArrayView text)
{
    z_stream stream = {};
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipWindow, kMemoryLevel,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        throw std::bad_alloc();
    Q_ASSERT(text.size() <= std::numeric_limits<uInt>::max());
    QByteArray packed(qsizetype(deflateBound(&stream, uLong(text.size()))), Qt::Uninitialized);
    stream.next_in = bytesOf(text.data());
    stream.avail_in = uInt(text.size());
    stream.next_out = bytesOf(packed.data());
    stream.avail_out = uInt(packed.size());
    deflate(&stream, Z_FINISH); // into as much as it can need
    packed.truncate(qsizetype(stream.total_out));
    deflateEnd(&stream);
    return packed;
}

struct UnpackedText::Stream
{
    Stream()
    {
        if (inflateInit2(&z, kGzipWindow) != Z_OK)
            throw std::bad_alloc();
    }
    ~Stream() { inflateEnd(&z); }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

    z_stream z = {};
    bool inMember = true;
};

UnpackedText::UnpackedText(QIODevice& device) : m_device(device) {}

UnpackedText::~UnpackedText() = default;

bool UnpackedText::fill()
{
    m_packed = m_packed.mid(m_used);
    m_used = 0;
    const QByteArray more = m_device.read(kReadBytes);
    m_packed += more;
    return !more.isEmpty();
}

Status UnpackedText::device() const
{
    const auto* file = dynamic_cast<const QFileDevice*>(&m_device);
    if (!file || file->error() == QFileDevice::NoError)
        return {};
    return fail(ErrorKind::Internal, u"cannot be read"_s, file->errorString());
}

Result<QByteArray> UnpackedText::read(qsizetype most)
{
    if (!m_begun) {
        m_begun = true;
        while (m_packed.size() < 2 && fill()) {
        }
        if (isGzip(m_packed))
            m_stream = std::make_unique<Stream>();
    }
    if (m_stream)
        return unpack(most);
    if (m_used == m_packed.size() && !fill())
        REDRIVE_TRY(device());
    const QByteArray text = m_packed.mid(m_used, most);
    m_used += text.size();
    return text;
}

Result<QByteArray> UnpackedText::unpack(qsizetype most)
{
    QByteArray text(most, Qt::Uninitialized);
    z_stream& z = m_stream->z;
    z.next_out = bytesOf(text.data());
    z.avail_out = uInt(most);
    while (z.avail_out == uInt(most)) {
        if (m_used == m_packed.size() && !fill()) {
            REDRIVE_TRY(device());
            if (m_stream->inMember)
                return fail(ErrorKind::InvalidInput, u"ends in the middle of a gzip member"_s);
            break;
        }
        if (!m_stream->inMember) {
            // Zeros fill up what comes from tapes.
            const auto at =
                std::find_if(m_packed.cbegin() + m_used, m_packed.cend(), [](char c) { return c != '\0'; });
            const bool padded = at != m_packed.cbegin() + m_used;
            m_used = at - m_packed.cbegin();
            if (m_used == m_packed.size())
                continue;
            if (padded)
                return fail(ErrorKind::InvalidInput, u"is damaged gzip"_s, u"zeros between two members"_s);
            inflateReset(&z);
            m_stream->inMember = true;
        }
        z.next_in = bytesOf(m_packed.constData() + m_used);
        z.avail_in = uInt(m_packed.size() - m_used);
        const int result = inflate(&z, Z_NO_FLUSH);
        m_used = m_packed.size() - qsizetype(z.avail_in);
        if (result == Z_STREAM_END)
            m_stream->inMember = false;
        else if (result != Z_OK && result != Z_BUF_ERROR)
            REDRIVE_TRY(damaged(z.msg));
    }
    text.truncate(most - qsizetype(z.avail_out));
    return text;
}

} // namespace redrive
