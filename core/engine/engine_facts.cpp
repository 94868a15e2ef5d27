#include "core/engine/engine_facts.h"

#include "core/config/listen_address.h"
#include "core/deadletter/archive_uploads.h"

namespace redrive {

EngineFacts factsOf(const Settings& settings)
{
    const RetentionSettings& kept = settings.retention;
    EngineFacts facts;
    facts.configurationFile = settings.sourceFile;
    facts.settingsFile = settings.redriveFile;
    facts.environment = settings.environment;
    facts.listen = settings.listen;
    facts.listenTls = settings.listenTls;
    facts.telemetryQueue = settings.telemetryQueue;
    facts.intakeTokenSecret = settings.intakeTokenSecret;
    facts.ingestTokenSecret = settings.ingestTokenSecret;
    facts.ratePerSecond = settings.limits.ratePerSecond;
    facts.archive = {settings.archive.dir, settings.archive.keepMs,
                     settings.archive.s3 ? ArchiveUploads::placeOf(*settings.archive.s3) : QString()};
    const std::pair<const char*, qint64> values[] = {
        {"jobs", kept.jobsMs},     {"letters", kept.lettersMs},
        {"bin", kept.binMs},       {"deliveries", kept.deliveriesMs},
        {"bodies", kept.bodiesMs}, {"telemetry", kept.telemetryMs},
        {"audit", kept.auditMs}};
    for (const auto& [key, ms] : values) {
        const QString name = QString::fromLatin1(key);
        facts.retention.append({name, ms, settings.places.of.value(u"retention."_s + name)});
    }
    return facts;
}

bool staysOnLoopback(const Settings& settings)
{
    const auto onLoopback = [](const QString& text) {
        const auto address = parseListenAddress(text);
        return !address || address->host.isLoopback();
    };
    return onLoopback(settings.listen) && onLoopback(settings.listenTls);
}

} // namespace redrive
