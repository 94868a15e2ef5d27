#include "tests/support/mounts.h"

#include <QFile>

#include <fcntl.h>
#include <sys/mount.h>
#include <unistd.h>

namespace redrive::test {

namespace {
constexpr std::size_t kPiece = 64 * 1024;
}

std::unique_ptr<Mount> Mount::memory(const QString& folder, qint64 bytes)
{
    const QByteArray options = "size=" + QByteArray::number(bytes);
    if (::mount("tmpfs", QFile::encodeName(folder).constData(), "tmpfs", 0, options.constData()) != 0)
        return nullptr;
    return std::unique_ptr<Mount>(new Mount(folder));
}

std::unique_ptr<Mount> Mount::readOnly(const QString& from, const QString& folder)
{
    const QByteArray target = QFile::encodeName(folder);
    if (::mount(QFile::encodeName(from).constData(), target.constData(), nullptr, MS_BIND, nullptr) != 0)
        return nullptr;
    std::unique_ptr<Mount> made(new Mount(folder));
    const unsigned long flags = MS_BIND | MS_REMOUNT | MS_RDONLY;
    return ::mount(nullptr, target.constData(), nullptr, flags, nullptr) == 0 ? std::move(made) : nullptr;
}

Mount::~Mount()
{
    ::umount2(QFile::encodeName(m_folder).constData(), MNT_DETACH);
}

bool Mount::makeWritable() const
{
    return ::mount(nullptr, QFile::encodeName(m_folder).constData(), nullptr, MS_BIND | MS_REMOUNT,
                   nullptr) == 0;
}

void Mount::fill() const
{
    const int fd = ::open(QFile::encodeName(path(QStringLiteral("filler"))).constData(),
                          O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    const QByteArray piece(kPiece, 'x');
    for (std::size_t size = kPiece; size > 0;)
        if (::write(fd, piece.constData(), size) < 0)
            size /= 2;
    ::close(fd);
}

void Mount::makeRoom() const
{
    QFile::remove(path(QStringLiteral("filler")));
}

} // namespace redrive::test
