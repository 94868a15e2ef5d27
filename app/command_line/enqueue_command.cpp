#include "app/command_line/commands.h"
#include "app/command_line/output.h"
#include "app/command_line/payload_input.h"
#include "app/place.h"
#include "core/engine/lone_turn.h"
#include "core/intake/payload_check.h"
#include "core/jobs/enqueue.h"

#include <algorithm>

namespace redrive {

namespace {

Status checkType(const QString& type)
{
    const bool controls =
        std::any_of(type.begin(), type.end(), [](QChar c) { return c.category() == QChar::Other_Control; });
    if (type.size() > 255 || controls)
        return fail(ErrorKind::InvalidInput, u"a type has 1 to 255 characters and no control characters"_s);
    return {};
}

Result<QString> enqueue(const Place& place, const QString& type, const QByteArray& payload,
                        std::optional<qint64> delayMs)
{
    QStringList notices;
    REDRIVE_ASSIGN(db, openForWork(place, notices));
    for (const QString& notice : notices)
        printNotice(notice);
    QString id;
    REDRIVE_TRY(runLoneTurn(*db, SystemClock(), [&](Cycle& cycle) -> Status {
        REDRIVE_ASSIGN(made, insertJobAndMessage(cycle, place.settings, {type, payload, delayMs}));
        id = made;
        return {};
    }));
    return id;
}

} // namespace

int runEnqueue(const Invocation& invocation)
{
    const QString& type = invocation.names.first();
    if (const auto checked = checkType(type); !checked)
        return failed(checked.error());
    auto payload = payloadInput(invocation.payload.value_or(u"null"_s));
    if (!payload)
        return failed(payload.error());
    *payload = payload->trimmed();
    const auto place = findPlace(invocation);
    if (!place)
        return failed(place.error());
    if (const auto checked = checkPayload(type, *payload, PayloadRules(place->settings.processFileRoots));
        !checked)
        return failed(checked.error());
    std::optional<qint64> delayMs;
    if (invocation.delaySeconds)
        delayMs = *invocation.delaySeconds * 1000;
    const auto id = enqueue(*place, type, *payload, delayMs);
    if (!id)
        return failed(id.error());
    if (invocation.json)
        JsonLine().add("jobId", *id).print();
    else
        printLine(*id);
    return exit_code::kDone;
}

} // namespace redrive
