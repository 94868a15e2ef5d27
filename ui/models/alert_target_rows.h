// Targets of alerts as rows of a table. Pure but for translations; window thread.
#pragma once

#include "core/domain/alert.h"
#include "ui/models/plain_table_model.h"

namespace redrive {

QList<Column> alertTargetColumns();
QList<PlainRow> alertTargetRows(const QList<AlertTargetRow>& targets);

} // namespace redrive
