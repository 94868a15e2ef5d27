#include "core/db/gathering_layer.h"

#include "core/db/log_gatherer.h"

#include <QUrl>

#include <algorithm>
#include <cstring>
#include <iterator>

using namespace Qt::Literals::StringLiterals;

namespace redrive {

namespace {

constexpr const char* kSyncsEachCommit[] = {"full", "extra", "2", "3"};
constexpr int kWriteLock = 0; // among the locks in shared memory, https://www.sqlite.org/walformat.html

sqlite3_vfs* g_beneath = nullptr;

// A database or its log; the file of the layer beneath follows it in the same block of memory.
struct LayerFile
{
    sqlite3_file base;
    sqlite3_file* real;
    LogGatherer* gatherer; // a database: of its log, while that is open
    LayerFile* database;   // a log: whose it is
    bool syncsCommits;     // a database: as it was told; at first it is not known
};

LayerFile* ours(sqlite3_file* file)
{
    return reinterpret_cast<LayerFile*>(file);
}

sqlite3_file* real(sqlite3_file* file)
{
    return ours(file)->real;
}

const sqlite3_io_methods& methodsOf(sqlite3_file* file)
{
    return *real(file)->pMethods;
}

// A method of the layer beneath, as it is.
template <auto Method, typename = decltype(Method)>
struct Beneath;

template <auto Method, typename Code, typename... Arguments>
struct Beneath<Method, Code (*sqlite3_io_methods::*)(sqlite3_file*, Arguments...)>
{
    static Code call(sqlite3_file* file, Arguments... arguments)
    {
        return (methodsOf(file).*Method)(real(file), arguments...);
    }
};

template <auto Method>
constexpr auto kBeneath = &Beneath<Method>::call;

bool syncsEachCommit(const char* synchronous)
{
    return std::any_of(std::begin(kSyncsEachCommit), std::end(kSyncsEachCommit),
                       [&](const char* value) { return sqlite3_stricmp(synchronous, value) == 0; });
}

int controlDatabase(sqlite3_file* file, int operation, void* argument)
{
    const auto* pragma = static_cast<char* const*>(argument); // room for an error's text, the name, the value
    if (operation == SQLITE_FCNTL_PRAGMA && pragma[2] && sqlite3_stricmp(pragma[1], "synchronous") == 0) {
        ours(file)->syncsCommits = syncsEachCommit(pragma[2]);
        LogGatherer* gatherer = ours(file)->gatherer;
        if (const int code = gatherer ? gatherer->setSynced(ours(file)->syncsCommits) : SQLITE_OK;
            code != SQLITE_OK)
            return code;
    }
    return methodsOf(file).xFileControl(real(file), operation, argument);
}

int mapMemory(sqlite3_file* file, int page, int size, int extend, void volatile** memory)
{
    if (methodsOf(file).iVersion < 2)
        return SQLITE_IOERR_SHMMAP;
    return methodsOf(file).xShmMap(real(file), page, size, extend, memory);
}

int lockMemory(sqlite3_file* file, int offset, int count, int flags)
{
    const bool endsWrite = offset == kWriteLock && (flags & SQLITE_SHM_UNLOCK) != 0;
    if (endsWrite && ours(file)->gatherer)
        ours(file)->gatherer->transactionEnds();
    return methodsOf(file).xShmLock(real(file), offset, count, flags);
}

// Before others are told of a commit: it is in the file by then even where it is not synced.
void memoryBarrier(sqlite3_file* file)
{
    if (ours(file)->gatherer)
        (void)ours(file)->gatherer->writeOut();
    methodsOf(file).xShmBarrier(real(file));
}

int closeLog(sqlite3_file* file)
{
    ours(file)->database->gatherer = nullptr;
    delete ours(file)->gatherer;
    return methodsOf(file).xClose(real(file));
}
int readLog(sqlite3_file* file, void* bytes, int count, sqlite3_int64 offset)
{
    return ours(file)->gatherer->read(bytes, count, offset);
}
int writeLog(sqlite3_file* file, const void* bytes, int count, sqlite3_int64 offset)
{
    return ours(file)->gatherer->write(bytes, count, offset);
}
int truncateLog(sqlite3_file* file, sqlite3_int64 size)
{
    return ours(file)->gatherer->truncate(size);
}
int syncLog(sqlite3_file* file, int flags)
{
    return ours(file)->gatherer->sync(flags);
}
int sizeOfLog(sqlite3_file* file, sqlite3_int64* size)
{
    const int code = ours(file)->gatherer->writeOut();
    return code != SQLITE_OK ? code : methodsOf(file).xFileSize(real(file), size);
}

// Of version 2: nothing is mapped.
const sqlite3_io_methods kDatabaseMethods = {2,
                                             kBeneath<&sqlite3_io_methods::xClose>,
                                             kBeneath<&sqlite3_io_methods::xRead>,
                                             kBeneath<&sqlite3_io_methods::xWrite>,
                                             kBeneath<&sqlite3_io_methods::xTruncate>,
                                             kBeneath<&sqlite3_io_methods::xSync>,
                                             kBeneath<&sqlite3_io_methods::xFileSize>,
                                             kBeneath<&sqlite3_io_methods::xLock>,
                                             kBeneath<&sqlite3_io_methods::xUnlock>,
                                             kBeneath<&sqlite3_io_methods::xCheckReservedLock>,
                                             controlDatabase,
                                             kBeneath<&sqlite3_io_methods::xSectorSize>,
                                             kBeneath<&sqlite3_io_methods::xDeviceCharacteristics>,
                                             mapMemory,
                                             lockMemory,
                                             memoryBarrier,
                                             kBeneath<&sqlite3_io_methods::xShmUnmap>,
                                             nullptr,
                                             nullptr};

// Of version 1: a log has no shared memory of its own.
const sqlite3_io_methods kLogMethods = {1,
                                        closeLog,
                                        readLog,
                                        writeLog,
                                        truncateLog,
                                        syncLog,
                                        sizeOfLog,
                                        kBeneath<&sqlite3_io_methods::xLock>,
                                        kBeneath<&sqlite3_io_methods::xUnlock>,
                                        kBeneath<&sqlite3_io_methods::xCheckReservedLock>,
                                        kBeneath<&sqlite3_io_methods::xFileControl>,
                                        kBeneath<&sqlite3_io_methods::xSectorSize>,
                                        kBeneath<&sqlite3_io_methods::xDeviceCharacteristics>,
                                        nullptr,
                                        nullptr,
                                        nullptr,
                                        nullptr,
                                        nullptr,
                                        nullptr};

int openBeneath(const char* name, sqlite3_file* file, int flags, int* outFlags)
{
    std::memset(file, 0, sizeof(LayerFile));
    ours(file)->real = reinterpret_cast<sqlite3_file*>(ours(file) + 1);
    const int code = g_beneath->xOpen(g_beneath, name, real(file), flags, outFlags);
    if (code != SQLITE_OK && real(file)->pMethods) // it wants to be closed all the same
        methodsOf(file).xClose(real(file));
    return code;
}

int openLog(const char* name, LayerFile* database, sqlite3_file* file, int flags, int* outFlags)
{
    if (const int code = openBeneath(name, file, flags, outFlags); code != SQLITE_OK)
        return code;
    ours(file)->gatherer = LogGatherer::make(real(file));
    if (!ours(file)->gatherer) {
        methodsOf(file).xClose(real(file));
        return SQLITE_NOMEM;
    }
    ours(file)->database = database;
    database->gatherer = ours(file)->gatherer;
    (void)database->gatherer->setSynced(database->syncsCommits); // nothing is gathered yet
    file->pMethods = &kLogMethods;
    return SQLITE_OK;
}

int openFile(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* outFlags)
{
    if ((flags & SQLITE_OPEN_WAL) != 0) {
        sqlite3_file* database = sqlite3_database_file_object(name);
        if (database && database->pMethods == &kDatabaseMethods)
            return openLog(name, ours(database), file, flags, outFlags);
    }
    if ((flags & SQLITE_OPEN_MAIN_DB) == 0)
        return g_beneath->xOpen(g_beneath, name, file, flags, outFlags);
    const int code = openBeneath(name, file, flags, outFlags);
    if (code == SQLITE_OK)
        file->pMethods = &kDatabaseMethods;
    return code;
}

const char* makeLayer()
{
    g_beneath = sqlite3_vfs_find(nullptr);
    if (!g_beneath)
        return nullptr;
    static sqlite3_vfs layer = *g_beneath;
    layer.zName = "redrive-log";
    layer.szOsFile = int(sizeof(LayerFile)) + g_beneath->szOsFile;
    layer.xOpen = openFile;
    layer.pNext = nullptr;
    return sqlite3_vfs_register(&layer, 0) == SQLITE_OK ? layer.zName : nullptr;
}

} // namespace

QString addressWithGatheredLog(const QString& path)
{
    static const char* const layer = makeLayer();
    const QString scheme = path.startsWith(u'/') ? u"file://"_s : u"file:"_s;
    const QString address = scheme + QString::fromLatin1(QUrl::toPercentEncoding(path, "/"));
    return layer ? address + u"?vfs="_s + QLatin1StringView(layer) : address;
}

} // namespace redrive
