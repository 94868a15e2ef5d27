// Endpoints as rows of a table, and what is said of one. Window thread.
#pragma once

#include "core/domain/endpoint.h"
#include "ui/models/plain_table_model.h"
#include "ui/models/state_words.h"

namespace redrive {

QList<Column> endpointColumns();
QList<PlainRow> endpointRows(const QList<EndpointRow>& endpoints, qint64 nowMs);

StateWord stateOf(const EndpointRow& endpoint);
// Why nothing goes out, or what it takes.
QString whyOfEndpoint(const EndpointRow& endpoint, qint64 nowMs);
QString originWord(EndpointOrigin origin);
// "99.2 %", or a dash without attempts.
QString successText(const EndpointFigures& figures);
// "≤ 50 ms", or a dash.
QString withinText(const EndpointFigures& figures, double part);

} // namespace redrive
