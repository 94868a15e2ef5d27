// Reads files of the archive back into the store. Constant memory, whatever stands in them; a line that
// cannot be used is told and passed over. One thread; blocks.
#pragma once

#include "core/deadletter/archive_folder.h"
#include "core/store/audit_store.h"
#include "core/store/turn_inbox.h"

class QIODevice;

namespace redrive {

struct ImportCounts
{
    qint64 brought = 0; // or, without a turn, what would be
    qint64 there = 0;   // the letter, or what it is about has gone on since
    qint64 bad = 0;     // lines
};

class LetterImport final
{
public:
    using OnBadLine = std::function<void(const QString& file, qint64 line, const QString& why)>;

    // `db` reads; without `turn` nothing is changed and what would be is counted.
    LetterImport(Connection& db, StoreTurn turn, OnBadLine onBadLine);

    // gzip or plain lines. An error ends it: the device cannot be read (InvalidInput: its gzip is damaged),
    // or the store cannot be written; what came before is brought back all the same.
    Status read(QIODevice& device, const QString& name);
    // For the record, when all is read. `entry` says who, why and from where.
    Status record(AuditEntry entry);

    const ImportCounts& counts() const { return m_counts; }

private:
    struct Waiting
    {
        qint64 line = 0;
        ArchivedLetter letter;
    };

    void bad(qint64 line, const Error& error);
    void take(const QByteArray& text, qint64 line);
    Status flush();

    Connection& m_db;
    StoreTurn m_turn;
    OnBadLine m_onBadLine;
    QString m_name;
    QList<Waiting> m_waiting; // for the next turn
    qint64 m_waitingBytes = 0;
    ImportCounts m_counts;
};

} // namespace redrive
