#include "app/command_line/command_table.h"

#include "core/base/result.h"

namespace redrive {

namespace {

constexpr int kAny = -1;

const QStringList kRun{u"listen"_s, u"demo"_s};
const QStringList kList{u"where"_s, u"limit"_s, u"json"_s};
const QStringList kRows = kList + QStringList{u"csv"_s};
const QStringList kAct{u"where"_s, u"dry-run"_s, u"json"_s, u"reason"_s, u"yes"_s};
const QStringList kRescue{u"json"_s, u"reason"_s, u"yes"_s};
const QStringList kPace{u"rate"_s, u"in-flight"_s, u"brake"_s, u"canary"_s, u"after-canary"_s};

template <typename Entry>
const Entry* find(const QList<Entry>& table, const QString& name)
{
    for (const Entry& entry : table)
        if (entry.name == name)
            return &entry;
    return nullptr;
}

QString line(const QString& left, const QString& right)
{
    return u"  "_s + left.leftJustified(22) + u' ' + right + u'\n';
}

QString optionLine(const QString& name)
{
    const OptionEntry* option = findOption(name);
    const QString value = option->valueName.isEmpty() ? QString() : u' ' + option->valueName;
    return line(u"--"_s + name + value, option->help);
}

QString receiverNotes()
{
    return uR"(Paths:
  /ok  /status/503  /slow/2s  /flaky/3 (503 three times for each webhook-id, then 200)  /gone  /retry-after/30
  /redirect  /drip/1s (a byte a second)  /huge/50mb  /reset  /close  /hang  /verify (401 unless signed well)
  /reset/middle and /close/middle break off in the answer. Any other path is 200, and a name may follow each.
Query, beside any path:
  status=N  times=N  delay=2s  drip=100ms  bytes=64kb  body=TEXT  retry-after=VALUE  to=URL  verify
  reset or close =before|middle
A script maps paths to the same, and may change while the receiver runs:
  {"/orders": "/flaky/2?delay=1s", "/pay/*": [{"status": 500, "times": 2}, {"reset": "middle"}, "/ok"]}
Control: GET /_arrivals[?since=N], GET /_arrivals/N, DELETE /_arrivals, GET and POST /_script, GET /_certificate
)"_s;
}

QString overview()
{
    QString text = u"Usage: redrive [COMMAND] [OPTIONS]\n\nCommands:\n"_s;
    for (const CommandEntry& command : commandTable())
        text += line(command.name.isEmpty() ? u"(none)"_s : command.name, command.help);
    text += u"\nOptions of every command:\n"_s;
    for (const QString& option : commonOptions())
        text += optionLine(option);
    return text + u"\nredrive COMMAND --help says more. Exit codes: 0 done, 1 failed, 2 not understood.\n"_s;
}

} // namespace

const QList<CommandEntry>& commandTable()
{
    static const QList<CommandEntry> table{
        {u""_s, u""_s, 0, 0, false, kRun, u"Open the console and run the engine in it"_s},
        {u"serve"_s, u""_s, 0, 0, false, kRun + QStringList{u"json"_s},
         u"Run the engine alone until SIGTERM"_s},
        {u"view"_s, u""_s, 0, 0, false, {}, u"Open a console without an engine"_s},
        {u"check"_s, u""_s, 0, 0, false, {u"json"_s}, u"Print what is wrong with the configuration"_s},
        {u"migrate"_s,
         u""_s,
         0,
         0,
         false,
         {u"mark"_s, u"json"_s},
         u"Apply the migrations of migrations_dir"_s},
        {u"recover"_s, u""_s, 0, 0, false, kRescue + QStringList{u"use"_s},
         u"Save what can still be read of a damaged database into a new file"_s},
        {u"use-backup"_s, u"[FILE]"_s, 0, 1, false, kRescue,
         u"List the backups beside the database, or put a copy of one into its place"_s},
        {u"new-database"_s, u""_s, 0, 0, false, kRescue,
         u"Move the database aside and begin with a new one; needs --yes"_s},
        {u"enqueue"_s,
         u"TYPE"_s,
         1,
         1,
         false,
         {u"payload"_s, u"delay"_s, u"json"_s},
         u"Add a job and print its id"_s},
        {u"send"_s,
         u"QUEUE"_s,
         1,
         1,
         false,
         {u"body"_s, u"type"_s, u"delay"_s, u"json"_s},
         u"Send a message, or one for each line of JSON, all or none"_s},
        {u"jobs"_s, u""_s, 0, 0, false, kRows, u"List jobs, newest first"_s},
        {u"deliveries"_s, u"[show ID]"_s, 0, 2, false, kRows,
         u"List webhook deliveries, newest first, or show one with all of its attempts"_s,
         u"show --json prints the delivery and then a line for each attempt, newest first. Secrets in "
         u"headers "
         "are masked.\n"_s},
        {u"dead"_s, u""_s, 0, 0, false, kRows + QStringList{u"bin"_s}, u"List dead letters, newest first"_s},
        {u"telemetry"_s, u""_s, 0, 0, false, kRows, u"List telemetry, newest first"_s,
         u"The query takes tenant:acme source:audit age:<1h since:2031-05-02T14:05Z until:… id:…\n"
         "payload.user.id:42 payload.ms:>250 and words, which are looked for in payloads too. --json and "
         "--csv give whole "
         "payloads.\n"_s},
        {u"queues"_s, u""_s, 0, 0, false, kList,
         u"List queues: what waits, what is in flight, dead letters"_s},
        {u"stats"_s, u""_s, 0, 0, false, kList,
         u"Print the figures of the whole database; with --where those of the queues that match"_s},
        {u"requeue"_s, u"ID…"_s, 0, kAny, true, kAct + kPace + QStringList{u"to"_s},
         u"Give dead letters back to their queue with a fresh budget"_s},
        {u"replay"_s, u"ID…"_s, 0, kAny, true,
         kAct + kPace + QStringList{u"endpoint"_s, u"since"_s, u"delivered"_s},
         u"Send deliveries again; of a job or an endpoint, those that failed"_s},
        {u"replay-missing"_s, u"[EVENT:ENDPOINT…]"_s, 0, kAny, false,
         kPace + QStringList{u"endpoint"_s, u"since"_s, u"dry-run"_s, u"json"_s, u"reason"_s, u"yes"_s},
         u"Deliver events that their endpoints never got, or all that --endpoint ID never got"_s,
         u"They go out under their own ids, to endpoints that are registered and take such events.\n"_s},
        {u"publish"_s,
         u"EVENT…"_s,
         0,
         kAny,
         false,
         {u"job"_s, u"dry-run"_s, u"json"_s, u"reason"_s, u"yes"_s},
         u"Fan events out once more as new ones, with new ids"_s},
        {u"run-now"_s, u"ID…"_s, 0, kAny, true, kAct + kPace, u"Let retry timers fall due at once"_s},
        {u"postpone"_s, u"ID…"_s, 0, kAny, true, kAct + QStringList{u"delay"_s, u"until"_s},
         u"Give timers another due time, at most a day ahead"_s},
        {u"cancel"_s, u"ID…"_s, 0, kAny, true, kAct,
         u"Cancel jobs that wait or run; of a fan-out, its open deliveries"_s},
        {u"edit"_s,
         u"ID"_s,
         1,
         1,
         false,
         {u"payload"_s, u"to"_s, u"dry-run"_s, u"json"_s, u"reason"_s, u"yes"_s},
         u"Requeue a dead or waiting job, or a message's dead letter, with another payload"_s},
        {u"discard"_s, u"ID…"_s, 0, kAny, true, kAct, u"Put dead letters into the bin"_s},
        {u"restore"_s, u"ID…"_s, 0, kAny, true, kAct, u"Take dead letters out of the bin"_s},
        {u"pause"_s,
         u"QUEUE"_s,
         1,
         1,
         false,
         {u"dry-run"_s, u"json"_s, u"reason"_s, u"yes"_s},
         u"Stop delivering from a queue; it goes on accepting"_s},
        {u"resume"_s,
         u"QUEUE"_s,
         1,
         1,
         false,
         {u"dry-run"_s, u"json"_s, u"reason"_s, u"yes"_s},
         u"Deliver from a paused queue again"_s},
        {u"purge"_s,
         u"QUEUE"_s,
         1,
         1,
         false,
         {u"dry-run"_s, u"json"_s, u"reason"_s, u"yes"_s},
         u"Delete what waits in a queue; needs --yes"_s},
        {u"endpoints"_s,
         u"[list | show ID | add ID | edit ID | pause ID | resume ID | disable ID | enable ID | delete ID | "
         "rotate ID | revoke ID | test ID]"_s,
         0,
         2,
         false,
         {u"url"_s, u"settings"_s, u"secret"_s, u"overlap"_s, u"keep"_s, u"reason"_s, u"yes"_s, u"json"_s},
         u"List webhook endpoints, or register, change, hold, delete and test one"_s},
        {u"activity"_s, u""_s, 0, 0, false, kRows,
         u"List what operators did and what alerts told, newest first"_s},
        {u"alerts"_s,
         u"[list | test [ID]]"_s,
         0,
         2,
         false,
         {u"json"_s},
         u"List where alerts are posted to and how that goes, or post a test, which counts nowhere"_s},
        {u"secrets"_s,
         u"[list | make NAME | put NAME | remove NAME]"_s,
         0,
         2,
         false,
         {u"reason"_s, u"yes"_s, u"json"_s},
         u"List kept secrets by their fingerprints, make a signing secret (printed once), keep one, or remove it"_s,
         u"put reads the value from standard input. A name is looked for in the environment, then in "
         u".dev.vars,\n"
         "then among the kept ones; a running engine finds a new name at the next change of an endpoint.\n"_s},
        {u"receiver"_s,
         u""_s,
         0,
         0,
         false,
         {u"listen"_s, u"secret"_s, u"secret-file"_s, u"script"_s, u"tls"_s, u"cert"_s, u"key"_s, u"json"_s},
         u"Receive webhooks on loopback, answer as the path says, and print what arrives"_s,
         receiverNotes()},
        {u"verify"_s,
         u"[FILE]"_s,
         0,
         1,
         false,
         {u"secret"_s, u"secret-file"_s, u"json"_s},
         u"Say which secret signed a webhook (header lines, an empty line, the body), or what is wrong"_s,
         u"Without FILE, or with -, the request is read from standard input; it may begin with its request "
         u"line.\n"
         "Exit code 0: a secret fits and the time is within 300 s; 1: not so; 2: that is no request.\n"_s},
        {u"archive"_s,
         u"[list | now | upload]"_s,
         0,
         1,
         false,
         {u"json"_s, u"reason"_s, u"yes"_s},
         u"List the archive's files with their letters, sizes and copies; archive what is due, or copy to the bucket, now"_s},
        {u"import"_s,
         u"FILE…"_s,
         1,
         kAny,
         false,
         {u"dry-run"_s, u"json"_s, u"reason"_s, u"yes"_s},
         u"Bring dead letters back from files of the archive, gzip or plain lines; - reads standard input"_s,
         u"They keep their ids and stay as long as new ones; what is there already, or has gone on, is "
         u"skipped.\nA line that cannot be used is named with its reason, and the exit code is 1.\n"_s},
        {u"redrives"_s,
         u"[list | pause NO | continue NO | stop NO | undo NO | rate NO N]"_s,
         0,
         3,
         false,
         {u"limit"_s, u"reason"_s, u"yes"_s, u"json"_s},
         u"List bulk actions with their outcomes, newest first, or steer one; rate 0 is no limit"_s,
         u"undo takes back what has not begun, and what was discarded out of the bin.\n"_s},
        {u"tokens"_s,
         u"[list | create NAME | show NAME | rotate NAME | revoke NAME]"_s,
         0,
         2,
         false,
         {u"for"_s, u"rate"_s, u"overlap"_s, u"json"_s},
         u"List the HTTP interface's tokens, make one (printed once), show the one of the first start, "
         "replace one, or refuse it from now on"_s},
    };
    return table;
}

const QList<OptionEntry>& optionTable()
{
    static const QList<OptionEntry> table{
        {u"config"_s, u"FILE"_s,
         u"Configuration; else wrangler.jsonc, .json or .toml here, else the built-in one"_s},
        {u"env"_s, u"NAME"_s, u"Environment of the configuration; else CLOUDFLARE_ENV"_s},
        {u"profile"_s, u"NAME"_s, u"Take all of these from profiles/NAME.toml in the data folder"_s},
        {u"data"_s, u"DIR"_s, u"Where the database and the logs live"_s},
        {u"database"_s, u"FILE"_s, u"The database, instead of the one in the data folder"_s},
        {u"help"_s, u""_s, u"Print this help"_s},
        {u"version"_s, u""_s, u"Print the version"_s},
        {u"listen"_s, u"ADDRESS:PORT"_s, u"Where HTTP is served; port 0 takes a free one"_s},
        {u"demo"_s, u""_s, u"Show itself with traffic of its own, in a database of its own"_s},
        {u"secret-file"_s, u"FILE"_s, u"The same, of a file that holds the secret"_s},
        {u"script"_s, u"FILE"_s, u"JSON that maps paths to behaviours; read again when it changes"_s},
        {u"tls"_s, u"KIND"_s, u"HTTPS with a certificate of its own: self-signed, expired or wrong-name"_s},
        {u"cert"_s, u"FILE"_s, u"HTTPS with this certificate (PEM)"_s},
        {u"key"_s, u"FILE"_s, u"The key of the certificate (PEM)"_s},
        {u"where"_s, u"QUERY"_s, u"What matches, such as 'status:dead endpoint:acme'; '' is everything"_s},
        {u"limit"_s, u"N"_s, u"At most so many rows (100; 0 is all)"_s},
        {u"json"_s, u""_s, u"One JSON object a line"_s},
        {u"csv"_s, u""_s, u"Comma-separated values, with a line of titles"_s},
        {u"bin"_s, u""_s, u"List the discarded ones"_s},
        {u"use"_s, u""_s, u"Put the new file into the database's place; the damaged one stays beside it"_s},
        {u"dry-run"_s, u""_s, u"Print what would be done and do nothing"_s},
        {u"reason"_s, u"TEXT"_s, u"Why, for the record"_s},
        {u"yes"_s, u""_s, u"Do it, where the profile is a production one"_s},
        {u"to"_s, u"QUEUE"_s, u"Another queue than the letters came from"_s},
        {u"mark"_s, u"NAME"_s,
         u"Record this file as applied without running it: the schema has it already"_s},
        {u"url"_s, u"URL"_s, u"Where the endpoint's deliveries go"_s},
        {u"settings"_s, u"JSON"_s,
         u"Its settings, as of redrive.endpoints; - reads standard input. edit: what is not said stays"_s},
        {u"secret"_s, u"NAME"_s,
         u"A secret by its name: signs from now on (rotate), no more (revoke); else checks, also several"_s},
        {u"keep"_s, u""_s, u"Hold the open deliveries of a deleted endpoint instead of cancelling them"_s},
        {u"rate"_s, u"N"_s,
         u"So many a second: items of a bulk action, requests of a token (no limit; as limits.rate says)"_s},
        {u"for"_s, u"WHAT"_s,
         u"What the token opens: all, or ingest for POST /ingest and its like alone (all)"_s},
        {u"in-flight"_s, u"N"_s, u"At most so many at once that have begun and not ended"_s},
        {u"brake"_s, u"PERCENT"_s, u"Pause when so many of the last 50 outcomes are failures"_s},
        {u"canary"_s, u"N"_s, u"First N, and the rest only when all of them have succeeded"_s},
        {u"after-canary"_s, u"WHAT"_s,
         u"Else ask (pause and wait for `redrives continue`), go-on or stop (ask)"_s},
        {u"endpoint"_s, u"ID"_s, u"What failed at this endpoint"_s},
        {u"since"_s, u"WHEN"_s, u"Of events since then: 90s, 5m, 2h, 7d ago, or 2031-05-02T14:05:10Z"_s},
        {u"job"_s, u"ID"_s, u"The event of this job"_s},
        {u"delivered"_s, u""_s, u"Those that were delivered as well"_s},
        {u"overlap"_s, u"SECONDS"_s, u"How long the older secret is still accepted (86400)"_s},
        {u"payload"_s, u"JSON"_s, u"The job's payload; - reads standard input (null)"_s},
        {u"until"_s, u"TIME"_s, u"At this time, such as 2031-05-02T14:05:10Z"_s},
        {u"delay"_s, u"SECONDS"_s, u"So much later, up to 86400 (else the queue's own delay)"_s},
        {u"body"_s, u"TEXT"_s, u"The message's body; - reads standard input"_s},
        {u"type"_s, u"TYPE"_s, u"json, text or bytes (json); json may be several lines, a message each"_s},
    };
    return table;
}

const QStringList& commonOptions()
{
    static const QStringList names{u"config"_s,  u"env"_s,  u"data"_s,   u"database"_s,
                                   u"profile"_s, u"help"_s, u"version"_s};
    return names;
}

const CommandEntry* findCommand(const QString& name)
{
    return find(commandTable(), name);
}

const OptionEntry* findOption(const QString& name)
{
    return find(optionTable(), name);
}

QString helpText(const QString& name)
{
    const CommandEntry* command = findCommand(name);
    if (!command || name.isEmpty()) {
        QString text = overview();
        return text + u"\nOptions of the console:\n"_s + optionLine(u"listen"_s) + optionLine(u"demo"_s);
    }
    QString names = command->names;
    if (command->namesOrWhere)
        names = u"("_s + names + u" | --where QUERY)"_s;
    QString text = u"Usage: redrive "_s + name + (names.isEmpty() ? QString() : u' ' + names) +
                   u" [OPTIONS]\n\n"_s + command->help + u".\n\nOptions:\n"_s;
    for (const QString& option : command->options + commonOptions())
        text += optionLine(option);
    return command->notes.isEmpty() ? text : text + u'\n' + command->notes;
}

} // namespace redrive
