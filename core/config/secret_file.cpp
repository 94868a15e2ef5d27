#include "core/config/secret_file.h"

#include "core/base/file_lock.h"
#include "core/config/private_file.h"
#include "core/config/secret_text.h"

#include <QFileInfo>

namespace redrive {

QString SecretFile::place() const
{
    return u"the file "_s + m_path;
}

Result<QHash<QString, QByteArray>> SecretFile::read() const
{
    REDRIVE_ASSIGN(text, private_file::read(m_path));
    if (!text)
        return QHash<QString, QByteArray>();
    return readSecretText(*text, place());
}

Status SecretFile::write(const QHash<QString, QByteArray>& secrets) const
{
    return private_file::write(m_path, secretText(secrets));
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
    REDRIVE_TRY(private_file::makeFolder(QFileInfo(m_path).absolutePath()));
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
