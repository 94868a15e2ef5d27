// Tokens as rows of a table. Pure but for translations; window thread.
#pragma once

#include "core/domain/token.h"
#include "ui/models/plain_table_model.h"

namespace redrive {

QList<Column> tokenColumns();
QList<PlainRow> tokenRows(const QList<TokenRow>& tokens, qint64 nowMs);

} // namespace redrive
