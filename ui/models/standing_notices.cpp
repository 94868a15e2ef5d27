#include "ui/models/standing_notices.h"

#include "ui/models/format.h"

#include <QCoreApplication>

namespace redrive {

namespace {

constexpr qint64 kWarnMs = 30 * 86'400'000LL;

QString words(const char* text)
{
    return QCoreApplication::translate("Notices", text);
}

} // namespace

QStringList standingNotices(const EngineHealth& health, qint64 nowMs)
{
    QStringList notices;
    if (health.insecureListen)
        notices.append(words("HTTP is open to everybody who reaches this machine: insecure_listen is on."));
    if (health.certificateEndsAtMs) {
        const qint64 leftMs = *health.certificateEndsAtMs - nowMs;
        if (leftMs <= 0)
            notices.append(words("The TLS certificate has ended: clients refuse it. Renew its files."));
        else if (leftMs < kWarnMs)
            notices.append(words("The TLS certificate ends in %1. A renewed file is taken over by itself.")
                               .arg(format::duration(leftMs)));
    }
    if (!health.certificateProblem.isEmpty())
        notices.append(words("The TLS files cannot be used as they are now, the former ones serve on: %1.")
                           .arg(format::firstLine(health.certificateProblem)));
    for (const AlertFailure& failure : health.alertFailures)
        notices.append(
            failure.sinceMs > 0
                ? words("Alerts have not arrived at %1 for %2: %3. They are posted again; the Activity "
                        "page shows them.")
                      .arg(format::firstLine(failure.place), format::duration(nowMs - failure.sinceMs),
                           format::firstLine(failure.error))
                : words("Alerts cannot be posted to %1: %2.")
                      .arg(format::firstLine(failure.place), format::firstLine(failure.error)));
    if (const auto& problem = health.archive.writing)
        notices.append(words("The archive could not be written for %1: %2. Letters that are due stay in the "
                             "database until it can.")
                           .arg(format::duration(nowMs - problem->sinceMs), format::firstLine(problem->why)));
    if (const auto& problem = health.archive.copying)
        notices.append(words("The archive's files could not be copied for %1: %2. It is tried again.")
                           .arg(format::duration(nowMs - problem->sinceMs), format::firstLine(problem->why)));
    if (health.offlineSinceMs)
        notices.append(
            words("Offline for %1: no endpoint beyond this machine can be reached. Deliveries wait, use "
                  "up no retries and go on by themselves.")
                .arg(format::duration(nowMs - *health.offlineSinceMs)));
    if (!health.telemetry.waitsBecause.isEmpty())
        notices.append(words("Events wait, system_telemetry takes none of them: %1. They are tried again.")
                           .arg(format::firstLine(health.telemetry.waitsBecause)));
    return notices;
}

} // namespace redrive
