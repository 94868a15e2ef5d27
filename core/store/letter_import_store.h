// Letters of the archive brought back: the letter, and the job, delivery or event that went after it.
#pragma once

#include "core/domain/archived_letter.h"
#include "core/store/cycle.h"

namespace redrive::letter_import_store {

// Whether the letter is there, or what it is about has gone on since: then there is nothing to bring back.
// Any connection.
Result<bool> isThere(Connection& db, const ArchivedLetter& letter);
// As an open letter under its own ids that is kept from now on as long as a new one. Inside a turn's
// transaction; only what is not there.
Status bringBack(Cycle& cycle, const ArchivedLetter& letter);

} // namespace redrive::letter_import_store
