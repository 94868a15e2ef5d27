#include "core/jobs/program_lookup.h"

#include <QDir>
#include <QFile>

#include <sys/stat.h>
#include <unistd.h>

namespace redrive {

namespace {

bool isProgram(const QString& path)
{
    const QByteArray encoded = QFile::encodeName(path);
    struct stat info
    {
    };
    return stat(encoded.constData(), &info) == 0 && S_ISREG(info.st_mode) &&
           access(encoded.constData(), X_OK) == 0;
}

} // namespace

Result<QString> lookUpProgram(const QString& name)
{
    if (name.isEmpty() || name.contains(QChar(0)))
        return fail(ErrorKind::InvalidInput, u"a program needs a name"_s);
    if (name.startsWith(u'/')) {
        const QString path = QDir::cleanPath(name);
        if (!isProgram(path))
            return fail(ErrorKind::NotFound, u"'%1' is not an executable file"_s.arg(name));
        return path;
    }
    if (name.contains(u'/'))
        return fail(ErrorKind::InvalidInput,
                    u"'%1' is a relative path; write an absolute one or a bare name"_s.arg(name));

    const QStringList folders = qEnvironmentVariable("PATH", u"/usr/local/bin:/usr/bin:/bin"_s).split(u':');
    for (const QString& folder : folders) {
        const QString path = QDir::cleanPath(folder + u'/' + name);
        if (folder.startsWith(u'/') && isProgram(path))
            return path;
    }
    return fail(ErrorKind::NotFound, u"no program '%1' was found in PATH"_s.arg(name));
}

} // namespace redrive
