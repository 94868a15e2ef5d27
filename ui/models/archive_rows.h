// The archive in words: its files as rows of a table, and the facts above them. Pure but for translations;
// window thread.
#pragma once

#include "ui/bridge/engine_bridge.h"
#include "ui/models/plain_table_model.h"

namespace redrive {

struct ArchiveFact
{
    QString label;
    QString text;
    QString note = {};  // beside it, fainter
    QString state = {}; // a name for state colours; empty: plain

    bool operator==(const ArchiveFact&) const = default;
};

QList<Column> archiveColumns(bool copies);
// The newest ones, as many as anybody looks at.
QList<PlainRow> archiveRows(const ArchiveState& archive);

QList<ArchiveFact> archiveFacts(const EngineFacts::Archive& configured, const ArchiveState& archive,
                                const ArchiveHealth& health, qint64 nowMs);
// Without an archive: what happens to letters, and the lines that change it.
QString noArchiveText(const EngineFacts& facts);
QString archiveLines(const EngineFacts& facts);

// What came of what was asked for, as one line.
QString archiveDoneText(ArchiveTask task, const Result<ArchiveTaskDone>& done);

} // namespace redrive
