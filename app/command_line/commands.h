// One function a command; each returns the exit code. The main thread, with a QCoreApplication.
#pragma once

#include "app/command_line/invocation.h"

namespace redrive {

namespace exit_code {
inline constexpr int kDone = 0;
inline constexpr int kFailed = 1;
inline constexpr int kUsage = 2;
} // namespace exit_code

int runCheck(const Invocation& invocation);
int runMigrate(const Invocation& invocation);
int runEnqueue(const Invocation& invocation);
int runSend(const Invocation& invocation);
int runQueues(const Invocation& invocation);
int runStats(const Invocation& invocation);
int runList(const Invocation& invocation); // jobs, deliveries, dead, activity
int runDeliveries(const Invocation& invocation);
int runTokens(const Invocation& invocation);
int runAlerts(const Invocation& invocation);
int runEndpoints(const Invocation& invocation);
int runReceiver(const Invocation& invocation); // until SIGTERM
int runVerify(const Invocation& invocation);
int runArchive(const Invocation& invocation);
int runImport(const Invocation& invocation);
int runSecrets(const Invocation& invocation);
int runRedrives(const Invocation& invocation);
int runAction(const Invocation& invocation); // requeue … purge
int runRescue(const Invocation& invocation); // recover, use-backup, new-database

// Refused on a production profile, unless it was asked for with --yes and a reason, or as --dry-run.
Status mayChange(const Invocation& invocation);

// Prints the error, line by line, and returns the exit code for it.
int failed(const Error& error);

} // namespace redrive
