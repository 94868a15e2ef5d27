#include "tests/intake/http_table.h"

namespace redrive::test {

namespace {

const QByteArray kHost = "Host: localhost:8787\r\n";

QByteArray post(const QByteArray& body, const QByteArray& headers = {}, const QByteArray& path = "/jobs")
{
    return "POST " + path + " HTTP/1.1\r\n" + kHost + headers +
           "Content-Length: " + QByteArray::number(body.size()) + "\r\n\r\n" + body;
}

QByteArray postRaw(const QByteArray& headers, const QByteArray& rest)
{
    return "POST /jobs HTTP/1.1\r\n" + kHost + headers + "\r\n" + rest;
}

QByteArray get(const QByteArray& path, const QByteArray& headers = {}, const QByteArray& method = "GET")
{
    return method + " " + path + " HTTP/1.1\r\n" + kHost + headers + "\r\n";
}

QByteArray fields(int count)
{
    QByteArray lines;
    for (int i = 0; i < count; ++i)
        lines += "X-" + QByteArray::number(i) + ": 1\r\n";
    return lines;
}

const QByteArray kGood = R"({"type":"noop","payload":{"n":9007199254740993}})";

void addAuthorization(QList<TableRow>& rows)
{
    const char* const text = "A valid bearer token is required.";
    const char* const asks = "www-authenticate: Bearer";
    const auto row = [&](const char* name, const QByteArray& headers) {
        rows.append({.name = name,
                     .request = post(kGood, headers),
                     .status = 401,
                     .code = "unauthorized",
                     .text = text,
                     .header = asks,
                     .token = true});
    };
    row("1 no token", "");
    row("1 malformed token", "Authorization: Bearer\r\n");
    row("1 other scheme", "Authorization: Basic c2VjcmV0\r\n");
    row("1 unknown token", "Authorization: Bearer secret2\r\n");
    row("1 token without scheme", "Authorization: secret\r\n");
    rows.append({.name = "1 token of metrics",
                 .request = get("/metrics"),
                 .status = 401,
                 .code = "unauthorized",
                 .text = text,
                 .header = asks,
                 .token = true});
    rows.append({.name = "1 right token",
                 .request = post(kGood, "Authorization: bearer secret\r\n"),
                 .status = 202,
                 .code = "",
                 .calls = 1,
                 .token = true});
    rows.append({.name = "1 health is open",
                 .request = get("/healthz"),
                 .status = 200,
                 .code = "",
                 .calls = 1,
                 .token = true});
}

void addFraming(QList<TableRow>& rows)
{
    const auto row = [&](const char* name, const QByteArray& request, int status, const char* code,
                         const char* text = "") {
        rows.append(
            {.name = name, .request = request, .status = status, .code = code, .close = true, .text = text});
    };
    const auto twice = [&](const char* name, const QByteArray& line, const char* text) {
        row(name, post(kGood, line + line), 400, "duplicate_header", text);
    };
    twice("2 Authorization", "Authorization: Bearer a\r\n", "Header 'Authorization' appears more than once.");
    twice("2 Content-Type", "Content-Type: application/json\r\n",
          "Header 'Content-Type' appears more than once.");
    twice("2 Idempotency-Key", "Idempotency-Key: a\r\n", "Header 'Idempotency-Key' appears more than once.");
    row("2 Host", post(kGood, "host: localhost\r\n"), 400, "duplicate_header",
        "Header 'Host' appears more than once.");

    const char* const tooLarge = "Body is larger than 128000 bytes.";
    row("3 declared", postRaw("Content-Length: 128001\r\n", "x"), 413, "body_too_large", tooLarge);
    row("3 largest number", postRaw("Content-Length: 18446744073709551615\r\n", "x"), 413, "body_too_large",
        tooLarge);
    row("3 chunk", postRaw("Transfer-Encoding: chunked\r\n", "1f401\r\nx"), 413, "body_too_large", tooLarge);
    row("3 chunks", postRaw("Transfer-Encoding: chunked\r\n", "3\r\n{\"a\r\n1f3fe\r\n"), 413,
        "body_too_large", tooLarge);
    row("4 no length", postRaw("", ""), 411, "length_required", "Send Content-Length or chunked encoding.");

    for (const char* value : {"abc", "-1", "+5", "5, 5", "18446744073709551616", "", "0x5", "5 5", "5;"})
        row("5 bad length", postRaw("Content-Length: " + QByteArray(value) + "\r\n", "{\"a\":"), 400,
            "bad_content_length", "Content-Length must be one decimal number.");
    row("5 two lengths", postRaw("Content-Length: 5\r\nContent-Length: 6\r\n", "hello!"), 400,
        "bad_content_length");
    row("5 the same twice", postRaw("Content-Length: 5\r\nContent-Length: 5\r\n", "hello"), 400,
        "bad_content_length");
    for (const char* coding : {"chunked", "identity", "xchunked"})
        row("6 both lengths",
            postRaw("Content-Length: 5\r\nTransfer-Encoding: " + QByteArray(coding) + "\r\n", "0\r\n\r\nGET"),
            400, "ambiguous_length", "Content-Length and Transfer-Encoding cannot be combined.");
    row("6 the other way", postRaw("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", "0\r\n\r\n"), 400,
        "ambiguous_length");
    for (const char* coding :
         {"xchunked", "gzip, chunked", "chunked, chunked", "identity", "", "chunked;a=b"})
        row("7 coding", postRaw("Transfer-Encoding: " + QByteArray(coding) + "\r\n", "0\r\n\r\n"), 501,
            "unsupported_transfer_encoding");
    row("7 coding twice",
        postRaw("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"), 501,
        "unsupported_transfer_encoding");
    for (const char* size : {"-5", "zz", "ffffffffffffffff0", "", "5 5", "5;=", "+5", "g"})
        row("7 chunk", postRaw("Transfer-Encoding: chunked\r\n", QByteArray(size) + "\r\nhello\r\n0\r\n\r\n"),
            400, "bad_chunk", "Invalid chunk size.");
    row("7 chunk too short", postRaw("Transfer-Encoding: chunked\r\n", "2\r\nhello\r\n0\r\n\r\n"), 400,
        "bad_chunk");
    row("7 chunk with bare LF", postRaw("Transfer-Encoding: chunked\r\n", "5\nhello\n0\n\n\r\n"), 400,
        "bad_chunk");
    row("7 bad trailer", postRaw("Transfer-Encoding: chunked\r\n", "0\r\nno colon\r\n\r\n"), 400,
        "bad_header");

    row("8 target", get("/" + QByteArray(8192, 'a')), 414, "uri_too_long");
    row("8 endless target", "GET /" + QByteArray(20'000, 'a'), 414, "uri_too_long");
    const char* const flood = "Too many or too large headers (limit 64 fields, 16384 bytes).";
    row("9 fields", get("/healthz", fields(64)), 431, "headers_too_large", flood);
    row("9 size", get("/healthz", "X: " + QByteArray(16384, 'a') + "\r\n"), 431, "headers_too_large", flood);
    row("9 endless header", "GET /healthz HTTP/1.1\r\nX: " + QByteArray(40'000, 'a'), 431,
        "headers_too_large", flood);
    row("10 NUL in a value", get("/healthz", QByteArray("X: a\0b\r\n", 8)), 400, "bad_header");
    row("10 NUL in a name", get("/healthz", QByteArray("X\0: a\r\n", 7)), 400, "bad_header");
    row("10 bare CR", get("/healthz", "X: a\rb\r\n"), 400, "bad_header");
    row("10 bare LF", get("/healthz", "X: a\n"), 400, "bad_header");
    row("10 bare LF at the end", "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\n", 400, "bad_header");
    row("10 folded", get("/healthz", "X: a\r\n b\r\n"), 400, "bad_header");
    row("10 folded with tab", get("/healthz", "X: a\r\n\tY: b\r\n"), 400, "bad_header");
    row("10 blank before colon", get("/healthz", "X : a\r\n"), 400, "bad_header");
    row("10 no name", get("/healthz", ": a\r\n"), 400, "bad_header");
    row("10 no colon", get("/healthz", "X\r\n"), 400, "bad_header");
    row("10 control character", get("/healthz", "X: \x01\r\n"), 400, "bad_header");
    row("10 blank first", "GET /healthz HTTP/1.1\r\n Host: localhost\r\n\r\n", 400, "bad_header");
    row("10 HTTP/1.0 and chunks", "POST /jobs HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400,
        "bad_header");
}

void addRequestLines(QList<TableRow>& rows)
{
    const auto row = [&](const char* name, const QByteArray& request, int status, const char* code,
                         bool close = true) {
        rows.append({.name = name, .request = request, .status = status, .code = code, .close = close});
    };
    for (const char* line :
         {"garbage", "GET", "GET /", "GET  / HTTP/1.1", "GET / HTTPx9y7", "GET / HTTP/1.1 ", "GET / http/1.1",
          "GET / HTTP/11", " GET / HTTP/1.1", "G(T / HTTP/1.1", "GET / x HTTP/1.1", "GET /\t HTTP/1.1",
          "GET / HTTP/1.x", "\x16\x03\x01\x02"})
        row("13 bad line", QByteArray(line) + "\r\n" + kHost + "\r\n", 400, "bad_request");
    row("13 bare LF", "GET /healthz HTTP/1.1\nHost: localhost\r\n\r\n", 400, "bad_request");
    row("13 long method", QByteArray(5'000, 'A'), 400, "bad_request");
    row("13 empty lines", "\r\n\r\nGET /healthz HTTP/1.1\r\n" + kHost + "\r\n", 400, "bad_request");
    for (const char* version : {"2.0", "0.9", "1.2", "3.0", "9.9"})
        row("13 version", "PRI * HTTP/" + QByteArray(version) + "\r\n\r\nSM\r\n\r\n", 505,
            "http_version_not_supported");
    row("12 unknown method", get("/jobs", "", "BREW"), 501, "unknown_method", false);
    row("12 lower case", get("/healthz", "", "get"), 501, "unknown_method", false);
    rows.append({.name = "12 DELETE",
                 .request = get("/jobs", "", "DELETE"),
                 .status = 405,
                 .code = "method_not_allowed",
                 .header = "allow: POST"});
    rows.append({.name = "12 GET of jobs",
                 .request = get("/"),
                 .status = 405,
                 .code = "method_not_allowed",
                 .header = "allow: POST"});
    rows.append({.name = "12 POST to a job",
                 .request = post(kGood, "", "/jobs/x"),
                 .status = 405,
                 .code = "method_not_allowed",
                 .header = "allow: GET, HEAD"});
    row("404", get("/nothing"), 404, "not_found", false);
    row("404 with body", post(kGood, "", "/nothing"), 404, "not_found", false);
    row("404 odd path", get("/jobs/a/b"), 404, "not_found", false);
    row("404 job that is no text", get("/jobs/%ff"), 404, "not_found", false);
    row("14 no Host", "GET /healthz HTTP/1.1\r\n\r\n", 400, "host_required");
    row("14 empty Host", "GET /healthz HTTP/1.1\r\nHost:\r\n\r\n", 400, "host_required");
    for (const char* host : {"evil.example", "localhost.evil.example", "127.0.0.1.nip.io", "localhost:80x",
                             "[::1", "evil.example:8787", "localhost@evil.example", "127.0.0.2"})
        rows.append({.name = "14 wrong host",
                     .request = "GET /healthz HTTP/1.1\r\nHost: " + QByteArray(host) + "\r\n\r\n",
                     .status = 421,
                     .code = "wrong_host",
                     .text = "This server does not answer for that host name."});
    row("14 absolute target", get("http://evil.example/healthz"), 421, "wrong_host", false);
    for (const char* origin :
         {"https://evil.example", "null", "http://localhost:3000", "file://", "localhost:8787"})
        row("14 origin", post(kGood, "Origin: " + QByteArray(origin) + "\r\n"), 403, "origin_not_allowed",
            false);
    row("14 cross-site", get("/healthz", "Sec-Fetch-Site: cross-site\r\n"), 403, "origin_not_allowed", false);
    row("417", post(kGood, "Expect: 200-ok\r\n"), 417, "expectation_failed");
    for (const char* line : {"Content-Encoding: gzip", "Content-Type: application/json; charset=latin1",
                             "Content-Type: text/plain;charset=\"iso-8859-1\""})
        rows.append({.name = "15 media",
                     .request = post(kGood, QByteArray(line) + "\r\n"),
                     .status = 415,
                     .code = "unsupported_media_type",
                     .text = "Send application/json in UTF-8, not compressed.",
                     .header = "accept-encoding: identity"});
}

void addBodies(QList<TableRow>& rows)
{
    const auto json = [&](const char* name, const QByteArray& body, int offset, const char* text = "") {
        rows.append({.name = name,
                     .request = post(body),
                     .status = 400,
                     .code = "invalid_json",
                     .text = text,
                     .offset = offset});
    };
    json("16 empty", "", 0);
    json("16 unclosed", "{\"a\":1", 6);
    json("16 leading zero", "{\"a\":01}", 6);
    json("16 point", "{\"a\":1.}", 7, "JSON error at byte 7: a digit was expected after the point.");
    json("16 escape", "{\"a\":\"\\q\"}", 7);
    json("16 newline", "{\"a\":\"\n\"}", 6);
    json("16 NaN", "NaN", 0);
    json("16 after the end", "{} {}", 3);
    for (const char* bad : {"\xff", "\xc0\xaf", "\xed\xa0\x80"})
        rows.append({.name = "17 UTF-8",
                     .request = post("{\"a\":\"" + QByteArray(bad) + "\"}"),
                     .status = 400,
                     .code = "invalid_utf8",
                     .text = "Invalid UTF-8 at byte 6.",
                     .offset = 6});
    rows.append({.name = "18 deep",
                 .request = post(QByteArray(65, '[')),
                 .status = 400,
                 .code = "json_too_deep",
                 .text = "JSON is nested deeper than 64 levels."});
    rows.append({.name = "18 very deep",
                 .request = post(QByteArray(120'000, '[')),
                 .status = 400,
                 .code = "json_too_deep",
                 .text = "JSON is nested deeper than 64 levels."});
    rows.append({.name = "18 keys",
                 .request = post("{" + QByteArray("\"\":1,").repeated(1) + "\"x\":{" +
                                 QByteArray("\"a\":1,").repeated(10'000) + "\"a\":1}}"),
                 .status = 400,
                 .code = "json_too_many_keys"});
    rows.append({.name = "19 duplicate",
                 .request = post("{\"type\":\"a\",\"type\":\"b\"}"),
                 .status = 400,
                 .code = "duplicate_key",
                 .text = "Key 'type' appears twice.",
                 .field = "type"});
    const auto characters = [&](const char* name, const QByteArray& value, const char* text) {
        rows.append({.name = name,
                     .request = post("{\"type\":\"a\",\"payload\":{\"name\":\"" + value + "\"}}"),
                     .status = 422,
                     .code = "invalid_characters",
                     .text = text,
                     .field = "payload.name"});
    };
    characters("20 NUL escaped", "a\\u0000", "NUL characters are not allowed.");
    characters("20 NUL raw", QByteArray("a\0", 2), "NUL characters are not allowed.");
    characters("20 surrogate", "\\ud800", "Unpaired surrogate.");
    const auto invalid = [&](const char* name, const QByteArray& body, const char* field,
                             const char* text = "") {
        rows.append({.name = name,
                     .request = post(body),
                     .status = 422,
                     .code = "invalid_field",
                     .text = text,
                     .field = field});
    };
    const char* const delay = "'delaySeconds' must be a whole number from 0 to 86400.";
    invalid("21 array", "[]", "");
    invalid("21 number", "5", "");
    invalid("21 no type", "{\"payload\":1}", "type");
    invalid("21 empty type", "{\"type\":\"\"}", "type");
    invalid("21 long type", "{\"type\":\"" + QByteArray(300, 'a') + "\"}", "type");
    invalid("21 control character", "{\"type\":\"a\\u0007\"}", "type");
    invalid("21 type number", "{\"type\":5}", "type");
    for (const char* value :
         {"\"high\"", "-1", "86401", "1.5", "1e999", "null", "true", "99999999999999999999"})
        invalid("21 delay", "{\"type\":\"a\",\"delaySeconds\":" + QByteArray(value) + "}", "delaySeconds",
                delay);
    rows.append({.name = "22 empty key",
                 .request = post(kGood, "Idempotency-Key:\r\n"),
                 .status = 422,
                 .code = "invalid_field",
                 .field = "Idempotency-Key"});
    for (const char* url : {"file:///etc/passwd", "http://user@host/", "http://@host/", "not a URL", "",
                            "//host/", "http:///x", "ftp://host/", "http://a b/", "javascript:alert(1)"})
        rows.append({.name = "23 url",
                     .request = post(
                         "{\"type\":\"webhook_fanout\",\"payload\":{\"endpoints\":[{\"id\":\"a\",\"url\":\"" +
                         QByteArray(url) + "\"}]}}"),
                     .status = 422,
                     .code = "url_not_allowed",
                     .field = "payload.endpoints[0].url"});
    for (const char* path : {"../../etc/passwd", "/dev/zero", "/srv/files/../x", ":/icons/x", "qrc:/x",
                             "/srv/filesx/a", "a/../../b"})
        rows.append({.name = "24 path",
                     .request = post("{\"type\":\"process_file\",\"payload\":{\"path\":\"" +
                                     QByteArray(path) + "\"}}"),
                     .status = 422,
                     .code = "path_not_allowed",
                     .text = "The file is outside the allowed folders or is not a regular file.",
                     .field = "payload.path"});
}

void addServed(QList<TableRow>& rows)
{
    const auto row = [&](const char* name, const QByteArray& request, int status, bool close = false) {
        rows.append(
            {.name = name, .request = request, .status = status, .code = "", .close = close, .calls = 1});
    };
    row("served /jobs", post(kGood), 202);
    row("served /", post(kGood, "", "/"), 202);
    row("served with query", post(kGood, "", "/jobs?x=1"), 202);
    row("served form type", post(kGood, "Content-Type: application/x-www-form-urlencoded\r\n"), 202);
    row("served charset", post(kGood, "Content-Type: application/json; charset=UTF-8\r\n"), 202);
    row("served same origin", post(kGood, "Origin: http://localhost:8787\r\n"), 202);
    row("served after an empty line", "\r\n" + post(kGood), 202);
    row("served absolute target", get("http://127.0.0.1:8787/healthz"), 200);
    row("served chunks",
        postRaw("Transfer-Encoding: chunked\r\n",
                "3;x=y\r\n{\"t\r\n00c\r\nype\":\"noop\"}\r\n0\r\nTrailer: 1\r\n\r\n"),
        202);
    row("served HTTP/1.0", "POST /jobs HTTP/1.0\r\nContent-Length: 15\r\n\r\n{\"type\":\"noop\"}", 202, true);
    row("served and closed", post(kGood, "Connection: close\r\n"), 202, true);
    row("served 64 fields", get("/healthz", fields(63)), 200);
    row("served 16384 bytes", get("/healthz", "X: " + QByteArray(16384 - 5 - kHost.size(), 'a') + "\r\n"),
        200);
    row("served largest body",
        post("{\"type\":\"noop\",\"payload\":\"" + QByteArray(128'000 - 28, 'a') + "\"}"), 202);
    row("served job", get("/jobs/019a0000-0000-7000-8000-000000000000"), 200);
    row("served job by escapes", get("/jobs/%30%319a0000-0000-7000-8000-000000000000"), 200);
    row("served metrics", get("/metrics"), 200);
    row("served guessed folder", post("{\"type\":\"process_file\",\"payload\":{\"path\":\"a/../b.txt\"}}"),
        202);
    row("served loopback endpoint",
        post("{\"type\":\"webhook_fanout\",\"payload\":{\"endpoints\":[{\"id\":\"a\",\"url\":\"http://"
             "2130706433/\"},"
             "{\"id\":\"b\"}]}}"),
        202);
    rows.append({.name = "404 unknown job",
                 .request = get("/jobs/nobody"),
                 .status = 404,
                 .code = "not_found",
                 .calls = 1});
    rows.append({.name = "404 target of 8192",
                 .request = get("/" + QByteArray(8191, 'a')),
                 .status = 404,
                 .code = "not_found"});
}

} // namespace

QList<TableRow> httpTable()
{
    QList<TableRow> rows;
    addAuthorization(rows);
    addFraming(rows);
    addRequestLines(rows);
    addBodies(rows);
    addServed(rows);
    rows += batchTable();
    rows += ingestTable();
    return rows;
}

} // namespace redrive::test
