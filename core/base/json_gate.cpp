#include "core/base/json_gate.h"

#include "core/base/json_chars.h"
#include "core/base/json_keys.h"
#include "core/base/json_path.h"
#include "core/base/json_scanner.h"
#include "core/base/json_text.h"

#include <algorithm>
#include <deque>

namespace redrive {

namespace {

class JsonGate final
{
public:
    JsonGate(QByteArrayView text, const JsonLimits& limits)
        : m_scan(text), m_limits(limits), m_maxDepth(std::clamp(limits.depth, 1, JsonPath::kMaxDepth))
    {
    }

    bool pass();
    JsonFault fault() const;

private:
    enum class State { Value, ArrayStart, ObjectStart, Key, AfterValue };

    bool value(State& next);
    bool open(bool array);
    bool key();
    bool isNewKey();
    bool separator(State& next);

    JsonScanner m_scan;
    const JsonLimits m_limits;
    const int m_maxDepth;
    JsonPath m_path;
    int m_keys = 0;
    JsonKeySet m_topKeys;
    std::deque<QByteArray> m_decodedKeys; // what m_topKeys points into, for keys with escapes
};

bool JsonGate::pass()
{
    State state = State::Value;
    for (;;) {
        m_scan.skipSpace();
        const bool empty = (state == State::ArrayStart && m_scan.take(']')) ||
                           (state == State::ObjectStart && m_scan.take('}'));
        if (empty) {
            m_path.leave();
            state = State::AfterValue;
            continue;
        }
        switch (state) {
        case State::Value:
        case State::ArrayStart:
            if (!value(state))
                return false;
            break;
        case State::Key:
        case State::ObjectStart:
            if (!key())
                return false;
            state = State::Value;
            break;
        case State::AfterValue:
            if (m_path.depth() == 0)
                return m_scan.atEnd() || m_scan.unexpected("text after the end");
            if (!separator(state))
                return false;
            break;
        }
    }
}

bool JsonGate::value(State& next)
{
    next = State::AfterValue;
    switch (m_scan.atEnd() ? '\0' : *m_scan.at()) {
    case '{':
        next = State::ObjectStart;
        return open(false);
    case '[':
        next = State::ArrayStart;
        return open(true);
    case '"':
        return m_scan.string();
    case 't':
        return m_scan.literal("true");
    case 'f':
        return m_scan.literal("false");
    case 'n':
        return m_scan.literal("null");
    default:
        if (!m_scan.atEnd() && (m_scan.sees('-') || json::isDigit(*m_scan.at())))
            return m_scan.number();
        return m_scan.unexpected("a value was expected");
    }
}

bool JsonGate::open(bool array)
{
    if (m_path.depth() == m_maxDepth)
        return m_scan.fault(JsonProblem::TooDeep, m_scan.at());
    m_scan.take(array ? '[' : '{');
    m_path.enter(array);
    return true;
}

bool JsonGate::key()
{
    if (!m_scan.sees('"'))
        return m_scan.unexpected("a key in double quotes was expected");
    m_path.clearKey();
    const char* const start = m_scan.at();
    if (!m_scan.string())
        return false;
    if (++m_keys > m_limits.keys)
        return m_scan.fault(JsonProblem::TooManyKeys, start);
    m_path.setKey(m_scan.lastString());
    if (m_path.depth() == 1 && m_limits.uniqueTopKeys && !isNewKey())
        return m_scan.fault(JsonProblem::DuplicateKey, start);
    m_scan.skipSpace();
    return m_scan.take(':') || m_scan.unexpected("':' was expected");
}

bool JsonGate::isNewKey()
{
    if (!m_scan.lastStringEscaped())
        return m_topKeys.insert(m_scan.lastString());
    return m_topKeys.insert(m_decodedKeys.emplace_back(decodeJsonString(m_scan.lastString())));
}

bool JsonGate::separator(State& next)
{
    const bool array = m_path.inArray();
    if (m_scan.take(',')) {
        if (array)
            m_path.nextElement();
        next = array ? State::Value : State::Key;
        return true;
    }
    if (m_scan.take(array ? ']' : '}')) {
        m_path.leave();
        next = State::AfterValue;
        return true;
    }
    return m_scan.unexpected(array ? "',' or ']' was expected" : "',' or '}' was expected");
}

JsonFault JsonGate::fault() const
{
    JsonFault fault;
    fault.problem = m_scan.problem();
    fault.offset = m_scan.faultOffset();
    fault.what = m_scan.what();
    fault.limit = fault.problem == JsonProblem::TooDeep ? m_maxDepth : m_limits.keys;
    fault.field = m_path.text();
    if (fault.problem == JsonProblem::DuplicateKey)
        fault.key = m_path.lastKey();
    return fault;
}

} // namespace

std::optional<JsonFault> checkJson(QByteArrayView text, const JsonLimits& limits)
{
    JsonGate gate(text, limits);
    if (gate.pass())
        return std::nullopt;
    return gate.fault();
}

} // namespace redrive
