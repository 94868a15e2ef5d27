// A library to be preloaded into a program: its database files live on a disk that loses power. Becomes the
// default file layer of the database, counts what is written, and after so many operations leaves the files
// as such a disk would hold them in a folder and kills the program.
//
//   REDRIVE_CUT_AFTER    operations until the cut
//   REDRIVE_CUT_SEED     which sectors of what was not synced are kept
//   REDRIVE_CUT_FOLDER   where the files are left
//   REDRIVE_CUT_FORGETS  "log": syncs of the log are lies; "all": all syncs are. To show that the test would
//   notice
//
// Source: https://www.sqlite.org/vfs.html
#include "tests/integration/powerloss/disk_model.h"

#include <sqlite3.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>

#include <unistd.h>

namespace {

using redrive::test::DiskModel;

struct Disk
{
    std::mutex mutex; // guards the rest
    std::map<std::string, DiskModel> files;
    long operations = 0;
    long cutAfter = 0;
    std::string folder;
    std::string forgets;
    std::mt19937 random;
};

Disk& disk()
{
    static Disk* made = new Disk; // outlives every thread
    return *made;
}

sqlite3_vfs* g_real = nullptr;

struct File
{
    sqlite3_file base;
    char* path; // null: a temporary file, which no power cut matters to
    sqlite3_file* real;
};

File* ours(sqlite3_file* file)
{
    return reinterpret_cast<File*>(file);
}

const sqlite3_io_methods& methodsOf(sqlite3_file* file)
{
    return *ours(file)->real->pMethods;
}

bool isLog(const std::string& path)
{
    return path.size() > 4 && path.compare(path.size() - 4, 4, "-wal") == 0;
}

void leaveFile(const std::string& path, const std::vector<char>& content)
{
    const std::string left = disk().folder + path.substr(path.rfind('/'));
    if (std::FILE* file = std::fopen(left.c_str(), "wb")) {
        std::fwrite(content.data(), 1, content.size(), file);
        std::fclose(file);
    }
}

// With the mutex held, which is never given back after the cut.
void countOperation()
{
    if (++disk().operations < disk().cutAfter)
        return;
    for (const auto& [path, file] : disk().files) {
        std::vector<char> content;
        if (file.afterCut(disk().random, content))
            leaveFile(path, content);
    }
    ::raise(SIGKILL);
    for (;;)
        ::pause();
}

template <typename Change>
void onDisk(sqlite3_file* file, Change change)
{
    if (!ours(file)->path)
        return;
    std::lock_guard lock(disk().mutex);
    countOperation();
    change(disk().files[ours(file)->path]);
}

int closeFile(sqlite3_file* file)
{
    const int code = methodsOf(file).xClose(ours(file)->real);
    std::free(ours(file)->real);
    std::free(ours(file)->path);
    return code;
}

int writeFile(sqlite3_file* file, const void* bytes, int count, sqlite3_int64 offset)
{
    onDisk(file, [&](DiskModel& model) {
        model.write(offset, static_cast<const char*>(bytes), std::size_t(count));
    });
    return methodsOf(file).xWrite(ours(file)->real, bytes, count, offset);
}

int truncateFile(sqlite3_file* file, sqlite3_int64 size)
{
    onDisk(file, [&](DiskModel& model) { model.truncate(size); });
    return methodsOf(file).xTruncate(ours(file)->real, size);
}

int syncFile(sqlite3_file* file, int)
{
    onDisk(file, [&](DiskModel& model) {
        const bool forgotten =
            disk().forgets == "all" || (disk().forgets == "log" && isLog(ours(file)->path));
        if (!forgotten)
            model.sync();
    });
    return SQLITE_OK; // the disk is the model: the real one is not waited for
}

int readFile(sqlite3_file* file, void* bytes, int count, sqlite3_int64 offset)
{
    return methodsOf(file).xRead(ours(file)->real, bytes, count, offset);
}
int sizeOfFile(sqlite3_file* file, sqlite3_int64* size)
{
    return methodsOf(file).xFileSize(ours(file)->real, size);
}
int lockFile(sqlite3_file* file, int level)
{
    return methodsOf(file).xLock(ours(file)->real, level);
}
int unlockFile(sqlite3_file* file, int level)
{
    return methodsOf(file).xUnlock(ours(file)->real, level);
}
int checkReserved(sqlite3_file* file, int* held)
{
    return methodsOf(file).xCheckReservedLock(ours(file)->real, held);
}
int controlFile(sqlite3_file* file, int operation, void* argument)
{
    return methodsOf(file).xFileControl(ours(file)->real, operation, argument);
}
int sectorSize(sqlite3_file* file)
{
    return methodsOf(file).xSectorSize(ours(file)->real);
}
int promisesNothing(sqlite3_file*)
{
    return 0;
}
int mapMemory(sqlite3_file* file, int page, int size, int extend, void volatile** memory)
{
    return methodsOf(file).xShmMap(ours(file)->real, page, size, extend, memory);
}
int lockMemory(sqlite3_file* file, int offset, int count, int flags)
{
    return methodsOf(file).xShmLock(ours(file)->real, offset, count, flags);
}
void memoryBarrier(sqlite3_file* file)
{
    methodsOf(file).xShmBarrier(ours(file)->real);
}
int unmapMemory(sqlite3_file* file, int remove)
{
    return methodsOf(file).xShmUnmap(ours(file)->real, remove);
}

const sqlite3_io_methods kMethods = {
    2,          closeFile,     readFile,      writeFile,   truncateFile, syncFile,        sizeOfFile,
    lockFile,   unlockFile,    checkReserved, controlFile, sectorSize,   promisesNothing, mapMemory,
    lockMemory, memoryBarrier, unmapMemory,   nullptr,     nullptr};

// Through the handle: a descriptor of our own would give up the locks on the file when it is closed.
std::vector<char> contentOf(sqlite3_file* real)
{
    sqlite3_int64 size = 0;
    real->pMethods->xFileSize(real, &size);
    std::vector<char> content(std::size_t(size), '\0');
    if (size > 0)
        real->pMethods->xRead(real, content.data(), int(size), 0);
    return content;
}

int openFile(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* outFlags)
{
    std::memset(file, 0, sizeof(File));
    ours(file)->real = static_cast<sqlite3_file*>(std::calloc(1, std::size_t(g_real->szOsFile)));
    constexpr int kept = SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL;
    const bool tracked = name && (flags & kept) != 0;
    const bool existed = tracked && ::access(name, F_OK) == 0;
    const int code = g_real->xOpen(g_real, name, ours(file)->real, flags, outFlags);
    if (code != SQLITE_OK) {
        std::free(ours(file)->real);
        return code;
    }
    file->pMethods = &kMethods;
    if (!tracked)
        return code;
    ours(file)->path = ::strdup(name);
    std::lock_guard lock(disk().mutex);
    const auto [found, isNew] = disk().files.try_emplace(name);
    if (isNew)
        found->second.begin(contentOf(ours(file)->real), existed);
    return code;
}

int deleteFile(sqlite3_vfs*, const char* name, int syncFolder)
{
    {
        std::lock_guard lock(disk().mutex);
        countOperation();
        if (const auto found = disk().files.find(name); found != disk().files.end())
            found->second.remove();
    }
    return g_real->xDelete(g_real, name, syncFolder);
}

__attribute__((constructor)) void becomeTheDefault()
{
    const char* after = std::getenv("REDRIVE_CUT_AFTER");
    const char* folder = std::getenv("REDRIVE_CUT_FOLDER");
    if (!after || !folder)
        return;
    disk().cutAfter = std::atol(after);
    disk().folder = folder;
    if (const char* seed = std::getenv("REDRIVE_CUT_SEED"))
        disk().random.seed(unsigned(std::atol(seed)));
    if (const char* forgets = std::getenv("REDRIVE_CUT_FORGETS"))
        disk().forgets = forgets;
    g_real = sqlite3_vfs_find(nullptr);
    static sqlite3_vfs layer = *g_real;
    layer.zName = "power-loss";
    layer.szOsFile = sizeof(File);
    layer.xOpen = openFile;
    layer.xDelete = deleteFile;
    layer.pNext = nullptr;
    sqlite3_vfs_register(&layer, 1);
}

} // namespace
