#include "core/intake/payload_check.h"

#include "core/base/json_gate.h"
#include "core/queue/send.h"

#include <QUtf8StringView>

namespace redrive {

namespace {

// Over HTTP the payload stands one level deep in a body of which only the outermost keys must differ.
constexpr JsonLimits kInsideABody{63, 10'000, false};

Status checkSize(QByteArrayView bytes)
{
    if (bytes.size() > kMaxMessageBytes)
        return fail(ErrorKind::InvalidInput,
                    u"a payload may have %1 bytes, this one has %2"_s.arg(kMaxMessageBytes).arg(bytes.size()),
                    {}, u"payload"_s);
    return {};
}

Status checkText(QByteArrayView json)
{
    if (const auto fault = checkJson(json, kInsideABody))
        return fail(ErrorKind::InvalidInput, u"the payload is refused"_s, fault->text(), u"payload"_s);
    return {};
}

} // namespace

Status checkPayload(QStringView type, QByteArrayView payload, const PayloadRules& rules)
{
    REDRIVE_TRY(checkSize(payload));
    REDRIVE_TRY(checkText(payload));
    if (const auto problem = rules.check(type, JsonSlice(payload)))
        return fail(ErrorKind::InvalidInput, u"the payload is refused"_s,
                    problem->field.isEmpty() ? problem->text : problem->field + u": "_s + problem->text,
                    u"payload"_s);
    return {};
}

Status checkBody(ContentType type, QByteArrayView body)
{
    REDRIVE_TRY(checkSize(body));
    if (type == ContentType::Json)
        return checkText(body);
    if (type == ContentType::Text && (!QUtf8StringView(body).isValidUtf8() || body.contains('\0')))
        return fail(ErrorKind::InvalidInput, u"the body must be UTF-8 without NUL characters"_s, {},
                    u"payload"_s);
    return {};
}

} // namespace redrive
