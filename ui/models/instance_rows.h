// Engines as rows of a table. Pure but for translations; window thread.
#pragma once

#include "core/domain/instance.h"
#include "ui/models/plain_table_model.h"

namespace redrive {

QList<Column> instanceColumns();
QList<PlainRow> instanceRows(const QList<InstanceInfo>& instances);
// "2 engines work on this database, 1 ended within a day."
QString instanceScope(const QList<InstanceInfo>& instances);

} // namespace redrive
