#include "app/engine_start.h"

#include "app/kept_secrets.h"
#include "core/base/log.h"
#include "core/config/listen_address.h"
#include "core/config/smtp_url.h"
#include "core/intake/token_changes.h"

#include <QRegularExpression>
#include <QSet>

namespace redrive {

namespace {

Status overrideListen(const Invocation& invocation, Settings& settings)
{
    if (invocation.listen.isEmpty()) {
        if (invocation.demo)
            settings.listen = u"127.0.0.1:0"_s;
        return {};
    }
    REDRIVE_ASSIGN(address, parseListenAddress(invocation.listen));
    if (!settings.insecureListen)
        REDRIVE_TRY(checkPlainListen(invocation.listen, address));
    settings.listen = invocation.listen;
    return {};
}

// The secrets that the configuration names, and whatever calls itself one: the rest of the environment, the
// home folder say, is no secret.
void maskSecrets(const Settings& settings)
{
    static const QRegularExpression telling(u"SECRET|TOKEN|PASS|KEY|AUTH|CREDENTIAL|SIGN|DSN"_s,
                                            QRegularExpression::CaseInsensitiveOption);
    QSet<QString> named{settings.intakeTokenSecret, settings.ingestTokenSecret, settings.smtpPasswordSecret};
    if (settings.archive.s3)
        named.unite({settings.archive.s3->accessKeySecret, settings.archive.s3->secretKeySecret});
    for (const AlertTarget& target : settings.alerts.webhooks)
        named.unite({target.urlSecret, target.keySecret});
    for (const EndpointSettings& endpoint : settings.endpoints)
        named.unite(QSet<QString>(endpoint.secrets.begin(), endpoint.secrets.end()));
    for (auto secret = settings.secrets.cbegin(); secret != settings.secrets.cend(); ++secret)
        if (named.contains(secret.key()) || telling.match(secret.key()).hasMatch())
            maskInLog(QString::fromUtf8(*secret));
    if (const Result<SmtpUrl> mail = parseSmtpUrl(settings.smtpUrl))
        maskInLog(QString::fromUtf8(mail->password));
}

void logDiagnostics(const Place& place)
{
    for (const Diagnostic& diagnostic : place.diagnostics)
        logEvent(diagnostic.severity == Severity::Warning ? LogLevel::Warning : LogLevel::Notice,
                 "configuration", {{"text", diagnostic.text()}});
}

} // namespace

Result<RunningEngine> startEngine(const Invocation& invocation, EngineRole role)
{
    RunningEngine running;
    REDRIVE_ASSIGN(place, findPlace(invocation));
    running.place = std::move(place);
    maskSecrets(running.place.settings);
    logDiagnostics(running.place);
    REDRIVE_TRY(overrideListen(invocation, running.place.settings));
    if (invocation.demo) {
        REDRIVE_ASSIGN(demo, Demo::prepare(running.place));
        running.demo = std::move(demo);
    }
    if (role == EngineRole::Work) {
        // Closed again: the engine opens its own.
        REDRIVE_TRY(openForWork(running.place, running.notices));
    } else {
        REDRIVE_TRY(openExisting(running.place, Access::Reader));
    }

    EngineOptions options;
    options.settings = running.place.settings;
    if (invocation.profile.production)
        options.readOnly = invocation.profile.name;
    options.database = running.place.target;
    options.consume = role == EngineRole::Work;
    options.listen = role == EngineRole::Work;
    options.laterSecret = [folder = running.place.dataFolder](const QString& name) {
        const QByteArray secret = secretStoreIn(folder)->get(name).value_or(QByteArray());
        maskInLog(QString::fromUtf8(secret));
        return secret;
    };
    options.keptTokenFile = keptTokenFile(running.place.dataFolder);
    options.keepSecret = [folder = running.place.dataFolder](const QString& name, const QByteArray& value) {
        return secretStoreIn(folder)->put(name, value);
    };
    options.forgetSecret = [folder = running.place.dataFolder](const QString& name) {
        (void)secretStoreIn(folder)->remove(name);
    };
    auto engine = Engine::start(std::move(options));
    if (!engine) {
        Error error = engine.error();
        if (error.kind == ErrorKind::Conflict)
            error.message +=
                u"; `redrive view` opens a console on what runs already, --listen another port"_s;
        return fail(std::move(error));
    }
    running.engine = std::move(*engine);
    if (running.demo)
        running.demo->startTraffic(running.engine->health().listenUrl);
    return running;
}

} // namespace redrive
