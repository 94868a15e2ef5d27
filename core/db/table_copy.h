// Copies of one table what can still be read, from the schema "damaged" of a connection into "main", around
// the pages that are not readable. The connection's thread, outside of a transaction: each piece is one of
// its own, because a transaction that has met damage cannot be committed.
//
// Rows are sought by their row key, so that what lies behind a damaged page is found again. Tables without
// row keys are read from both ends up to the first damage.
#pragma once

#include "core/db/connection.h"

#include <functional>

namespace redrive {

class TableCopy final
{
public:
    // `keepGoing` is asked now and then, with the rows so far; false ends the copy with Cancelled.
    TableCopy(Connection& connection, QString table, std::function<bool(qint64)> keepGoing);

    // Fails only where going on makes no sense: the disk is full, or it was cancelled.
    Status run();

    qint64 rows() const { return m_rows; }
    bool isComplete() const { return m_complete; }

private:
    struct Chunk
    {
        qint64 last = 0; // row key
        qint64 rows = 0; // 0: there is nothing from there on
    };

    Status readColumns();
    Status copyByRowKey();
    Status copyFromBothEnds();
    Status copyUpToDamage(const QString& order);
    Result<Chunk> chunkFrom(qint64 key, qint64 most);
    Result<qint64> insertChunk(qint64 from, qint64 last);
    Result<qint64> insertFirst(const QString& order, qint64 most);
    bool stepOverDamage(qint64& key);
    Status goOnAfter(const Error& error);

    Connection& m_db;
    const QString m_table; // quoted
    const QString m_name;
    const std::function<bool(qint64)> m_keepGoing;
    QString m_key;         // the row key's name; empty: there is none
    QString m_columns;     // quoted, with commas
    QStringList m_primary; // quoted
    qint64 m_rows = 0;
    bool m_complete = true;
};

} // namespace redrive
