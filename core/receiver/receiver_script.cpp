#include "core/receiver/receiver_script.h"

#include "core/base/json_gate.h"
#include "core/base/json_slice.h"

namespace redrive {

namespace {

Result<Behaviours> readStep(const JsonSlice& value)
{
    if (value.isString())
        return behavioursOf(value.toUtf8().value_or(QByteArray()));
    if (!value.isObject())
        return fail(
            ErrorKind::InvalidInput,
            u"must be a path such as \"/status/503\", an object such as {\"status\": 503}, or a list of them"_s);
    Behaviour behaviour;
    for (JsonMembers at(value); at.next();) {
        const JsonSlice& property = at.value();
        const auto text = property.isString() ? property.toUtf8() : std::optional(property.bytes());
        REDRIVE_ASSIGN(known, setProperty(behaviour, at.key(), text.value_or(QByteArray())));
        if (!known)
            return fail(ErrorKind::InvalidInput,
                        u"there is no property '%1'"_s.arg(QString::fromUtf8(at.key())));
    }
    return Behaviours{behaviour};
}

Result<Behaviours> readSteps(const JsonSlice& value)
{
    if (!value.isArray())
        return readStep(value);
    Behaviours steps;
    for (JsonElements at(value); at.next();) {
        REDRIVE_ASSIGN(step, readStep(at.value()));
        steps += step;
    }
    if (steps.isEmpty() || steps.size() > kMostSteps)
        return fail(ErrorKind::InvalidInput, u"a list has 1 to %1 steps"_s.arg(kMostSteps));
    return steps;
}

} // namespace

Result<ReceiverScript> ReceiverScript::read(const QByteArray& json)
{
    if (const auto fault = checkJson(json))
        return fail(ErrorKind::InvalidInput, u"the script is no JSON"_s, fault->text());
    const JsonSlice root{QByteArrayView(json)};
    if (!root.isObject())
        return fail(ErrorKind::InvalidInput, u"the script must be a JSON object of paths"_s);
    ReceiverScript script;
    script.m_text = json;
    for (JsonMembers at(root); at.next();) {
        const QByteArray path = at.key();
        auto steps = readSteps(at.value());
        if (!path.startsWith('/') || path.startsWith("/_"))
            steps = fail(ErrorKind::InvalidInput, u"a path begins with \"/\", and not with \"/_\""_s);
        if (!steps)
            return fail(ErrorKind::InvalidInput,
                        u"%1: %2"_s.arg(QString::fromUtf8(path), steps.error().message));
        if (path.endsWith('*'))
            script.m_prefixes[path.chopped(1)] = *steps;
        else
            script.m_paths[path] = *steps;
    }
    return script;
}

const Behaviours* ReceiverScript::find(const QByteArray& path) const
{
    if (const auto exact = m_paths.find(path); exact != m_paths.end())
        return &exact->second;
    const Behaviours* longest = nullptr;
    qsizetype most = -1;
    for (const auto& [prefix, steps] : m_prefixes)
        if (path.startsWith(prefix) && prefix.size() > most) {
            most = prefix.size();
            longest = &steps;
        }
    return longest;
}

} // namespace redrive
