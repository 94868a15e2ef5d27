// A letter of the archive as a line of JSON, and back. Pure; any thread.
#pragma once

#include "core/base/result.h"
#include "core/domain/archived_letter.h"

namespace redrive {

inline constexpr int kArchiveLineVersion = 1;

// Ends with its line break. Bytes that are no text stand in it as base64.
QByteArray archiveLine(const ArchivedLetter& letter, qint64 archivedAtMs);

// InvalidInput: the line is damaged, from a newer Redrive, or no letter; `field` names the key concerned.
Result<ArchivedLetter> readArchiveLine(QByteArrayView line);
// The same with less to read.
Result<LetterMark> readLetterMark(QByteArrayView line);

} // namespace redrive
