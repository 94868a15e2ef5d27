#include "core/config/database_section.h"

#include "core/base/result.h"
#include "core/config/cron_expression.h"
#include "core/config/table_reader.h"

#include <QDir>

namespace redrive {

namespace {

void readDatabase(const ConfigValue& entry, const QString& folder, QList<DatabaseSettings>& databases,
                  Diagnostics& out)
{
    if (!expectTable(entry, out))
        return;
    DatabaseSettings database;
    TableReader reader(entry, out);
    const auto binding = reader.requiredName(u"binding"_s);
    database.binding = binding.value_or(QString());
    database.databaseName = reader.name(u"database_name"_s).value_or(QString());
    for (const QString& key : {u"database_id"_s, u"preview_database_id"_s})
        reader.text(key);
    database.migrationsDir = resolvePath(folder, reader.text(u"migrations_dir"_s).value_or(u"migrations"_s));
    if (const auto table = reader.name(u"migrations_table"_s))
        database.migrationsTable = *table;
    database.migrationsPattern = reader.text(u"migrations_pattern"_s).value_or(QString());
    reader.ignore({u"remote"_s, u"experimental_remote"_s, u"database_internal_env"_s, u"jurisdiction"_s});
    reader.finish();
    if (binding)
        databases.append(database);
}

} // namespace

QString resolvePath(const QString& folder, const QString& path)
{
    return QDir::cleanPath(QDir(folder).absoluteFilePath(path));
}

QList<DatabaseSettings> readDatabaseSection(const ConfigValue& section, const QString& folder,
                                            Diagnostics& out)
{
    QList<DatabaseSettings> databases;
    if (!expectArray(section, u"tables"_s, out))
        return databases;
    for (const ConfigValue& entry : section.items)
        readDatabase(entry, folder, databases, out);
    if (section.items.size() > 1) {
        out.notice(section.items[1],
                   u"all %1 database bindings mean the one store of this engine"_s.arg(section.items.size()));
    }
    return databases;
}

QStringList readTriggers(const ConfigValue& section, Diagnostics& out)
{
    QStringList crons;
    if (!expectTable(section, out))
        return crons;
    TableReader reader(section, out);
    const ConfigValue* list = reader.take(u"crons"_s);
    reader.finish();
    if (!list || !expectArray(*list, u"cron expressions"_s, out))
        return crons;
    for (const ConfigValue& item : list->items) {
        const auto text = readText(item, out);
        if (!text)
            continue;
        const auto cron = CronExpression::parse(*text);
        if (cron)
            crons.append(cron->text());
        else
            out.error(item, cron.error().message);
    }
    return crons;
}

} // namespace redrive
