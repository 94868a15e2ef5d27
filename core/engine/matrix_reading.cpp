#include "core/engine/matrix_reading.h"

#include "core/store/endpoint_store.h"
#include "core/store/matrix_store.h"
#include "core/webhooks/endpoint_reader.h"
#include "core/webhooks/event_filter.h"

#include <QHash>

#include <algorithm>

namespace redrive {

namespace {

bool needsAttention(const MatrixCell& cell)
{
    return cell.kind == MatrixCell::Kind::Delivery && !cell.discarded &&
           cell.status != DeliveryStatus::Delivered && cell.status != DeliveryStatus::Cancelled;
}

// Registered endpoints and which events they take.
Result<QHash<QString, QStringList>> registeredFilters(Connection& db)
{
    REDRIVE_ASSIGN(registered, endpoint_store::registered(db));
    QHash<QString, QStringList> filters;
    for (const StoredEndpoint& endpoint : std::as_const(registered)) {
        if (const auto settings = readEndpoint(JsonSlice(endpoint.settings), u"endpoint"_s))
            filters.insert(endpoint.id, settings->events);
    }
    return filters;
}

// All of them, or those with most to look at first where there are too many; then by id.
void chooseEndpoints(DeliveryMatrix& matrix, const QHash<QString, int>& attention)
{
    QStringList ids = attention.keys();
    std::sort(ids.begin(), ids.end(), [&](const QString& left, const QString& right) {
        const int more = attention.value(right);
        const int less = attention.value(left);
        return less != more ? less > more : left < right;
    });
    const auto kept = std::min<qsizetype>(ids.size(), DeliveryMatrix::kEndpoints);
    matrix.endpointsLeftOut = int(ids.size() - kept);
    matrix.endpoints = ids.first(kept);
    std::sort(matrix.endpoints.begin(), matrix.endpoints.end());
}

} // namespace

Result<DeliveryMatrix> readMatrix(Connection& db, const QString& filter, qint64 nowMs)
{
    REDRIVE_ASSIGN(found, matrix_store::newest(db, filter, DeliveryMatrix::kEvents, nowMs));
    REDRIVE_ASSIGN(filters, registeredFilters(db));
    DeliveryMatrix matrix;
    matrix.moreEvents = found.more;
    QHash<QString, int> attention;
    for (auto endpoint = filters.cbegin(); endpoint != filters.cend(); ++endpoint)
        attention.insert(endpoint.key(), 0);
    for (const matrix_store::Event& event : found.events)
        for (const matrix_store::Delivery& delivery : event.deliveries)
            attention[delivery.endpointId] += needsAttention(delivery.cell) ? 1 : 0;
    if (found.events.empty())
        return matrix;
    chooseEndpoints(matrix, attention);

    QHash<QString, int> columns;
    for (int column = 0; column < matrix.endpoints.size(); ++column)
        columns.insert(matrix.endpoints[column], column);
    for (matrix_store::Event& event : found.events) {
        std::vector<MatrixCell> row(size_t(matrix.endpoints.size()));
        for (auto endpoint = filters.cbegin(); endpoint != filters.cend(); ++endpoint) {
            const int column = columns.value(endpoint.key(), -1);
            if (column >= 0 && wantsEvent(*endpoint, event.event.type))
                row[size_t(column)].kind = MatrixCell::Kind::Missing;
        }
        for (matrix_store::Delivery& delivery : event.deliveries) {
            const int column = columns.value(delivery.endpointId, -1);
            if (column >= 0)
                row[size_t(column)] = std::move(delivery.cell);
        }
        matrix.cells.insert(matrix.cells.end(), row.begin(), row.end());
        matrix.events.append(std::move(event.event));
    }
    return matrix;
}

} // namespace redrive
