// One round of archiving: what is old enough goes into the day's file, and only when it stands there durably
// out of the store. An engine that ends in between leaves its letters in both; the next round reads what it
// wrote and takes just those out of the store, so that each letter is in the archive once. The archive's
// thread; blocks.
#pragma once

#include "core/config/settings.h"
#include "core/deadletter/archive_folder.h"
#include "core/store/archive_store.h"
#include "core/store/turn_inbox.h"

namespace redrive {

class ArchiveRound final
{
public:
    static constexpr int kLettersInFile = 20'000;                     // added at once, at most
    static constexpr qint64 kBytesInFile = 32LL * 1024 * 1024;        // the same
    static constexpr int kLettersInTurn = 250;                        // that leave the store at once
    static constexpr int kLettersRead = 50;                           // at once
    static constexpr qsizetype kMemberBytes = qsizetype(1024) * 1024; // of lines, packed together

    struct Report
    {
        qint64 letters = 0; // archived
        bool more = false;  // others wait
        qint64 fileBytes = 0;
    };

    // `goOn`: false ends the round early.
    ArchiveRound(const ArchiveSettings& archive, const RetentionSettings& retention, StoreTurn turn,
                 std::function<bool()> goOn);

    // `reader` sees what was committed. Busy: another process archives into the folder.
    Result<Report> run(Connection& reader, qint64 nowMs);

private:
    Status finishInterrupted(Connection& reader);
    Result<Report> archive(Connection& reader, qint64 nowMs);
    // The letters that were written; `more` where the file has enough.
    Result<QList<LetterMark>> write(Connection& reader, qint64 nowMs, ArchiveAppend& append, bool& more);
    Status removeFromStore(const QList<LetterMark>& letters);
    Status noteWritten(const QString& name, qint64 letters, qint64 bytes);
    Status prune(Connection& reader, qint64 nowMs);

    ArchiveSettings m_settings;
    RetentionSettings m_retention;
    ArchiveFolder m_folder;
    StoreTurn m_turn;
    std::function<bool()> m_goOn;
};

} // namespace redrive
