// Events by endpoints: what became of each delivery. Plain values; any thread.
#pragma once

#include "core/domain/delivery.h"

#include <QStringList>

#include <vector>

namespace redrive {

struct MatrixEvent
{
    QString id;
    QString type;
    qint64 createdAtMs = 0;
};

struct MatrixCell
{
    enum class Kind {
        Delivery,      // the rest says which
        Missing,       // the endpoint takes such events and never got this one
        NotSubscribed, // it does not take such events, or is known from other payloads
    };

    Kind kind = Kind::NotSubscribed;
    qint64 key = 0; // row key of the delivery, as in lists
    DeliveryStatus status = DeliveryStatus::Pending;
    bool discarded = false;
    int attempts = 0;
    std::optional<qint64> dueAtMs;
    QString error; // first line
};

struct DeliveryMatrix
{
    static constexpr int kEvents = 100;
    static constexpr int kEndpoints = 120;

    QList<MatrixEvent> events;     // newest first
    QStringList endpoints;         // by id; those with failures stay when there are too many
    std::vector<MatrixCell> cells; // a row of `endpoints` for each event
    int endpointsLeftOut = 0;
    bool moreEvents = false; // older ones match too

    const MatrixCell& at(int event, int endpoint) const
    {
        return cells[size_t(event) * size_t(endpoints.size()) + size_t(endpoint)];
    }
};

} // namespace redrive
