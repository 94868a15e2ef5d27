#include "app/command_line/run_command.h"

#include "app/command_line/command_table.h"
#include "app/command_line/commands.h"
#include "app/command_line/output.h"
#include "core/base/log.h"

namespace redrive {

std::optional<int> answerAtOnce(const Result<Invocation>& invocation)
{
    if (!invocation) {
        printError(invocation.error().text());
        printNotice(u"`redrive --help` lists what there is."_s);
        return exit_code::kUsage;
    }
    if (invocation->version) {
        printLine(QStringLiteral("redrive " REDRIVE_VERSION));
        return exit_code::kDone;
    }
    if (invocation->help) {
        printLine(helpText(invocation->command).trimmed().toUtf8());
        return exit_code::kDone;
    }
    return std::nullopt;
}

int runCommand(const Invocation& invocation)
{
    setLogLevel(LogLevel::Error);
    if (invocation.command == u"check")
        return runCheck(invocation);
    if (invocation.command == u"migrate")
        return runMigrate(invocation);
    if (invocation.command == u"enqueue")
        return runEnqueue(invocation);
    if (invocation.command == u"send")
        return runSend(invocation);
    if (invocation.command == u"queues")
        return runQueues(invocation);
    if (invocation.command == u"stats")
        return runStats(invocation);
    if (invocation.command == u"deliveries")
        return runDeliveries(invocation);
    if (invocation.command == u"jobs" || invocation.command == u"dead" || invocation.command == u"activity" ||
        invocation.command == u"telemetry")
        return runList(invocation);
    if (invocation.command == u"alerts")
        return runAlerts(invocation);
    if (invocation.command == u"endpoints")
        return runEndpoints(invocation);
    if (invocation.command == u"tokens")
        return runTokens(invocation);
    if (invocation.command == u"receiver")
        return runReceiver(invocation);
    if (invocation.command == u"verify")
        return runVerify(invocation);
    if (invocation.command == u"recover" || invocation.command == u"use-backup" ||
        invocation.command == u"new-database")
        return runRescue(invocation);
    if (invocation.command == u"secrets")
        return runSecrets(invocation);
    if (invocation.command == u"archive")
        return runArchive(invocation);
    if (invocation.command == u"import")
        return runImport(invocation);
    if (invocation.command == u"redrives")
        return runRedrives(invocation);
    return runAction(invocation);
}

Status mayChange(const Invocation& invocation)
{
    const bool said = invocation.yes && !invocation.reason.trimmed().isEmpty();
    if (invocation.dryRun || !invocation.profile.production || said)
        return {};
    return fail(
        ErrorKind::Refused,
        u"the profile '%1' is a production one: --yes and --reason TEXT do it, --dry-run shows it"_s.arg(
            invocation.profile.name));
}

int failed(const Error& error)
{
    const QStringList lines = error.detail.split(u'\n', Qt::SkipEmptyParts);
    if (lines.size() > 1 || error.message.endsWith(u"has errors"_s)) {
        for (const QString& line : lines)
            printNotice(line);
        printError(error.message);
    } else {
        printError(error.kind == ErrorKind::Refused && error.detail == u"backlog" ? error.message
                                                                                  : error.text());
    }
    return exit_code::kFailed;
}

} // namespace redrive
