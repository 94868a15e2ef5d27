#include "core/db/log_gatherer.h"

#include <cstring>
#include <new>

namespace redrive {

namespace {

constexpr int kMemoryBytes = 120 * 1024; // the library's own layer writes less than 128 KiB at once

} // namespace

LogGatherer* LogGatherer::make(sqlite3_file* log)
{
    char* memory = new (std::nothrow) char[kMemoryBytes];
    LogGatherer* made = memory ? new (std::nothrow) LogGatherer(log, memory) : nullptr;
    if (!made)
        delete[] memory;
    return made;
}

LogGatherer::~LogGatherer()
{
    delete[] m_memory;
}

int LogGatherer::write(const void* bytes, int count, sqlite3_int64 offset)
{
    if (offset <= m_lostFrom)
        m_lostFrom = kNothingLost;
    const bool follows = offset == m_at + m_bytes && count <= kMemoryBytes - m_bytes;
    const bool gathers = m_gathers && !m_isSynced && count <= kMemoryBytes;
    if (m_bytes > 0 && (!follows || !gathers))
        if (const int code = writeOut(); code != SQLITE_OK)
            return code;
    if (m_lostFrom != kNothingLost)
        return m_lostCode;
    if (!gathers)
        return m_log->pMethods->xWrite(m_log, bytes, count, offset);
    if (m_bytes == 0)
        m_at = offset;
    std::memcpy(m_memory + m_bytes, bytes, std::size_t(count));
    m_bytes += count;
    return SQLITE_OK;
}

int LogGatherer::read(void* bytes, int count, sqlite3_int64 offset)
{
    if (const int code = writeOut(); code != SQLITE_OK)
        return code;
    if (m_lostFrom != kNothingLost && offset + count > m_lostFrom)
        return m_lostCode;
    return m_log->pMethods->xRead(m_log, bytes, count, offset);
}

int LogGatherer::truncate(sqlite3_int64 size)
{
    if (const int code = writeOut(); code != SQLITE_OK)
        return code;
    return m_log->pMethods->xTruncate(m_log, size);
}

int LogGatherer::sync(int flags)
{
    if (const int code = writeOut(); code != SQLITE_OK)
        return code;
    m_isSynced = true;
    return m_log->pMethods->xSync(m_log, flags);
}

int LogGatherer::setSynced(bool synced)
{
    m_gathers = synced;
    return writeOut();
}

int LogGatherer::writeOut()
{
    if (m_bytes == 0)
        return SQLITE_OK;
    const int code = m_log->pMethods->xWrite(m_log, m_memory, m_bytes, m_at);
    m_bytes = 0;
    if (code != SQLITE_OK) {
        m_lostFrom = m_at;
        m_lostCode = code;
    }
    return code;
}

void LogGatherer::transactionEnds()
{
    m_bytes = 0;
    m_isSynced = false;
    m_lostFrom = kNothingLost;
}

} // namespace redrive
