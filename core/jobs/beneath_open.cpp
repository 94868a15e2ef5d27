#include "core/jobs/beneath_open.h"

#include <QDir>
#include <QFile>

#include <cerrno>
#include <climits>
#include <cstring>

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace redrive {

namespace {

constexpr int kOpenTries = 64;

tl::unexpected<Error> refused()
{
    return fail(ErrorKind::Refused, u"The file is outside the allowed folders or is not a regular file."_s);
}

tl::unexpected<Error> failSystem(int error)
{
    return fail(ErrorKind::Internal, u"the file cannot be opened"_s,
                QString::fromLocal8Bit(std::strerror(error)));
}

// What of the path is to be opened in the folder; nothing: it does not lie in it.
std::optional<QString> partBeneath(const QString& folder, const QString& path)
{
    if (!path.startsWith(u'/'))
        return path;
    const QString prefix = folder.endsWith(u'/') ? folder : folder + u'/';
    return path.startsWith(prefix) && path.size() > prefix.size() ? std::optional(path.mid(prefix.size()))
                                                                  : std::nullopt;
}

// A rename anywhere at the same time makes the system give up with EAGAIN rather than guess.
int openInside(int folder, const QByteArray& name)
{
    open_how how{};
    how.flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
    how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
    int file = -1;
    for (int i = 0; i < kOpenTries && file < 0; ++i) {
        file = int(::syscall(SYS_openat2, folder, name.constData(), &how, sizeof how));
        if (file < 0 && errno != EAGAIN && errno != EINTR)
            break;
    }
    return file;
}

Result<OpenedFile> checked(FileDescriptor file, const QString& path)
{
    struct stat found
    {
    };
    if (::fstat(file.get(), &found) != 0)
        return failSystem(errno);
    if (!S_ISREG(found.st_mode))
        return refused();
    return OpenedFile{std::move(file), found.st_size, path};
}

} // namespace

Result<OpenedFile> openBeneath(const QStringList& folders, const QString& path)
{
    const bool resource = path.startsWith(u":/"_s) || path.startsWith(u"qrc:"_s);
    const QByteArray encoded = QFile::encodeName(path);
    if (path.isEmpty() || resource || path.contains(QChar::Null) || encoded.size() >= PATH_MAX)
        return refused();
    bool mayBeThere = false;
    for (const QString& folder : folders) {
        const QString root = QDir::cleanPath(folder);
        const auto part = partBeneath(root, path);
        if (!part)
            continue;
        const FileDescriptor inside(
            ::open(QFile::encodeName(folder).constData(), O_PATH | O_DIRECTORY | O_CLOEXEC));
        if (!inside.isOpen() && errno == ENOENT) {
            mayBeThere = true;
            continue;
        }
        if (!inside.isOpen())
            return failSystem(errno);
        FileDescriptor file(openInside(inside.get(), QFile::encodeName(*part)));
        if (file.isOpen())
            return checked(std::move(file), QDir(root).filePath(*part));
        switch (errno) {
        case ENOENT:
            mayBeThere = true;
            break;
        case EXDEV:
        case ELOOP:
        case ENOTDIR:
        case ENAMETOOLONG:
        case ENXIO: // a socket, or a pipe without a reader
        case ENODEV:
            return refused();
        default:
            return failSystem(errno);
        }
    }
    if (!mayBeThere)
        return refused();
    return fail(ErrorKind::NotFound, u"the file is not there"_s);
}

} // namespace redrive
