#include "core/intake/head_scanner.h"

#include "core/intake/http_chars.h"

#include <cstring>
#include <limits>

namespace redrive {

namespace {

constexpr qsizetype kMaxMethod = 32;

struct KnownField
{
    QByteArrayView name;
    HttpField field;
    const char* shown;
};

constexpr std::array<KnownField, kHttpFields> kKnown{{
    {"host", HttpField::Host, "Host"},
    {"authorization", HttpField::Authorization, "Authorization"},
    {"content-type", HttpField::ContentType, "Content-Type"},
    {"content-length", HttpField::ContentLength, "Content-Length"},
    {"content-encoding", HttpField::ContentEncoding, "Content-Encoding"},
    {"transfer-encoding", HttpField::TransferEncoding, "Transfer-Encoding"},
    {"expect", HttpField::Expect, "Expect"},
    {"origin", HttpField::Origin, "Origin"},
    {"sec-fetch-site", HttpField::SecFetchSite, "Sec-Fetch-Site"},
    {"idempotency-key", HttpField::IdempotencyKey, "Idempotency-Key"},
}};

const KnownField* knownField(QByteArrayView name)
{
    for (const KnownField& known : kKnown) {
        if (sameWord(name, known.name))
            return &known;
    }
    return nullptr;
}

// One decimal number that fits; nothing else.
std::optional<quint64> decimal(QByteArrayView text)
{
    if (text.isEmpty())
        return std::nullopt;
    quint64 value = 0;
    for (const char c : text) {
        if (c < '0' || c > '9')
            return std::nullopt;
        const auto digit = quint64(c - '0');
        if (value > (std::numeric_limits<quint64>::max() - digit) / 10)
            return std::nullopt;
        value = value * 10 + digit;
    }
    return value;
}

} // namespace

bool sameWord(QByteArrayView a, QByteArrayView b)
{
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) {
               const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? char(c | 0x20) : c; };
               return lower(x) == lower(y);
           });
}

HeadScanner::State HeadScanner::scan(QByteArrayView input)
{
    while (!m_complete) {
        const auto* const found = static_cast<const char*>(
            std::memchr(input.data() + m_seen, '\n', std::size_t(input.size() - m_seen)));
        if (!found) {
            m_seen = input.size();
            return unfinished(input.sliced(m_lineStart)) ? State::NeedMore : State::Failed;
        }
        const qsizetype lineEnd = found - input.data();
        if (!line(input, lineEnd))
            return State::Failed;
        m_seen = m_lineStart = lineEnd + 1;
    }
    return State::Complete;
}

void HeadScanner::reset()
{
    m_seen = m_lineStart = m_requestLine = 0;
    m_fieldsStart = -1;
    m_fields = 0;
    m_complete = m_repeatedCoding = false;
    m_known.fill({});
    m_contentLength.reset();
}

HttpHead HeadScanner::head(QByteArrayView input) const
{
    HttpHead head;
    head.method = input.sliced(m_method.at, m_method.size);
    head.target = input.sliced(m_target.at, m_target.size);
    head.minorVersion = m_minorVersion;
    for (std::size_t i = 0; i < kHttpFields; ++i) {
        if (m_known[i].at >= 0)
            head.fields[i] = input.sliced(m_known[i].at, m_known[i].size);
    }
    head.contentLength = m_contentLength;
    head.chunked = head.has(HttpField::TransferEncoding);
    return head;
}

bool HeadScanner::line(QByteArrayView input, qsizetype lineEnd)
{
    QByteArrayView text = input.sliced(m_lineStart, lineEnd - m_lineStart);
    const bool endsWell = text.endsWith('\r');
    if (endsWell)
        text = text.chopped(1);
    if (m_fieldsStart < 0) {
        // One empty line before a request is tolerated (RFC 9112, 2.2).
        if (text.isEmpty() && endsWell && m_lineStart == 0) {
            m_requestLine = lineEnd + 1;
            return true;
        }
        m_fieldsStart = lineEnd + 1;
        return requestLine(text, endsWell);
    }
    if (text.isEmpty() && endsWell) {
        m_complete = true;
        return finish(input);
    }
    if (lineEnd + 1 - m_fieldsStart > m_limits.headerBytes)
        return failWith(problem::headersTooLarge(m_limits.headerFields, m_limits.headerBytes));
    return fieldLine(text, endsWell);
}

// A line without its end: only its size is judged, in the way line() will judge it.
bool HeadScanner::unfinished(QByteArrayView rest)
{
    if (m_fieldsStart < 0) {
        if (rest.endsWith('\r'))
            rest = rest.chopped(1);
        bool noMethod = false;
        if (isLongTarget(rest, noMethod))
            return failWith(problem::uriTooLong(m_limits.targetBytes));
        return !noMethod || failWith(problem::badRequest());
    }
    const bool mayBeTheEnd = rest == "\r";
    if (!mayBeTheEnd && m_seen - m_fieldsStart > m_limits.headerBytes)
        return failWith(problem::headersTooLarge(m_limits.headerFields, m_limits.headerBytes));
    return true;
}

bool HeadScanner::isLongTarget(QByteArrayView line, bool& noMethod) const
{
    const qsizetype blank = line.first(std::min(line.size(), kMaxMethod + 1)).indexOf(' ');
    noMethod = blank < 0 && line.size() > kMaxMethod;
    if (blank < 0)
        return false;
    const QByteArrayView rest = line.sliced(blank + 1);
    const qsizetype end = rest.indexOf(' ');
    return (end < 0 ? rest.size() : end) > m_limits.targetBytes;
}

bool HeadScanner::requestLine(QByteArrayView line, bool endsWell)
{
    bool noMethod = false;
    if (isLongTarget(line, noMethod))
        return failWith(problem::uriTooLong(m_limits.targetBytes));
    const qsizetype first = line.indexOf(' ');
    const qsizetype last = line.lastIndexOf(' ');
    if (noMethod || !endsWell || first < 0 || last == first)
        return failWith(problem::badRequest());
    const QByteArrayView method = line.first(first);
    const QByteArrayView target = line.sliced(first + 1, last - first - 1);
    const QByteArrayView version = line.sliced(last + 1);
    const bool isVersion = version.size() == 8 && version.startsWith("HTTP/") && version[6] == '.' &&
                           decimal(version.sliced(5, 1)) && decimal(version.sliced(7, 1));
    if (!http::isToken(method) || !http::isTarget(target) || !isVersion)
        return failWith(problem::badRequest());
    if (version != "HTTP/1.1" && version != "HTTP/1.0")
        return failWith(problem::versionNotSupported());
    m_method = {m_lineStart, method.size()};
    m_target = {m_lineStart + first + 1, target.size()};
    m_minorVersion = version.back() - '0';
    return true;
}

bool HeadScanner::fieldLine(QByteArrayView line, bool endsWell)
{
    if (++m_fields > m_limits.headerFields)
        return failWith(problem::headersTooLarge(m_limits.headerFields, m_limits.headerBytes));
    const qsizetype colon = line.indexOf(':');
    if (!endsWell || colon < 0 || !http::isToken(line.first(colon)) ||
        !http::isFieldValue(line.sliced(colon + 1)))
        return failWith(problem::badHeader());
    const KnownField* const known = knownField(line.first(colon));
    if (!known)
        return true;
    const QByteArrayView value = http::trimmed(line.sliced(colon + 1));
    const Span span{m_lineStart + (value.data() - line.data()), value.size()};
    if (m_known[std::size_t(known->field)].at < 0)
        return note(known->field, span, value);
    if (known->field == HttpField::ContentLength)
        return failWith(problem::badContentLength());
    if (known->field != HttpField::TransferEncoding)
        return failWith(problem::duplicateHeader(known->shown));
    m_repeatedCoding = true;
    return true;
}

bool HeadScanner::note(HttpField name, Span value, QByteArrayView text)
{
    m_known[std::size_t(name)] = value;
    if (name == HttpField::ContentLength) {
        m_contentLength = decimal(text);
        if (!m_contentLength)
            return failWith(problem::badContentLength());
    }
    return true;
}

bool HeadScanner::finish(QByteArrayView input)
{
    const HttpHead read = head(input);
    if (read.has(HttpField::TransferEncoding)) {
        if (read.contentLength)
            return failWith(problem::ambiguousLength());
        if (m_repeatedCoding || !sameWord(read.field(HttpField::TransferEncoding), "chunked"))
            return failWith(problem::unsupportedTransferEncoding());
        if (m_minorVersion == 0)
            return failWith(problem::badHeader());
    }
    if (m_minorVersion > 0 && read.field(HttpField::Host).isEmpty())
        return failWith(problem::hostRequired());
    return true;
}

bool HeadScanner::failWith(HttpProblem problem)
{
    m_problem = std::move(problem);
    return false;
}

} // namespace redrive
