#include "core/telemetry/telemetry_event.h"

#include "core/base/json_gate.h"
#include "core/base/json_slice.h"

namespace redrive {

namespace {

TelemetryField field(const JsonSlice& value, const QString& fallback)
{
    if (!value.exists() || value.type() == JsonType::Null)
        return {fallback, {}};
    if (!value.isString())
        return {{}, value.bytes()};
    const QString text = value.toText().value_or(QString());
    return {text.isEmpty() ? fallback : text, {}};
}

} // namespace

Result<NewTelemetry> telemetryRow(const QString& id, const QByteArray& body, qint64 sentAtMs)
{
    if (const auto fault = checkJson(body))
        return fail(ErrorKind::InvalidInput, u"the event is refused"_s, fault->text());
    static const QString audit = u"audit"_s;
    static const QString system = u"system"_s;
    NewTelemetry row;
    row.id = id;
    row.payload = body;
    row.createdAtMs = sentAtMs;
    JsonSlice source;
    JsonSlice tenantId;
    JsonMembers members((JsonSlice(body)));
    while (members.next()) {
        if (members.keyIs("source"))
            source = members.value();
        else if (members.keyIs("tenantId"))
            tenantId = members.value();
    }
    row.source = field(source, audit);
    row.tenantId = field(tenantId, system);
    return row;
}

} // namespace redrive
