#include "core/db/write_probe.h"

#include "core/db/transaction.h"

#include <QFile>
#include <QFileInfo>

#include <sys/statvfs.h>

namespace redrive {

Status probeWrite(Connection& connection)
{
    REDRIVE_ASSIGN(transaction, Transaction::begin(connection));
    qint64 schema = 0;
    {
        auto version = connection.query("PRAGMA user_version");
        schema = version.next() ? version.int64(0) : 0;
        REDRIVE_TRY(version.status());
    }
    REDRIVE_TRY(connection.execute(u"PRAGMA user_version=%1"_s.arg(schema)));
    return transaction.commit();
}

bool isOnReadOnlyFileSystem(const DatabaseTarget& target)
{
    struct statvfs found = {};
    const QByteArray folder = QFile::encodeName(QFileInfo(target.path).absolutePath());
    return ::statvfs(folder.constData(), &found) == 0 && (found.f_flag & ST_RDONLY) != 0;
}

} // namespace redrive
