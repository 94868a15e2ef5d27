// What the command line asks for. Plain value; parsing is pure.
#pragma once

#include "app/command_line/profile.h"
#include "core/base/result.h"
#include "core/domain/redrive.h"

#include <QStringList>

#include <optional>

namespace redrive {

struct Invocation
{
    QString command;    // empty: the console
    QStringList names;  // what stands without an option: ids, queues, a job type
    QString configFile; // empty: looked up in the working folder
    QString environment;
    QString profileName; // empty: none
    Profile profile;     // what it says, once it is read (place.h)
    QString dataFolder;  // empty: the user's own
    QString database;    // empty: as configured, else the data folder's
    QString listen;      // empty: as configured
    std::optional<QString> where;
    QString reason;
    QString toQueue;
    QString mark;                   // a migration to be recorded as applied; empty: none
    std::optional<QString> payload; // JSON, or - for standard input
    std::optional<QString> body;    // of a message, or - for standard input
    QString contentType = QStringLiteral("json");
    QString url;                        // of an endpoint
    std::optional<QString> settings;    // of an endpoint: JSON, or - for standard input
    std::optional<qint64> delaySeconds; // nothing: the queue's own delivery delay
    std::optional<qint64> overlapSeconds;
    std::optional<double> ratePerSecond;
    bool forIngest = false;        // a token: POST /ingest and its like alone
    std::optional<qint64> untilMs; // unix
    QStringList secretNames;       // in the order given
    QString secretFile;
    QString scriptFile;
    QString tlsKind; // of the receiver: empty, or one of certificateKinds()
    QString certificateFile;
    QString keyFile;
    QString endpointId;            // instead of ids or --where
    std::optional<qint64> sinceMs; // unix; or
    std::optional<qint64> sinceAgoMs;
    RedrivePace pace; // but for the rate, which is ratePerSecond
    int limit = 100;  // rows
    bool json = false;
    bool csv = false;
    bool dryRun = false;
    bool yes = false;
    bool bin = false;
    bool keep = false;
    bool use = false; // what was recovered
    bool deliveredToo = false;
    bool demo = false;
    bool help = false;
    bool version = false;
};

// Certificates that the receiver makes for itself.
const QStringList& certificateKinds();

// InvalidInput: what is wrong with the words, to be shown above the hint at --help.
Result<Invocation> parseInvocation(const QStringList& arguments);

} // namespace redrive
