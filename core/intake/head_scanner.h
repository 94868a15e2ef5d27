// The check of the raw header block, before Beast sees it: what Beast alone lets through (folded lines,
// repeated fields, lists of lengths, unknown codings, bare line ends) and the limits. It judges whole lines
// in their order, so that the verdict does not depend on how the bytes arrive. Source: RFC 9112.
// Not thread-safe.
#pragma once

#include "core/intake/http_head.h"
#include "core/intake/http_limits.h"
#include "core/intake/http_problem.h"

namespace redrive {

class HeadScanner final
{
public:
    enum class State { NeedMore, Complete, Failed };

    explicit HeadScanner(const HttpLimits& limits) : m_limits(limits) {}

    // `input` starts with the first byte of the request at every call and only grows.
    State scan(QByteArrayView input);
    void reset();

    bool started() const { return m_lineStart > 0 || m_seen > 0; }
    // After Complete: the bytes of the head with its empty line, and an empty line before it.
    qsizetype size() const { return m_lineStart; }
    qsizetype skipped() const { return m_requestLine; } // of those, before the request line
    HttpHead head(QByteArrayView input) const;
    // After Failed.
    const HttpProblem& problem() const { return m_problem; }

private:
    struct Span
    {
        qsizetype at = -1; // -1: not there
        qsizetype size = 0;
    };

    bool line(QByteArrayView input, qsizetype lineEnd);
    bool unfinished(QByteArrayView rest);
    bool requestLine(QByteArrayView line, bool endsWell);
    bool fieldLine(QByteArrayView line, bool endsWell);
    bool note(HttpField name, Span value, QByteArrayView text);
    bool finish(QByteArrayView input);
    bool failWith(HttpProblem problem);
    bool isLongTarget(QByteArrayView line, bool& noMethod) const;

    const HttpLimits& m_limits;
    qsizetype m_seen = 0;      // searched for a line end so far
    qsizetype m_lineStart = 0; // of the line being read
    qsizetype m_requestLine = 0;
    qsizetype m_fieldsStart = -1; // -1: the request line is not read yet
    int m_fields = 0;
    bool m_complete = false;
    bool m_repeatedCoding = false;
    Span m_method;
    Span m_target;
    int m_minorVersion = 1;
    std::array<Span, kHttpFields> m_known;
    std::optional<quint64> m_contentLength;
    HttpProblem m_problem;
};

} // namespace redrive
