#include "core/intake/http_parser.h"

#include "core/intake/beast_request.h"

#include <optional>

namespace redrive {

namespace {
// More than a line with a chunk size, or the trailer fields, may take before they are complete.
constexpr qsizetype kMaxChunkLines = 16384;
constexpr std::size_t kKeptCapacity = 16384;
} // namespace

class BeastRequest final
{
public:
    std::string body;
    std::optional<BeastParser> parser;
};

HttpParser::HttpParser(const HttpLimits& limits)
    : m_limits(limits), m_scanner(limits), m_beast(std::make_unique<BeastRequest>())
{
}

HttpParser::~HttpParser() = default;

HttpParser::Event HttpParser::advance(QByteArrayView input, qsizetype& consumed)
{
    consumed = 0;
    return m_inBody ? readBody(input, consumed) : readHead(input, consumed);
}

HttpParser::Event HttpParser::readHead(QByteArrayView input, qsizetype& consumed)
{
    switch (m_scanner.scan(input)) {
    case HeadScanner::State::NeedMore:
        return Event::NeedMore;
    case HeadScanner::State::Failed:
        return failWith(m_scanner.problem());
    case HeadScanner::State::Complete:
        break;
    }
    m_head = m_scanner.head(input);
    const QByteArrayView head = input.sliced(m_scanner.skipped(), m_scanner.size() - m_scanner.skipped());
    BeastParser& parser = m_beast->parser.emplace(
        m_beast->body, std::uint32_t(2 * (m_limits.targetBytes + m_limits.headerBytes)));
    BeastParser::error_code error;
    const std::size_t read = parser.put({head.data(), std::size_t(head.size())}, error);
    if (error || read != std::size_t(head.size()) || !parser.is_header_done())
        return failWith(problem::badHeader());
    if (m_head.chunked != parser.chunked() || m_head.hasBody() == parser.is_done())
        return failWith(problem::badRequest()); // two readings of one request
    setBodyLimit(m_limits.bodyBytes);
    consumed = m_scanner.size();
    m_inBody = true;
    return Event::Head;
}

HttpParser::Event HttpParser::readBody(QByteArrayView input, qsizetype& consumed)
{
    using Problem = boost::beast::http::error;
    BeastParser& parser = *m_beast->parser;
    BeastParser::error_code error;
    if (!parser.is_done() && !input.isEmpty())
        consumed = qsizetype(parser.put({input.data(), std::size_t(input.size())}, error));
    if (error && error != Problem::need_more) {
        if (error == Problem::body_limit)
            return failWith(problem::bodyTooLarge(m_bodyLimit));
        if (error == Problem::header_limit)
            return failWith(problem::headersTooLarge(m_limits.headerFields, m_limits.headerBytes));
        const bool chunk = error == Problem::bad_chunk || error == Problem::bad_chunk_extension ||
                           error == Problem::bad_line_ending;
        return failWith(chunk ? problem::badChunk() : problem::badHeader());
    }
    if (parser.is_done())
        return Event::Message;
    return input.size() - consumed > kMaxChunkLines ? failWith(problem::badChunk()) : Event::NeedMore;
}

void HttpParser::reset()
{
    m_scanner.reset();
    m_inBody = false;
    m_beast->body.clear();
    if (m_beast->body.capacity() > kKeptCapacity)
        m_beast->body.shrink_to_fit();
}

bool HttpParser::keepAlive() const
{
    return m_head.minorVersion > 0 && m_beast->parser && m_beast->parser->keep_alive();
}

void HttpParser::setBodyLimit(qint64 bytes)
{
    m_bodyLimit = bytes;
    m_beast->parser->body_limit(std::uint64_t(bytes));
}

void HttpParser::dropBody()
{
    m_beast->parser->dropBody = true;
}

QByteArrayView HttpParser::body() const
{
    return {m_beast->body.data(), qsizetype(m_beast->body.size())};
}

qint64 HttpParser::bodyReceived() const
{
    return m_beast->parser ? m_beast->parser->received : 0;
}

HttpParser::Event HttpParser::failWith(HttpProblem problem)
{
    m_problem = std::move(problem);
    return Event::Failed;
}

} // namespace redrive
