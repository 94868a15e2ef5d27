#include "core/intake/routes.h"

#include "core/base/json_chars.h"
#include "core/intake/http_head.h"

#include <QByteArray>

#include <algorithm>
#include <array>

namespace redrive {

namespace {

constexpr QByteArrayView kJobPrefix = "/jobs/";

} // namespace

RouteMatch matchRoute(QByteArrayView path)
{
    if (path == "/" || path == "/jobs")
        return {Route::Jobs, {}};
    if (path == "/jobs/batch")
        return {Route::JobsBatch, {}};
    if (path == "/ingest")
        return {Route::Ingest, {}};
    if (path == "/ingest/batch")
        return {Route::IngestBatch, {}};
    if (path == "/ingest/sync")
        return {Route::IngestSync, {}};
    if (path == "/healthz")
        return {Route::Health, {}};
    if (path == "/metrics")
        return {Route::Metrics, {}};
    if (!path.startsWith(kJobPrefix))
        return {};
    const QByteArrayView segment = path.sliced(kJobPrefix.size());
    const QByteArray id = QByteArray::fromPercentEncoding(segment.toByteArray());
    // Nothing that is no UTF-8 or holds NUL may reach the store.
    if (id.isEmpty() || segment.contains('/') || !json::isText(id.begin(), id.end()))
        return {};
    return {Route::Job, QString::fromUtf8(id)};
}

bool takesBody(Route route)
{
    return route == Route::Jobs || route == Route::JobsBatch || takesEvents(route);
}

bool takesEvents(Route route)
{
    return route == Route::Ingest || route == Route::IngestBatch || route == Route::IngestSync;
}

bool takesBatch(Route route)
{
    return route == Route::JobsBatch || route == Route::IngestBatch;
}

QString routePath(Route route)
{
    switch (route) {
    case Route::Jobs:
        return QStringLiteral("/jobs");
    case Route::JobsBatch:
        return QStringLiteral("/jobs/batch");
    case Route::Ingest:
        return QStringLiteral("/ingest");
    case Route::IngestBatch:
        return QStringLiteral("/ingest/batch");
    case Route::IngestSync:
        return QStringLiteral("/ingest/sync");
    case Route::None:
    case Route::Job:
    case Route::Health:
    case Route::Metrics:
        break;
    }
    return {};
}

bool isKnownMethod(QByteArrayView method)
{
    static constexpr std::array<QByteArrayView, 9> kKnown{"GET",    "HEAD",    "POST",  "PUT",    "PATCH",
                                                          "DELETE", "OPTIONS", "TRACE", "CONNECT"};
    return std::find(kKnown.begin(), kKnown.end(), method) != kKnown.end();
}

bool allowsMethod(Route route, QByteArrayView method)
{
    return takesBody(route) ? method == "POST" : method == "GET" || method == "HEAD";
}

const char* allowHeader(Route route)
{
    return takesBody(route) ? "Allow: POST\r\n" : "Allow: GET, HEAD\r\n";
}

Target splitTarget(QByteArrayView target)
{
    Target split;
    for (const QByteArrayView scheme : {QByteArrayView("http://"), QByteArrayView("https://")}) {
        if (target.size() <= scheme.size() || !sameWord(target.first(scheme.size()), scheme))
            continue;
        target = target.sliced(scheme.size());
        const qsizetype end =
            std::find_if(target.begin(), target.end(), [](char c) { return c == '/' || c == '?'; }) -
            target.begin();
        split.authority = target.first(end);
        target = target.sliced(end);
        if (!target.startsWith('/')) {
            split.path = "/";
            return split;
        }
    }
    if (target.startsWith('/')) {
        const qsizetype query =
            std::find_if(target.begin(), target.end(), [](char c) { return c == '?' || c == '#'; }) -
            target.begin();
        split.path = target.first(query);
    }
    return split;
}

} // namespace redrive
