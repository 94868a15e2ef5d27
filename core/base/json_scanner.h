// The tokens of JSON text for the gate: strings, numbers, words. Every function leaves `false` behind it with
// the fault noted. Not thread-safe.
#pragma once

#include "core/base/json_fault.h"

#include <QByteArrayView>

namespace redrive {

class JsonScanner final
{
public:
    explicit JsonScanner(QByteArrayView text)
        : m_begin(text.data()), m_at(text.data()), m_end(text.data() + text.size())
    {
    }

    bool atEnd() const { return m_at == m_end; }
    const char* at() const { return m_at; }
    bool sees(char c) const { return m_at < m_end && *m_at == c; }
    bool take(char c)
    {
        if (!sees(c))
            return false;
        ++m_at;
        return true;
    }
    void skipSpace()
    {
        while (m_at < m_end && (*m_at == ' ' || *m_at == '\n' || *m_at == '\r' || *m_at == '\t'))
            ++m_at;
    }

    // The scanner stands on the opening quote, the first character of the number or of the word.
    bool string();
    bool number();
    bool literal(QByteArrayView word);

    // Of the last string: what stands between its quotes, and whether it holds escapes.
    QByteArrayView lastString() const { return m_string; }
    bool lastStringEscaped() const { return m_escaped; }

    bool fault(JsonProblem problem, const char* at, const char* what = "");
    // The byte here does not belong here: a NUL and bytes that are no UTF-8 are named as such.
    bool unexpected(const char* what);

    JsonProblem problem() const { return m_problem; }
    qsizetype faultOffset() const { return m_faultAt - m_begin; }
    const char* what() const { return m_what; }

private:
    bool escape();
    bool hex4(const char* at, char16_t& unit);
    bool digits(const char* what);

    const char* const m_begin;
    const char* m_at;
    const char* const m_end;
    QByteArrayView m_string;
    bool m_escaped = false;
    JsonProblem m_problem = JsonProblem::InvalidJson;
    const char* m_faultAt = nullptr;
    const char* m_what = "";
};

} // namespace redrive
