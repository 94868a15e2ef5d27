// The registry of endpoints: their rows, every version of their settings, and the revision that other
// processes look at. Control thread, inside a turn's transaction, except where a connection is taken.
#pragma once

#include "core/domain/endpoint.h"
#include "core/store/cycle.h"

namespace redrive {

struct StoredEndpoint
{
    QString id;
    EndpointOrigin origin = EndpointOrigin::Payload;
    int version = 0; // 0: none
    QByteArray settings;
    bool deleted = false;
};

namespace endpoint_store {

Result<qint64> revision(Connection& db);
// Something about endpoints or their state changes in this turn.
Status noteChange(Cycle& cycle);

// Those that are registered, in the order in which they were made.
Result<QList<StoredEndpoint>> registered(Connection& db);
Result<std::optional<StoredEndpoint>> find(Connection& db, const QString& id);
// A new version, of a new endpoint too; one that was deleted is there again. Its number.
Result<int> addVersion(Cycle& cycle, const QString& id, EndpointOrigin origin, const QString& url,
                       const QByteArray& settings, const QString& madeBy);
Status markDeleted(Cycle& cycle, const QString& id);
// An event's payload named it. A registered one stays as it is.
Status notePayload(Cycle& cycle, const QString& id, const QString& url);
// Those of payloads that no event has named since; at most `limit`. How many.
Result<int> forgetPayload(Cycle& cycle, qint64 untilMs, int limit);

} // namespace endpoint_store
} // namespace redrive
