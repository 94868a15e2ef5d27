#include "app/command_line/invocation.h"

#include "app/command_line/command_table.h"
#include "core/base/duration_text.h"
#include "core/domain/token.h"

#include <QDateTime>

#include <limits>

namespace redrive {

namespace {

Result<qint64> wholeNumber(const QString& option, const QString& text, qint64 most)
{
    bool ok = false;
    const qint64 number = text.toLongLong(&ok);
    if (!ok || number < 0 || number > most)
        return fail(ErrorKind::InvalidInput,
                    u"--%1 takes a whole number from 0 to %2, not '%3'"_s.arg(option).arg(most).arg(text));
    return number;
}

// A time with its zone, such as 2031-05-02T14:05:10Z: without one it would mean something else elsewhere.
Result<qint64> pointInTime(const QString& option, const QString& text)
{
    const QDateTime time = QDateTime::fromString(text, Qt::ISODate);
    if (!time.isValid() || time.timeSpec() == Qt::LocalTime)
        return fail(
            ErrorKind::InvalidInput,
            u"--%1 takes a time with its zone, such as 2031-05-02T14:05:10Z, not '%2'"_s.arg(option, text));
    return time.toMSecsSinceEpoch();
}

Status setSince(Invocation& invocation, const QString& value)
{
    invocation.sinceAgoMs = durationMs(value);
    if (invocation.sinceAgoMs.value_or(0) > 0)
        return {};
    invocation.sinceAgoMs.reset();
    const auto time = pointInTime(u"since"_s, value);
    if (!time)
        return fail(ErrorKind::InvalidInput,
                    u"--since takes a duration such as 90s, 5m, 2h or 7d, or a time with its zone, such as "
                    u"2031-05-02T14:05:10Z, not '%1'"_s.arg(value));
    invocation.sinceMs = *time;
    return {};
}

// Above 0: without the option there is no limit.
Result<int> limitOf(const QString& option, const QString& text, int most)
{
    REDRIVE_ASSIGN(number, wholeNumber(option, text, most));
    if (number == 0)
        return fail(ErrorKind::InvalidInput,
                    u"--%1 takes a whole number from 1 to %2"_s.arg(option).arg(most));
    return int(number);
}

Status setOption(Invocation& invocation, const QString& name, const QString& value)
{
    if (name == u"help")
        invocation.help = true;
    else if (name == u"version")
        invocation.version = true;
    else if (name == u"json")
        invocation.json = true;
    else if (name == u"dry-run")
        invocation.dryRun = true;
    else if (name == u"yes")
        invocation.yes = true;
    else if (name == u"bin")
        invocation.bin = true;
    else if (name == u"csv")
        invocation.csv = true;
    else if (name == u"keep")
        invocation.keep = true;
    else if (name == u"use")
        invocation.use = true;
    else if (name == u"delivered")
        invocation.deliveredToo = true;
    else if (name == u"demo")
        invocation.demo = true;
    else if (name == u"config")
        invocation.configFile = value;
    else if (name == u"env")
        invocation.environment = value;
    else if (name == u"profile")
        invocation.profileName = value;
    else if (name == u"data")
        invocation.dataFolder = value;
    else if (name == u"database")
        invocation.database = value;
    else if (name == u"listen")
        invocation.listen = value;
    else if (name == u"where")
        invocation.where = value;
    else if (name == u"reason")
        invocation.reason = value;
    else if (name == u"to")
        invocation.toQueue = value;
    else if (name == u"mark") {
        if (value.isEmpty())
            return fail(ErrorKind::InvalidInput, u"--mark needs the name of a migration"_s);
        invocation.mark = value;
    } else if (name == u"payload")
        invocation.payload = value;
    else if (name == u"url")
        invocation.url = value;
    else if (name == u"settings")
        invocation.settings = value;
    else if (name == u"body")
        invocation.body = value;
    else if (name == u"secret")
        invocation.secretNames.append(value);
    else if (name == u"secret-file")
        invocation.secretFile = value;
    else if (name == u"script")
        invocation.scriptFile = value;
    else if (name == u"cert")
        invocation.certificateFile = value;
    else if (name == u"key")
        invocation.keyFile = value;
    else if (name == u"tls") {
        if (!certificateKinds().contains(value))
            return fail(ErrorKind::InvalidInput,
                        u"--tls takes %1, not '%2'"_s.arg(certificateKinds().join(u", "_s), value));
        invocation.tlsKind = value;
    } else if (name == u"type") {
        if (value != u"json" && value != u"text" && value != u"bytes")
            return fail(ErrorKind::InvalidInput, u"--type takes json, text or bytes, not '%1'"_s.arg(value));
        invocation.contentType = value;
    } else if (name == u"delay") {
        REDRIVE_ASSIGN(seconds, wholeNumber(name, value, 86'400));
        invocation.delaySeconds = seconds;
    } else if (name == u"overlap") {
        REDRIVE_ASSIGN(seconds, wholeNumber(name, value, kLongestOverlapMs / 1000));
        invocation.overlapSeconds = seconds;
    } else if (name == u"rate") {
        bool ok = false;
        invocation.ratePerSecond = value.toDouble(&ok);
        if (!ok || !(*invocation.ratePerSecond > 0 && *invocation.ratePerSecond <= kHighestRate))
            return fail(ErrorKind::InvalidInput,
                        u"--rate takes a number above 0 and at most 1000000, not '%1'"_s.arg(value));
    } else if (name == u"for") {
        if (value != u"ingest" && value != u"all")
            return fail(ErrorKind::InvalidInput, u"--for takes all or ingest, not '%1'"_s.arg(value));
        invocation.forIngest = value == u"ingest";
    } else if (name == u"endpoint") {
        invocation.endpointId = value;
    } else if (name == u"job") {
        invocation.names.append(value);
    } else if (name == u"since") {
        REDRIVE_TRY(setSince(invocation, value));
    } else if (name == u"in-flight") {
        REDRIVE_ASSIGN(limit, limitOf(name, value, RedrivePace::kMostInFlight));
        invocation.pace.inFlight = limit;
    } else if (name == u"brake") {
        REDRIVE_ASSIGN(limit, limitOf(name, value, 100));
        invocation.pace.brakePercent = limit;
    } else if (name == u"canary") {
        REDRIVE_ASSIGN(limit, limitOf(name, value, RedrivePace::kMostCanary));
        invocation.pace.canary = limit;
    } else if (name == u"after-canary") {
        const auto end = canaryEndFrom(value);
        if (!end)
            return fail(ErrorKind::InvalidInput,
                        u"--after-canary takes ask, go-on or stop, not '%1'"_s.arg(value));
        invocation.pace.afterCanary = *end;
    } else if (name == u"until") {
        REDRIVE_ASSIGN(time, pointInTime(name, value));
        invocation.untilMs = time;
    } else if (name == u"limit") {
        REDRIVE_ASSIGN(rows, wholeNumber(name, value, std::numeric_limits<int>::max()));
        invocation.limit = int(rows);
    }
    return {};
}

// Options before the command are allowed: the first word that is neither an option nor its value.
QString commandOf(const QStringList& arguments)
{
    for (qsizetype i = 0; i < arguments.size(); ++i) {
        const QString& word = arguments[i];
        if (!word.startsWith(u'-') || word == u"-")
            return word;
        const OptionEntry* option = findOption(word.mid(2));
        if (option && !option->valueName.isEmpty())
            ++i;
    }
    return {};
}

Status checkNames(const CommandEntry& command, const Invocation& invocation)
{
    const auto count = invocation.names.size();
    const QString of = command.name.isEmpty() ? u"redrive"_s : command.name;
    const bool endpoint = !invocation.endpointId.isEmpty();
    const int ways = int(count > 0) + int(invocation.where.has_value()) + int(endpoint);
    if (command.namesOrWhere && ways != 1)
        return fail(ErrorKind::InvalidInput,
                    command.options.contains(u"endpoint"_s)
                        ? u"%1 takes either ids, --where QUERY ('' for everything) or --endpoint ID"_s.arg(of)
                        : u"%1 takes either ids or --where QUERY ('' for everything)"_s.arg(of));
    if ((invocation.sinceMs || invocation.sinceAgoMs) && !endpoint)
        return fail(ErrorKind::InvalidInput, u"--since goes with --endpoint ID"_s);
    if (count < command.leastNames)
        return fail(ErrorKind::InvalidInput, u"%1 needs %2"_s.arg(of, command.names));
    if (command.mostNames >= 0 && count > command.mostNames)
        return fail(ErrorKind::InvalidInput,
                    u"%1 does not know what to do with '%2'"_s.arg(of, invocation.names.last()));
    if (command.options.contains(u"until"_s) &&
        invocation.delaySeconds.has_value() == invocation.untilMs.has_value())
        return fail(ErrorKind::InvalidInput, u"%1 takes either --delay SECONDS or --until TIME"_s.arg(of));
    if (command.name == u"replay-missing" && endpoint == (count > 0))
        return fail(ErrorKind::InvalidInput,
                    u"%1 needs --endpoint ID, or what to deliver as EVENT:ENDPOINT"_s.arg(of));
    if (command.name == u"publish" && count == 0)
        return fail(ErrorKind::InvalidInput, u"%1 needs an event's id or --job ID"_s.arg(of));
    if (command.name == u"edit" && !invocation.payload)
        return fail(ErrorKind::InvalidInput, u"%1 needs --payload JSON"_s.arg(of));
    if (invocation.certificateFile.isEmpty() != invocation.keyFile.isEmpty())
        return fail(ErrorKind::InvalidInput, u"--cert and --key belong together"_s);
    if (!invocation.certificateFile.isEmpty() && !invocation.tlsKind.isEmpty())
        return fail(ErrorKind::InvalidInput, u"%1 takes either --tls or --cert and --key"_s.arg(of));
    for (const QString& name : invocation.names)
        if (name.isEmpty())
            return fail(ErrorKind::InvalidInput, u"%1 got an empty name"_s.arg(of));
    return {};
}

} // namespace

const QStringList& certificateKinds()
{
    static const QStringList kinds{u"self-signed"_s, u"expired"_s, u"wrong-name"_s};
    return kinds;
}

Result<Invocation> parseInvocation(const QStringList& arguments)
{
    Invocation invocation;
    invocation.command = commandOf(arguments);
    const CommandEntry* command = findCommand(invocation.command);
    if (!command)
        return fail(ErrorKind::InvalidInput, u"there is no command '%1'"_s.arg(invocation.command));

    bool commandSeen = invocation.command.isEmpty();
    bool onlyNames = false;
    for (qsizetype i = 0; i < arguments.size(); ++i) {
        QString word = arguments[i];
        if (word == u"-h")
            word = u"--help"_s;
        if (onlyNames || !word.startsWith(u'-') || word == u"-") {
            if (commandSeen)
                invocation.names.append(word);
            commandSeen = true;
            continue;
        }
        if (word == u"--") {
            onlyNames = true;
            continue;
        }
        const qsizetype equals = word.indexOf(u'=');
        const QString name = word.mid(2, equals < 0 ? -1 : equals - 2);
        const OptionEntry* option = word.startsWith(u"--") ? findOption(name) : nullptr;
        if (!option || !(command->options.contains(name) || commonOptions().contains(name)))
            return fail(ErrorKind::InvalidInput, command->name.isEmpty()
                                                     ? u"there is no option '%1'"_s.arg(word)
                                                     : u"%1 has no option '%2'"_s.arg(command->name, word));
        QString value;
        if (option->valueName.isEmpty()) {
            if (equals >= 0)
                return fail(ErrorKind::InvalidInput, u"--%1 takes no value"_s.arg(name));
        } else if (equals >= 0) {
            value = word.mid(equals + 1);
        } else if (++i < arguments.size()) {
            value = arguments[i];
        } else {
            return fail(ErrorKind::InvalidInput, u"--%1 needs %2"_s.arg(name, option->valueName));
        }
        REDRIVE_TRY(setOption(invocation, name, value));
    }
    if (!invocation.help && !invocation.version)
        REDRIVE_TRY(checkNames(*command, invocation));
    return invocation;
}

} // namespace redrive
