// Collects one answer as it arrives and knows when to stop: 64 KiB of headers, 64 KiB of body. Not
// thread-safe.
#pragma once

#include <QByteArray>

#include <optional>

namespace redrive {

class ResponseBuffer final
{
public:
    // One header line with its line end, the status line and the empty line included. False: too many.
    bool takeHeader(QByteArrayView line);
    // False: enough has come, read no further.
    bool takeBody(QByteArrayView part);

    bool headersComplete() const { return m_headersComplete; }
    // libcurl takes any HTTP/x status line.
    bool isHttp1() const { return m_headers.startsWith("HTTP/1."); }
    bool headersTooLarge() const;
    bool bodyCut() const { return m_bodyCut; }

    // Of the final answer: status line and fields, without the empty line, trailers and informational
    // answers.
    const QByteArray& headers() const { return m_headers; }
    const QByteArray& body() const { return m_body; }
    // A field's trimmed value; the first one where it is repeated.
    std::optional<QByteArray> field(QByteArrayView name) const;

private:
    QByteArray m_headers;
    QByteArray m_body;
    qsizetype m_headerBytes = 0; // everything that came as header, dropped or not
    bool m_headersComplete = false;
    bool m_bodyCut = false;
};

} // namespace redrive
