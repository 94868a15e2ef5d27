// Reads files of the archive back into the store. Constant memory, whatever stands in them; a line that
// cannot be used is told and passed over. One thread; blocks.
#pragma once

#include "core/deadletter/archive_folder.h"
#include "core/domain/letter_import.h"
#include "core/store/audit_store.h"
#include "core/store/turn_inbox.h"

class QIODevice;

namespace redrive {

class LetterImport final
{
public:
    using OnBadLine = std::function<void(const QString& file, qint64 line, const QString& why)>;

    // `db` reads; without `turn` nothing is changed and what would be is counted.
    LetterImport(Connection& db, StoreTurn turn, OnBadLine onBadLine);

    // Asked again and again while it reads; false ends it with Cancelled.
    void setGoOn(std::function<bool()> goOn) { m_goOn = std::move(goOn); }
    // gzip or plain lines. An error ends it: the device cannot be read (InvalidInput: its gzip is damaged),
    // or the store cannot be written; what came before is brought back all the same.
    Status read(QIODevice& device, const QString& name);
    // For the record, when all is read. `entry` says who, why and from where; its result how it ended,
    // unless it ended well.
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
    Status bringBack(QList<Waiting> waiting);
    Status count(const QList<Waiting>& waiting);

    Connection& m_db;
    StoreTurn m_turn;
    OnBadLine m_onBadLine;
    std::function<bool()> m_goOn = [] { return true; };
    QString m_name;
    QList<Waiting> m_waiting; // for the next turn
    qint64 m_waitingBytes = 0;
    ImportCounts m_counts;
};

} // namespace redrive
