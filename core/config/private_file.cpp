#include "core/config/private_file.h"

#include "core/base/bounded_read.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace redrive::private_file {

namespace {

constexpr qint64 kMostFileBytes = 16'000'000;

class Descriptor final
{
public:
    explicit Descriptor(int fd) : m_fd(fd) {}
    ~Descriptor()
    {
        if (m_fd >= 0)
            ::close(m_fd);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int get() const { return m_fd; }
    bool isOpen() const { return m_fd >= 0; }

private:
    int m_fd;
};

tl::unexpected<Error> failedWith(const QString& what, int error)
{
    return fail(ErrorKind::ReadOnly, what, QString::fromLocal8Bit(std::strerror(error)));
}

// Of the opened file itself, so that nobody can put another in its place after the look.
Status checkOwner(int fd, const QString& path)
{
    struct stat facts = {};
    if (::fstat(fd, &facts) != 0)
        return failedWith(u"the file of secrets %1 cannot be looked at"_s.arg(path), errno);
    if (!S_ISREG(facts.st_mode))
        return fail(ErrorKind::Refused,
                    u"%1 is no regular file, and no secrets are read from it"_s.arg(path));
    if (facts.st_uid != ::geteuid())
        return fail(ErrorKind::Refused,
                    u"the file of secrets %1 belongs to another user, and is not read"_s.arg(path));
    if (facts.st_mode & 077)
        return fail(
            ErrorKind::Refused,
            u"others may read the file of secrets %1, so it is not used: chmod 600 closes it"_s.arg(path));
    return {};
}

bool writeAll(int fd, const QByteArray& text)
{
    for (qsizetype done = 0; done < text.size();) {
        const ssize_t step = ::write(fd, text.constData() + done, size_t(text.size() - done));
        if (step < 0 && errno != EINTR)
            return false;
        done += std::max<ssize_t>(step, 0);
    }
    return ::fsync(fd) == 0;
}

} // namespace

Result<std::optional<QByteArray>> read(const QString& path)
{
    const Descriptor file(
        ::open(QFile::encodeName(path).constData(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    if (!file.isOpen() && errno == ENOENT)
        return std::optional<QByteArray>();
    if (!file.isOpen() && errno == ELOOP)
        return fail(ErrorKind::Refused, u"%1 is a link, and no secrets are read from it"_s.arg(path));
    if (!file.isOpen())
        return failedWith(u"the file of secrets %1 cannot be opened"_s.arg(path), errno);
    REDRIVE_TRY(checkOwner(file.get(), path));
    QFile text;
    if (!text.open(file.get(), QIODevice::ReadOnly, QFileDevice::DontCloseHandle))
        return fail(ErrorKind::ReadOnly, u"the file of secrets %1 cannot be read"_s.arg(path),
                    text.errorString());
    REDRIVE_ASSIGN(lines, readAtMost(text, kMostFileBytes, u"the file "_s + path));
    return std::optional(std::move(lines));
}

Status write(const QString& path, const QByteArray& text)
{
    const QByteArray name = QFile::encodeName(path);
    const QByteArray fresh = name + ".new";
    ::unlink(fresh.constData()); // of a process that died while it wrote
    {
        const Descriptor file(
            ::open(fresh.constData(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
        if (!file.isOpen() || !writeAll(file.get(), text))
            return failedWith(u"the file of secrets %1 cannot be written"_s.arg(path), errno);
    }
    if (::rename(fresh.constData(), name.constData()) != 0)
        return failedWith(u"the file of secrets %1 cannot be replaced"_s.arg(path), errno);
    const Descriptor folder(::open(QFile::encodeName(QFileInfo(path).absolutePath()).constData(),
                                   O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (folder.isOpen())
        ::fsync(folder.get());
    return {};
}

Status makeFolder(const QString& folder)
{
    if (QFileInfo(folder).isDir())
        return {};
    if (!QDir().mkpath(folder))
        return fail(ErrorKind::ReadOnly, u"the folder %1 cannot be made"_s.arg(folder));
    QFile::setPermissions(folder, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    return {};
}

} // namespace redrive::private_file
