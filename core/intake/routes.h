// Paths and methods. Any thread.
#pragma once

#include <QByteArrayView>
#include <QString>

namespace redrive {

enum class Route { None, Jobs, JobsBatch, Job, Ingest, IngestBatch, IngestSync, Health, Metrics };

struct RouteMatch
{
    Route route = Route::None;
    QString id; // Job: decoded; never empty
};

// `path` without the query.
RouteMatch matchRoute(QByteArrayView path);
// Takes jobs or events in: POST with a body.
bool takesBody(Route route);
bool takesEvents(Route route);
// Takes several in one body.
bool takesBatch(Route route);
// Of a route that takes a body: /jobs, /ingest/batch, …
QString routePath(Route route);
bool isKnownMethod(QByteArrayView method);
bool allowsMethod(Route route, QByteArrayView method);
// "Allow: …" with its line end.
const char* allowHeader(Route route);

// A request target taken apart: /path?query or http://authority/path?query; an empty path when it is
// neither.
struct Target
{
    QByteArrayView authority; // null: not in the target
    QByteArrayView path;
};
Target splitTarget(QByteArrayView target);

} // namespace redrive
