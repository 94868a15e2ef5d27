#include "core/intake/http_problem.h"

namespace redrive::problem {

namespace {

constexpr bool kClose = true;

HttpProblem make(int status, const char* code, QString text, bool close = false)
{
    return {.status = status, .code = code, .text = std::move(text), .close = close};
}

HttpProblem later(int status, const char* code, QString text, int seconds, bool close = false)
{
    HttpProblem made = make(status, code, std::move(text), close);
    made.retryAfterSeconds = seconds;
    return made;
}

HttpProblem atField(int status, const char* code, QString text, QString field)
{
    HttpProblem made = make(status, code, std::move(text));
    made.field = std::move(field);
    return made;
}

} // namespace

HttpProblem unauthorized()
{
    HttpProblem made = make(401, "unauthorized", u"A valid bearer token is required."_s);
    made.headers = "WWW-Authenticate: Bearer\r\n";
    return made;
}

HttpProblem duplicateHeader(const char* name)
{
    return make(400, "duplicate_header",
                u"Header '%1' appears more than once."_s.arg(QLatin1StringView(name)), kClose);
}

HttpProblem bodyTooLarge(qint64 limit)
{
    return make(413, "body_too_large", u"Body is larger than %1 bytes."_s.arg(limit), kClose);
}

HttpProblem lengthRequired()
{
    return make(411, "length_required", u"Send Content-Length or chunked encoding."_s, kClose);
}

HttpProblem badContentLength()
{
    return make(400, "bad_content_length", u"Content-Length must be one decimal number."_s, kClose);
}

HttpProblem ambiguousLength()
{
    return make(400, "ambiguous_length", u"Content-Length and Transfer-Encoding cannot be combined."_s,
                kClose);
}

HttpProblem unsupportedTransferEncoding()
{
    return make(501, "unsupported_transfer_encoding", u"The only supported transfer encoding is chunked."_s,
                kClose);
}

HttpProblem badChunk()
{
    return make(400, "bad_chunk", u"Invalid chunk size."_s, kClose);
}

HttpProblem uriTooLong(qsizetype limit)
{
    return make(414, "uri_too_long", u"The request target is longer than %1 bytes."_s.arg(limit), kClose);
}

HttpProblem headersTooLarge(int fields, qsizetype bytes)
{
    return make(431, "headers_too_large",
                u"Too many or too large headers (limit %1 fields, %2 bytes)."_s.arg(fields).arg(bytes),
                kClose);
}

HttpProblem badHeader()
{
    return make(400, "bad_header", u"A header line is not valid HTTP."_s, kClose);
}

HttpProblem requestTimeout()
{
    return make(408, "request_timeout", u"The request was not complete in time."_s, kClose);
}

HttpProblem unknownMethod()
{
    return make(501, "unknown_method", u"This method is not known."_s);
}

HttpProblem methodNotAllowed(const char* allowHeader)
{
    HttpProblem made = make(405, "method_not_allowed", u"This method is not allowed here."_s);
    made.headers = allowHeader;
    return made;
}

HttpProblem badRequest()
{
    return make(400, "bad_request", u"The request line is not valid HTTP."_s, kClose);
}

HttpProblem versionNotSupported()
{
    return make(505, "http_version_not_supported", u"Only HTTP/1.1 and HTTP/1.0 are served."_s, kClose);
}

HttpProblem hostRequired()
{
    return make(400, "host_required", u"A Host header is required."_s, kClose);
}

HttpProblem wrongHost()
{
    return make(421, "wrong_host", u"This server does not answer for that host name."_s);
}

HttpProblem originNotAllowed()
{
    return make(403, "origin_not_allowed", u"Requests from other sites are not allowed."_s);
}

HttpProblem unsupportedMediaType()
{
    HttpProblem made =
        make(415, "unsupported_media_type", u"Send application/json in UTF-8, not compressed."_s);
    made.headers = "Accept-Encoding: identity\r\n";
    return made;
}

HttpProblem expectationFailed()
{
    return make(417, "expectation_failed", u"The only supported expectation is 100-continue."_s, kClose);
}

HttpProblem notFound()
{
    return make(404, "not_found", u"There is nothing here under that name."_s);
}

HttpProblem fromJson(const JsonFault& fault)
{
    HttpProblem made = make(400, fault.code(), fault.text());
    switch (fault.problem) {
    case JsonProblem::InvalidJson:
    case JsonProblem::InvalidUtf8:
        made.offset = fault.offset;
        break;
    case JsonProblem::NulCharacter:
    case JsonProblem::UnpairedSurrogate:
        made.status = 422;
        [[fallthrough]];
    case JsonProblem::DuplicateKey:
        made.field = fault.field;
        break;
    case JsonProblem::TooDeep:
    case JsonProblem::TooManyKeys:
        break;
    }
    return made;
}

HttpProblem ofEvent(const JsonFault& fault)
{
    HttpProblem made = fromJson(fault);
    if (fault.problem == JsonProblem::InvalidJson) {
        made.detail = std::move(made.text);
        made.text = u"Malformed JSON payload"_s;
    }
    return made;
}

HttpProblem eventTooLarge(qint64 limit)
{
    return make(413, "body_too_large", u"The event is larger than %1 bytes."_s.arg(limit));
}

HttpProblem ofEvent(const Error& error)
{
    const bool refused = error.kind == ErrorKind::Constraint || error.kind == ErrorKind::InvalidInput;
    if (refused && !error.detail.isEmpty())
        return invalidFields({{error.field, error.detail}});
    if (error.kind == ErrorKind::Internal && !error.detail.isEmpty()) // no matter of load: its table is gone
        return later(503, "not_stored", error.detail, 5);
    return fromError(error);
}

HttpProblem noTelemetryQueue()
{
    return make(404, "no_telemetry_queue",
                u"The configuration has no telemetry queue: telemetry.queue names it."_s);
}

HttpProblem noJobsQueue()
{
    return make(404, "no_jobs_queue",
                u"No queue takes jobs: name a producer in the configuration, queues.producers."_s);
}

HttpProblem invalidFields(QList<FieldProblem> fields)
{
    HttpProblem made = atField(422, "invalid_field", fields.first().text, fields.first().field);
    made.index = fields.first().index;
    made.fields = std::move(fields);
    return made;
}

HttpProblem itemTooLarge(qsizetype index, qint64 limit)
{
    HttpProblem made =
        make(413, "body_too_large", u"Job %1 is larger than %2 bytes."_s.arg(index).arg(limit));
    made.index = index;
    return made;
}

HttpProblem urlNotAllowed(QString field)
{
    return atField(422, "url_not_allowed",
                   u"The URL must be http or https, with a host and without user information."_s,
                   std::move(field));
}

HttpProblem pathNotAllowed(QString field)
{
    return atField(422, "path_not_allowed",
                   u"The file is outside the allowed folders or is not a regular file."_s, std::move(field));
}

HttpProblem tooManyRequests(int retryAfterSeconds)
{
    return later(429, "too_many_requests", u"Too many requests. Try again later."_s, retryAfterSeconds);
}

HttpProblem dbBusy()
{
    return later(503, "db_busy", u"The database is busy. Try again."_s, 1);
}

HttpProblem shuttingDown()
{
    return later(503, "shutting_down", u"The server is shutting down."_s, 5, kClose);
}

HttpProblem tooManyConnections()
{
    return later(503, "too_many_connections", u"Too many connections are open."_s, 1, kClose);
}

HttpProblem fromError(const Error& error)
{
    switch (error.kind) {
    case ErrorKind::StorageFull:
        return later(503, "storage_full", u"The disk is full. Nothing new is taken until there is space."_s,
                     30);
    case ErrorKind::ReadOnly:
    case ErrorKind::Corrupt:
        return later(503, "read_only", u"The database cannot be written. Nothing new is taken."_s, 60);
    case ErrorKind::Refused:
        if (error.detail == u"backlog"_s)
            return later(429, "too_many_requests", u"The queue is full. Try again later."_s, 1);
        if (error.detail == u"no queue"_s)
            return noTelemetryQueue();
        if (error.detail == u"no jobs queue"_s)
            return noJobsQueue();
        return error.detail == u"stopping"_s ? shuttingDown() : dbBusy();
    case ErrorKind::Conflict:
        return make(422, "idempotency_key_reused",
                    u"This Idempotency-Key was used before with another body."_s);
    case ErrorKind::NotFound:
        return notFound();
    case ErrorKind::InvalidInput:
    case ErrorKind::Constraint:
        return invalidFields({{error.field, error.message}});
    case ErrorKind::Busy:
    case ErrorKind::ConnectionLost:
    case ErrorKind::Cancelled:
    case ErrorKind::Internal:
        break;
    }
    return dbBusy();
}

} // namespace redrive::problem
