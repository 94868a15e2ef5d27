// What a transaction appends to the write-ahead log, kept in memory until it has to be in the file: before a
// sync, or a read of the log. So a commit is one write where it would be two for each page. Only while each
// commit syncs the log: an error of that write is the commit's own then.
//
// The connection's thread. Codes are the database library's. Source: https://www.sqlite.org/walformat.html
#pragma once

#include <limits>

#include <sqlite3.h>

namespace redrive {

class LogGatherer final
{
public:
    // Null: no memory.
    static LogGatherer* make(sqlite3_file* log);
    ~LogGatherer();
    LogGatherer(const LogGatherer&) = delete;
    LogGatherer& operator=(const LogGatherer&) = delete;

    int write(const void* bytes, int count, sqlite3_int64 offset);
    int read(void* bytes, int count, sqlite3_int64 offset);
    int truncate(sqlite3_int64 size);
    int sync(int flags);
    // Whether commits sync the log from now on. At first they do not, and nothing is gathered.
    int setSynced(bool synced);
    // After an error what was gathered is gone, and nothing behind it is taken or read while the transaction
    // lasts, unless its place is written again: it cannot be committed.
    int writeOut();
    // Nobody holds the log for writing any more. What is still gathered was undone, and another process may
    // write in its place from now on.
    void transactionEnds();

private:
    static constexpr sqlite3_int64 kNothingLost = std::numeric_limits<sqlite3_int64>::max();

    LogGatherer(sqlite3_file* log, char* memory) : m_log(log), m_memory(memory) {}

    sqlite3_file* m_log;
    char* m_memory;
    bool m_gathers = false;
    bool m_isSynced = false; // in this transaction: what follows is not synced once more
    int m_bytes = 0;
    sqlite3_int64 m_at = 0; // where they belong
    sqlite3_int64 m_lostFrom = kNothingLost;
    int m_lostCode = 0;
};

} // namespace redrive
