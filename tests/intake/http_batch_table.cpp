#include "tests/intake/http_table.h"

namespace redrive::test {

namespace {

const QByteArray kHost = "Host: localhost:8787\r\n";

QByteArray post(const QByteArray& body, const QByteArray& headers = {})
{
    return "POST /jobs/batch HTTP/1.1\r\n" + kHost + headers +
           "Content-Length: " + QByteArray::number(body.size()) + "\r\n\r\n" + body;
}

} // namespace

// POST /jobs/batch: what rows 3, 16-21, 23 and 24 say, with the index of the job.
QList<TableRow> batchTable()
{
    QList<TableRow> rows;
    const auto row = [&](const char* name, const QByteArray& body, int status, const char* code,
                         const char* text = "", const char* field = "", int index = -1, int offset = -1) {
        rows.append({.name = name,
                     .request = post(body),
                     .status = status,
                     .code = code,
                     .text = text,
                     .field = field,
                     .offset = offset,
                     .index = index});
    };
    const auto served = [&](const char* name, const QByteArray& request) {
        rows.append({.name = name, .request = request, .status = 202, .code = "", .calls = 1});
    };
    const QByteArray job = "{\"type\":\"a\"}";
    const auto list = [&](int count) { return "[" + (job + ",").repeated(count - 1) + job + "]"; };
    served("batch array", post(list(2)));
    served("batch of 100", post(list(100)));
    served("batch of one", post(" \r\n[ " + job + " ]\n"));
    served("batch of lines", post(job + "\r\n\n" + job));
    served("batch of one line", post(job, "Content-Type: application/x-ndjson\r\n"));
    served("batch of 100 lines", post((job + "\n").repeated(100)));
    const QByteArray large = "{\"type\":\"a\",\"payload\":\"" + QByteArray(128'000 - 25, 'x') + "\"}";
    served("batch of the largest", post(" " + large + "\n" + job));

    const char* const count = "A batch must hold 1 to 100 jobs.";
    row("batch of 101", list(101), 422, "invalid_field", count);
    row("batch of 101 lines", (job + "\n").repeated(101), 422, "invalid_field", count);
    row("batch of none", "[]", 422, "invalid_field", count);
    row("batch empty", "", 400, "invalid_json", "", "", -1, 0);
    row("batch of blank lines", "\r\n \n", 400, "invalid_json", "", "", -1, 4);
    row("batch with a number", "[" + job + ",5]", 422, "invalid_field", "A job must be a JSON object.", "",
        1);
    row("batch with a list", "[[" + job + "]]", 422, "invalid_field", "A job must be a JSON object.", "", 0);
    row("batch without a type", job + "\n{\"payload\":1}", 422, "invalid_field",
        "'type' must be text of 1 to 255 characters without control characters.", "type", 1);
    row("batch with a delay", "[{\"type\":\"a\",\"delaySeconds\":86401}]", 422, "invalid_field",
        "'delaySeconds' must be a whole number from 0 to 86400.", "delaySeconds", 0);
    row("batch broken array", "[" + job + ",{\"a\":1", 400, "invalid_json", "", "", -1, 20);
    row("batch broken line", job + "\n{\"a\":01}", 400, "invalid_json", "", "", 1, 19);
    row("batch text after the end", list(1) + job, 400, "invalid_json", "", "", -1, 14);
    row("batch not UTF-8", job + "\n{\"a\":\"\xff\"}", 400, "invalid_utf8", "Invalid UTF-8 at byte 19.", "",
        1, 19);
    row("batch with a key twice", "[" + job + ",{\"type\":\"a\",\"type\":\"b\"}]", 400, "duplicate_key",
        "Key 'type' appears twice.", "type", 1);
    row("batch with NUL", job + "\n{\"type\":\"a\",\"payload\":{\"name\":\"\\u0000\"}}", 422,
        "invalid_characters", "NUL characters are not allowed.", "payload.name", 1);
    row("batch too deep", "[" + QByteArray(64, '[') + QByteArray(64, ']') + "]", 400, "json_too_deep",
        "JSON is nested deeper than 64 levels.");
    row("batch with a large job", job + "\n" + QByteArray(large).insert(24, 'x'), 413, "body_too_large",
        "Job 1 is larger than 128000 bytes.", "", 1);
    row("batch with a URL",
        job + "\n{\"type\":\"webhook_fanout\",\"payload\":{\"endpoints\":[{\"url\":\"ftp://x/\"}]}}", 422,
        "url_not_allowed", "", "payload.endpoints[0].url", 1);
    row("batch with a path", job + "\n{\"type\":\"process_file\",\"payload\":{\"path\":\"/dev/zero\"}}", 422,
        "path_not_allowed", "The file is outside the allowed folders or is not a regular file.",
        "payload.path", 1);
    const auto refused = [&](const char* name, const QByteArray& request, int status, const char* code,
                             const char* text, bool close, const char* header = "") {
        rows.append({.name = name,
                     .request = request,
                     .status = status,
                     .code = code,
                     .close = close,
                     .text = text,
                     .header = header});
    };
    const QByteArray head = "POST /jobs/batch HTTP/1.1\r\n" + kHost;
    const char* const tooLarge = "Body is larger than 256000 bytes.";
    refused("batch of 256001 bytes", head + "Content-Length: 256001\r\n\r\nx", 413, "body_too_large",
            tooLarge, true);
    refused("batch chunk of 256001 bytes", head + "Transfer-Encoding: chunked\r\n\r\n3e801\r\nx", 413,
            "body_too_large", tooLarge, true);
    refused("batch without length", head + "\r\n", 411, "length_required",
            "Send Content-Length or chunked encoding.", true);
    refused("batch by GET", "GET /jobs/batch HTTP/1.1\r\n" + kHost + "\r\n", 405, "method_not_allowed", "",
            false, "allow: POST");
    served("batch of 256000 bytes", post(job + "\n" + job + QByteArray(256'000 - 27, ' ')));
    return rows;
}

} // namespace redrive::test
