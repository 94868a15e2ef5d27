#include "tests/intake/http_table.h"

namespace redrive::test {

namespace {

const QByteArray kHost = "Host: localhost:8787\r\n";
const QByteArray kToken = "Authorization: Bearer secret\r\n";
const QByteArray kEvent = R"({"source":"metric","tenantId":"acme","n":18446744073709551615})";

QByteArray post(const QByteArray& body, const QByteArray& path = "/ingest",
                const QByteArray& headers = kToken)
{
    return "POST " + path + " HTTP/1.1\r\n" + kHost + headers +
           "Content-Length: " + QByteArray::number(body.size()) + "\r\n\r\n" + body;
}

QByteArray lines(int count)
{
    return (kEvent + "\n").repeated(count);
}

QByteArray list(int count)
{
    return "[" + (kEvent + ",").repeated(count - 1) + kEvent + "]";
}

// The same 401 whatever is wrong, also where nothing else needs a token.
void addTokens(QList<TableRow>& rows)
{
    const auto row = [&](const char* name, const QByteArray& path, const QByteArray& headers, bool token) {
        rows.append({.name = name,
                     .request = post(kEvent, path, headers),
                     .status = 401,
                     .code = "unauthorized",
                     .text = "A valid bearer token is required.",
                     .header = "www-authenticate: Bearer",
                     .token = token});
    };
    row("1 ingest without a token", "/ingest", "", true);
    row("1 ingest unknown token", "/ingest", "Authorization: Bearer secret2\r\n", true);
    row("1 ingest malformed token", "/ingest", "Authorization: Bearer\r\n", false);
    row("1 ingest where nothing needs one", "/ingest", "", false);
    row("1 ingest batch where nothing needs one", "/ingest/batch", "", false);
    row("1 ingest sync where nothing needs one", "/ingest/sync", "", false);
}

void addMalformed(QList<TableRow>& rows)
{
    const auto row = [&](const char* name, const QByteArray& body, int offset, const char* detail) {
        for (const char* path : {"/ingest", "/ingest/sync"})
            rows.append({.name = name,
                         .request = post(body, path),
                         .status = 400,
                         .code = "invalid_json",
                         .text = "Malformed JSON payload",
                         .offset = offset,
                         .token = true,
                         .detail = detail});
    };
    row("16 ingest empty", "", 0, "JSON error at byte 0: the text is empty.");
    row("16 ingest unclosed", "{\"a\":1", 6, "JSON error at byte 6: ',' or '}' was expected.");
    row("16 ingest point", "{\"a\":1.}", 7, "JSON error at byte 7: a digit was expected after the point.");
    row("16 ingest after the end", "{} {}", 3, "JSON error at byte 3: text after the end.");
    const auto other = [&](const char* name, const QByteArray& body, int status, const char* code,
                           const char* text, const char* field = "", int offset = -1) {
        rows.append({.name = name,
                     .request = post(body),
                     .status = status,
                     .code = code,
                     .text = text,
                     .field = field,
                     .offset = offset,
                     .token = true});
    };
    other("17 ingest UTF-8", "{\"a\":\"\xff\"}", 400, "invalid_utf8", "Invalid UTF-8 at byte 6.", "", 6);
    other("18 ingest deep", QByteArray(65, '[') + QByteArray(65, ']'), 400, "json_too_deep",
          "JSON is nested deeper than 64 levels.");
    other("19 ingest key twice", R"({"source":"audit","source":"metric"})", 400, "duplicate_key",
          "Key 'source' appears twice.", "source");
    other("20 ingest NUL", R"({"a":{"name":"\u0000"}})", 422, "invalid_characters",
          "NUL characters are not allowed.", "a.name");
    other("20 ingest surrogate", R"({"a":"\ud800"})", 422, "invalid_characters", "Unpaired surrogate.", "a");
    other("22 ingest empty key", kEvent, 422, "invalid_field", "", "Idempotency-Key");
    rows.last().request = post(kEvent, "/ingest", kToken + "Idempotency-Key:\r\n");
}

void addBatches(QList<TableRow>& rows)
{
    const auto row = [&](const char* name, const QByteArray& body, int status, const char* code,
                         const char* text = "", int offset = -1, const char* detail = "") {
        rows.append({.name = name,
                     .request = post(body, "/ingest/batch"),
                     .status = status,
                     .code = code,
                     .text = text,
                     .offset = offset,
                     .token = true,
                     .detail = detail});
    };
    const char* const count = "A batch must hold 1 to 500 events.";
    row("25 batch of 501", list(501), 422, "invalid_field", count);
    row("25 batch of 501 lines", lines(501), 422, "invalid_field", count);
    row("25 batch of none", " [ ] ", 422, "invalid_field", count);
    row("25 batch of bad ones", "{\"a\":1\nnope", 422, "no_valid_event", "No event of the batch is valid.");
    const char* const malformed = "Malformed JSON payload";
    row("16 batch empty", "", 400, "invalid_json", malformed, 0, "JSON error at byte 0: the text is empty.");
    row("16 batch unclosed", "[{},{}", 400, "invalid_json", malformed, 6,
        "JSON error at byte 6: ',' or ']' was expected.");
    row("16 batch text after the end", "[{}] {}", 400, "invalid_json", malformed, 5,
        "JSON error at byte 5: text after the end.");
}

void addServed(QList<TableRow>& rows)
{
    const auto row = [&](const char* name, const QByteArray& request, int status = 202) {
        rows.append(
            {.name = name, .request = request, .status = status, .code = "", .calls = 1, .token = true});
    };
    row("ingest", post(kEvent));
    row("ingest with a query", post(kEvent, "/ingest?from=a"));
    row("ingest of another kind of source", post(R"({"source":5,"tenantId":{}})"));
    row("ingest of a list", post(" [1, 2]\n"));
    row("ingest of a number", post("5"));
    row("ingest sync", post(kEvent, "/ingest/sync"), 201);
    row("25 batch of 500", post(list(500), "/ingest/batch"));
    row("25 batch of 500 lines", post(lines(500), "/ingest/batch"));
    row("25 batch with bad ones", post(R"([{}, {"a":01}, {"b":"\ud800"}, nope])", "/ingest/batch"));
    row("ingest as a form",
        post(kEvent, "/ingest", kToken + "Content-Type: application/x-www-form-urlencoded\r\n"));
    row("3 ingest of 128000 bytes", post('"' + QByteArray(127'998, 'x') + '"'));
}

void addRefused(QList<TableRow>& rows)
{
    const auto row = [&](const char* name, const QByteArray& request, int status, const char* code,
                         bool close = false, const char* header = "") {
        rows.append({.name = name,
                     .request = request,
                     .status = status,
                     .code = code,
                     .close = close,
                     .header = header,
                     .token = true});
    };
    const auto head = [](const QByteArray& path, const QByteArray& more) {
        return "POST " + path + " HTTP/1.1\r\n" + kHost + kToken + more + "\r\n";
    };
    row("3 ingest of 128001 bytes", head("/ingest", "Content-Length: 128001\r\n") + "x", 413,
        "body_too_large", true);
    row("3 ingest batch of 256001 bytes", head("/ingest/batch", "Content-Length: 256001\r\n") + "x", 413,
        "body_too_large", true);
    row("4 ingest without length", head("/ingest", ""), 411, "length_required", true);
    row("12 ingest by GET", "GET /ingest HTTP/1.1\r\n" + kHost + "\r\n", 405, "method_not_allowed", false,
        "allow: POST");
    row("12 ingest batch by PUT", "PUT /ingest/batch HTTP/1.1\r\n" + kHost + "\r\n", 405,
        "method_not_allowed", false, "allow: POST");
    row("12 ingest sync by DELETE", "DELETE /ingest/sync HTTP/1.1\r\n" + kHost + "\r\n", 405,
        "method_not_allowed", false, "allow: POST");
    row("15 ingest compressed", post(kEvent, "/ingest", kToken + "Content-Encoding: gzip\r\n"), 415,
        "unsupported_media_type", false, "accept-encoding: identity");
    row("ingest beside its routes", post(kEvent, "/ingest/other"), 404, "not_found");
}

} // namespace

QList<TableRow> ingestTable()
{
    QList<TableRow> rows;
    addTokens(rows);
    addMalformed(rows);
    addBatches(rows);
    addServed(rows);
    addRefused(rows);
    return rows;
}

} // namespace redrive::test
