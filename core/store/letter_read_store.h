// Dead letters for lists and details. The reading connection's thread.
#pragma once

#include "core/db/connection.h"
#include "core/domain/dead_letter.h"

#include <QList>

#include <vector>

namespace redrive::letter_read_store {

// In the order of the keys; keys whose row is gone are left out.
Result<QList<LetterRow>> rows(Connection& db, const std::vector<qint64>& keys);
Result<std::optional<LetterRow>> row(Connection& db, qint64 no);
// The newest letter of a job, message or delivery.
// Of which it is an edited version; empty: of none.
Result<QString> parentOf(Connection& db, const QString& subjectId);
Result<std::optional<LetterRow>> newestOf(Connection& db, const QString& subjectId);

// Those with a higher number, in the order they died.
Result<QList<LetterRow>> after(Connection& db, qint64 no, int limit);

} // namespace redrive::letter_read_store
