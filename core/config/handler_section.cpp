#include "core/config/handler_section.h"

#include "core/base/result.h"
#include "core/config/database_section.h"
#include "core/config/endpoint_rules.h"
#include "core/config/quoted.h"
#include "core/config/table_reader.h"

namespace redrive {

namespace {

constexpr qint64 longestTimeoutSeconds = 604'800;
constexpr qint64 mostConcurrent = 1'000;

bool checkKeyName(const ConfigValue& entry, const QString& what, Diagnostics& out)
{
    if (isCleanText(entry.key) && entry.key.size() <= 255)
        return true;
    out.error(entry, u"%1 must be one line of 1 to 255 characters"_s.arg(what));
    return false;
}

// Program and arguments. A program with a slash in it is a path; relative ones begin at the configuration's
// folder. A bare name is looked up by whoever runs it.
std::optional<QStringList> readCommand(const ConfigValue& value, const QString& folder, Diagnostics& out)
{
    if (!expectArray(value, u"program and arguments"_s, out))
        return {};
    if (value.items.empty()) {
        out.error(value, u"is empty, the program is missing"_s);
        return {};
    }
    const auto program = readText(value.items[0], out);
    QStringList command{program ? (program->contains(u'/') ? resolvePath(folder, *program) : *program)
                                : QString()};
    bool good = program.has_value();
    for (size_t i = 1; i < value.items.size(); ++i) {
        const ConfigValue& argument = value.items[i];
        if (!argument.isString()) {
            out.error(argument, u"must be text, not "_s + argument.kindName());
            good = false;
        } else if (argument.string.contains(QChar(0))) {
            out.error(argument, u"holds a NUL character, which no argument can"_s);
            good = false;
        }
        command.append(argument.string);
    }
    if (!good)
        return {};
    return command;
}

HandlerSettings readRunner(TableReader& reader, const ConfigValue& entry, const QString& folder,
                           Diagnostics& out)
{
    HandlerSettings handler;
    if (const ConfigValue* value = reader.take(u"command"_s))
        handler.command = readCommand(*value, folder, out).value_or(QStringList());
    if (const auto url = reader.text(u"url"_s)) {
        if (const auto good = checkEndpointUrl(*url); good)
            handler.url = *url;
        else
            out.error(*entry.find(u"url"_s), good.error().message);
    }
    if (entry.find(u"command"_s) && entry.find(u"url"_s))
        out.error(entry, u"has a command and a url, only one of them is allowed"_s);
    if (const auto concurrency = reader.integer(u"concurrency"_s, 1, mostConcurrent))
        handler.concurrency = static_cast<int>(*concurrency);
    handler.timeoutMs = reader.seconds(u"timeout"_s, 0, longestTimeoutSeconds);
    return handler;
}

} // namespace

const QStringList& builtInJobTypes()
{
    static const QStringList types{u"webhook_fanout"_s, u"send_email"_s, u"process_file"_s};
    return types;
}

void readHandlers(const ConfigValue& table, const QString& folder, Settings& settings, RedrivePlaces& places,
                  Diagnostics& out)
{
    for (const ConfigValue& entry : table.items) {
        if (!checkKeyName(entry, u"a job type"_s, out) || !expectTable(entry, out))
            continue;
        TableReader reader(entry, out);
        HandlerSettings handler = readRunner(reader, entry, folder, out);
        if (const auto queue = reader.name(u"queue"_s)) {
            handler.queue = *queue;
            places.handlerQueues.insert(entry.key, entry.find(u"queue"_s));
        }
        reader.finish();

        const bool runs = entry.find(u"command"_s) || entry.find(u"url"_s);
        if (builtInJobTypes().contains(entry.key)) {
            if (runs)
                out.error(entry,
                          u"Redrive runs this type itself; allowed are queue, timeout and concurrency"_s);
        } else if (!runs) {
            out.warning(
                entry,
                u"has neither command nor url: jobs of this type are of an unknown type and dead at once"_s);
        }
        settings.handlers.insert(entry.key, handler);
        places.handlers.insert(entry.key, &entry);
    }
}

void readConsumerHandlers(const ConfigValue& table, const QString& folder, Settings& settings,
                          RedrivePlaces& places, Diagnostics& out)
{
    for (const ConfigValue& entry : table.items) {
        if (!checkKeyName(entry, u"a queue"_s, out) || !expectTable(entry, out))
            continue;
        TableReader reader(entry, out);
        const HandlerSettings handler = readRunner(reader, entry, folder, out);
        reader.finish();
        if (!entry.find(u"command"_s) && !entry.find(u"url"_s))
            out.error(entry, u"needs a command or a url"_s);
        settings.consumerHandlers.insert(entry.key, handler);
        places.consumerHandlers.insert(entry.key, &entry);
    }
}

void readCommands(const ConfigValue& table, const QString& folder, Settings& settings, Diagnostics& out)
{
    for (const ConfigValue& entry : table.items) {
        if (!checkKeyName(entry, u"the name of a command"_s, out))
            continue;
        if (const auto command = readCommand(entry, folder, out))
            settings.commands.insert(entry.key, *command);
    }
}

} // namespace redrive
