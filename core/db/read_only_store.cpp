#include "core/db/read_only_store.h"

#include "core/db/checkpoint.h"
#include "core/db/store_copy.h"
#include "core/db/write_probe.h"

#include <QFile>
#include <QFileInfo>
#include <QUrl>

#include <unistd.h>

namespace redrive {

bool ReadOnlyStore::isNeeded(const DatabaseTarget& target, const Error& error)
{
    if (error.kind != ErrorKind::ConnectionLost && error.kind != ErrorKind::ReadOnly)
        return false;
    const QFileInfo file(target.path);
    const QByteArray folder = QFile::encodeName(file.absolutePath());
    return file.exists() && (isOnReadOnlyFileSystem(target) || ::access(folder.constData(), W_OK) != 0);
}

Result<std::unique_ptr<ReadOnlyStore>> ReadOnlyStore::make(const DatabaseTarget& target)
{
    std::unique_ptr<ReadOnlyStore> store(new ReadOnlyStore);
    if (walBytes(target) == 0) {
        store->m_address = QUrl::fromLocalFile(target.path).toString(QUrl::FullyEncoded) + u"?immutable=1"_s;
        return store;
    }
    store->m_copy = std::make_unique<QTemporaryDir>();
    const QString copy = store->m_copy->filePath(u"copy.db"_s);
    if (!store->m_copy->isValid() || !copyWithLog(target.path, copy))
        return fail(
            ErrorKind::ReadOnly,
            u"'%1' is on a read-only file system and has a log; there is no room for a copy in '%2'"_s.arg(
                QFileInfo(target.path).fileName(), store->m_copy->path()));
    store->m_address = QUrl::fromLocalFile(copy).toString(QUrl::FullyEncoded);
    return store;
}

} // namespace redrive
