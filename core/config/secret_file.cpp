#include "core/config/secret_file.h"

#include "core/base/file_lock.h"
#include "core/config/secret_text.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace redrive {

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

Status makeFolder(const QString& folder)
{
    if (QFileInfo(folder).isDir())
        return {};
    if (!QDir().mkpath(folder))
        return fail(ErrorKind::ReadOnly, u"the folder %1 cannot be made"_s.arg(folder));
    QFile::setPermissions(folder, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    return {};
}

} // namespace

QString SecretFile::place() const
{
    return u"the file "_s + m_path;
}

Result<QHash<QString, QByteArray>> SecretFile::read() const
{
    const Descriptor file(
        ::open(QFile::encodeName(m_path).constData(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    if (!file.isOpen() && errno == ENOENT)
        return QHash<QString, QByteArray>();
    if (!file.isOpen() && errno == ELOOP)
        return fail(ErrorKind::Refused, u"%1 is a link, and no secrets are read from it"_s.arg(m_path));
    if (!file.isOpen())
        return failedWith(u"the file of secrets %1 cannot be opened"_s.arg(m_path), errno);
    REDRIVE_TRY(checkOwner(file.get(), m_path));
    QFile text;
    if (!text.open(file.get(), QIODevice::ReadOnly, QFileDevice::DontCloseHandle))
        return fail(ErrorKind::ReadOnly, u"the file of secrets %1 cannot be read"_s.arg(m_path),
                    text.errorString());
    return readSecretText(text.read(kMostFileBytes), place());
}

Status SecretFile::write(const QHash<QString, QByteArray>& secrets) const
{
    const QByteArray text = secretText(secrets);
    const QByteArray path = QFile::encodeName(m_path);
    const QByteArray fresh = path + ".new";
    ::unlink(fresh.constData()); // of a process that died while it wrote; the lock is ours
    {
        const Descriptor file(
            ::open(fresh.constData(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
        if (!file.isOpen() || !writeAll(file.get(), text))
            return failedWith(u"the file of secrets %1 cannot be written"_s.arg(m_path), errno);
    }
    if (::rename(fresh.constData(), path.constData()) != 0)
        return failedWith(u"the file of secrets %1 cannot be replaced"_s.arg(m_path), errno);
    const Descriptor folder(::open(QFile::encodeName(QFileInfo(m_path).absolutePath()).constData(),
                                   O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (folder.isOpen())
        ::fsync(folder.get());
    return {};
}

Result<QStringList> SecretFile::names() const
{
    REDRIVE_ASSIGN(secrets, read());
    QStringList names = secrets.keys();
    names.sort();
    return names;
}

Result<QByteArray> SecretFile::get(const QString& name) const
{
    REDRIVE_ASSIGN(secrets, read());
    const auto found = secrets.constFind(name);
    if (found == secrets.constEnd())
        return fail(ErrorKind::NotFound, u"no secret '%1' is kept in %2"_s.arg(name, place()));
    return *found;
}

Status SecretFile::put(const QString& name, const QByteArray& value)
{
    REDRIVE_TRY(checkSecret(name, value));
    REDRIVE_TRY(makeFolder(QFileInfo(m_path).absolutePath()));
    REDRIVE_ASSIGN(lock, FileLock::tryLock(m_path + u".lock"_s));
    REDRIVE_ASSIGN(secrets, read());
    secrets.insert(name, value);
    return write(secrets);
}

Status SecretFile::remove(const QString& name)
{
    if (!QFileInfo::exists(m_path))
        return fail(ErrorKind::NotFound, u"no secret '%1' is kept in %2"_s.arg(name, place()));
    REDRIVE_ASSIGN(lock, FileLock::tryLock(m_path + u".lock"_s));
    REDRIVE_ASSIGN(secrets, read());
    if (secrets.remove(name) == 0)
        return fail(ErrorKind::NotFound, u"no secret '%1' is kept in %2"_s.arg(name, place()));
    return write(secrets);
}

} // namespace redrive
