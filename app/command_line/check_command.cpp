#include "app/command_line/commands.h"
#include "app/command_line/output.h"
#include "app/place.h"
#include "core/intake/token_changes.h"

namespace redrive {

namespace {

QString severityText(Severity severity)
{
    switch (severity) {
    case Severity::Error:
        return u"error"_s;
    case Severity::Warning:
        return u"warning"_s;
    case Severity::Notice:
        break;
    }
    return u"notice"_s;
}

void print(const Diagnostic& diagnostic, bool json)
{
    if (!json) {
        printLine(diagnostic.text());
        return;
    }
    JsonLine()
        .add("severity", severityText(diagnostic.severity))
        .add("file", diagnostic.file)
        .add("line", diagnostic.line)
        .add("column", diagnostic.column)
        .add("key", diagnostic.keyPath)
        .add("message", diagnostic.message)
        .print();
}

// What a client needs to send events.
QString ingestWords(const Settings& settings, const QString& dataFolder)
{
    if (settings.telemetryQueue.isEmpty())
        return u"POST /ingest: refused, there is no telemetry queue (telemetry.queue names one)"_s;
    const QString token =
        !settings.ingestTokenSecret.isEmpty() ? u"the secret %1"_s.arg(settings.ingestTokenSecret)
        : !settings.intakeTokenSecret.isEmpty()
            ? u"the secret %1 or one of `redrive tokens`"_s.arg(settings.intakeTokenSecret)
            : u"one of `redrive tokens`; the first start makes one, in %1"_s.arg(keptTokenFile(dataFolder));
    return u"POST /ingest: into the queue %1, with the token: %2"_s.arg(settings.telemetryQueue, token);
}

} // namespace

int runCheck(const Invocation& invocation)
{
    const LoadResult loaded = loadSettings(loadRequestOf(invocation));
    int errors = 0;
    for (const Diagnostic& diagnostic : loaded.diagnostics) {
        print(diagnostic, invocation.json);
        errors += diagnostic.severity == Severity::Error;
    }
    if (loaded.ok && !invocation.json) {
        const QString& file = loaded.settings.sourceFile;
        printLine((file.isEmpty() ? u"no configuration file: the built-in default"_s : file) +
                  u": no errors"_s);
        printLine(ingestWords(loaded.settings, dataFolderOf(invocation)));
    }
    return loaded.ok && errors == 0 ? exit_code::kDone : exit_code::kFailed;
}

} // namespace redrive
