#include "core/config/redrive_section.h"

#include "core/base/result.h"
#include "core/config/database_section.h"
#include "core/config/endpoint_section.h"
#include "core/config/handler_section.h"
#include "core/config/listen_address.h"
#include "core/config/quoted.h"
#include "core/config/redrive_tables.h"
#include "core/config/secret_names.h"
#include "core/config/smtp_section.h"
#include "core/config/table_reader.h"

#include <QRegularExpression>
#include <QUrl>

namespace redrive {

namespace {

constexpr qint64 mostWorkers = 1'000;

class RedriveReader final
{
public:
    RedriveReader(const ConfigValue& table, const QString& folder, Settings& settings, Diagnostics& out)
        : m_table(table), m_folder(folder), m_settings(settings), m_out(out), m_reader(table, out)
    {
    }

    RedrivePlaces read()
    {
        readListener();
        readStore();
        readQueues();
        readTokens();
        readHandlerTables();
        readNumberTables();
        readWebhooks();
        for (const QString& key :
             {u"listen_tls"_s, u"tls"_s, u"insecure_listen"_s, u"alerts"_s, u"archive"_s}) {
            if (const ConfigValue* value = m_reader.take(key))
                m_out.warningAtKey(*value, u"is known, but this version of Redrive does not act on it"_s);
        }
        warnOfWhatWaits();
        m_reader.finish();
        return m_places;
    }

private:
    // Keys that are read and checked, and that this version does nothing with yet: nobody is to rely on them.
    void warnOfWhatWaits()
    {
        for (const QString& key : {u"ingest_token"_s, u"telemetry"_s}) {
            if (const ConfigValue* value = m_table.find(key))
                m_out.warningAtKey(*value, u"is read, but this version of Redrive does not act on it"_s);
        }
    }

    void readListener()
    {
        const ConfigValue* listen = m_reader.take(u"listen"_s);
        if (const auto text = listen ? readText(*listen, m_out) : std::nullopt) {
            if (const auto address = parseListenAddress(*text); address)
                m_settings.listen = *text;
            else
                m_out.error(*listen, address.error().message);
        }
        const ConfigValue* hosts = m_reader.take(u"hosts"_s);
        if (!hosts || !readTexts(*hosts, m_out))
            return;
        static const QRegularExpression host(
            u"\\A(?:\\[[0-9A-Fa-f:.]+\\]|[A-Za-z0-9._-]+)(?::\\d{1,5})?\\z"_s);
        for (const ConfigValue& item : hosts->items) {
            if (host.match(item.string).hasMatch())
                m_settings.hosts.append(item.string);
            else
                m_out.error(item,
                            u"%1 is no host name, allowed are NAME and NAME:PORT"_s.arg(quoted(item.string)));
        }
    }

    void readStore()
    {
        const ConfigValue* database = m_reader.take(u"database"_s);
        if (const auto text = database ? readText(*database, m_out) : std::nullopt) {
            const bool isUrl = text->contains(u"://"_s);
            m_settings.database = isUrl ? *text : resolvePath(m_folder, *text);
            if (isUrl)
                warnAboutPassword(*database);
        }
        if (const auto workers = m_reader.integer(u"workers"_s, 1, mostWorkers))
            m_settings.workers = static_cast<int>(*workers);
    }

    void warnAboutPassword(const ConfigValue& at)
    {
        if (!QUrl(at.string).password().isEmpty())
            m_out.warning(at, u"holds a password; everybody who can read this file can read it"_s);
    }

    // `jobs = { queue = … }` and the like: where the queue is named, or nullptr.
    const ConfigValue* queueOf(const QString& key)
    {
        const ConfigValue* table = m_reader.table(key);
        if (!table)
            return nullptr;
        TableReader reader(*table, m_out);
        const auto queue = reader.name(u"queue"_s);
        reader.finish();
        return queue ? table->find(u"queue"_s) : nullptr;
    }

    void readQueues()
    {
        m_places.jobsQueue = queueOf(u"jobs"_s);
        if (m_places.jobsQueue)
            m_settings.jobsQueue = m_places.jobsQueue->string;
        m_places.telemetryQueue = queueOf(u"telemetry"_s);
        if (m_places.telemetryQueue)
            m_settings.telemetryQueue = m_places.telemetryQueue->string;
        if (const ConfigValue* queues = m_reader.table(u"queues"_s))
            readQueueSettings(*queues, m_settings, m_places, m_out);
    }

    void readTokens()
    {
        const auto read = [&](const QString& key, QString& target) {
            const ConfigValue* value = m_reader.take(key);
            if (const auto name = value ? readSecretName(*value, m_settings.secrets, m_out) : std::nullopt)
                target = *name;
        };
        read(u"intake_token"_s, m_settings.intakeTokenSecret);
        read(u"ingest_token"_s, m_settings.ingestTokenSecret);
    }

    void readHandlerTables()
    {
        if (const ConfigValue* table = m_reader.table(u"handlers"_s))
            readHandlers(*table, m_folder, m_settings, m_places, m_out);
        if (const ConfigValue* table = m_reader.table(u"consumers"_s))
            readConsumerHandlers(*table, m_folder, m_settings, m_places, m_out);
        if (const ConfigValue* table = m_reader.table(u"commands"_s))
            readCommands(*table, m_folder, m_settings, m_out);
        if (const ConfigValue* table = m_reader.table(u"process_file"_s)) {
            TableReader reader(*table, m_out);
            for (const QString& root : reader.texts(u"roots"_s).value_or(QStringList()))
                m_settings.processFileRoots.append(resolvePath(m_folder, root));
            reader.finish();
        }
        if (const ConfigValue* table = m_reader.table(u"smtp"_s))
            readSmtp(*table, m_settings, m_out);
    }

    void readNumberTables()
    {
        if (const ConfigValue* table = m_reader.table(u"backoff"_s))
            readBackoff(*table, m_settings.backoff, m_out);
        if (const ConfigValue* table = m_reader.table(u"sweep"_s))
            readSweep(*table, m_settings.sweep, m_out);
        if (const ConfigValue* table = m_reader.table(u"limits"_s))
            readLimits(*table, m_settings.limits, m_out);
        if (const ConfigValue* table = m_reader.table(u"retention"_s))
            readRetention(*table, m_settings.retention, m_out);
    }

    void readWebhooks()
    {
        if (const ConfigValue* endpoints = m_reader.take(u"endpoints"_s))
            readEndpoints(*endpoints, m_settings, m_out);
        if (const ConfigValue* targets = m_reader.take(u"allow_private_targets"_s))
            readPrivateTargets(*targets, m_settings, m_out);
    }

    const ConfigValue& m_table;
    const QString& m_folder;
    Settings& m_settings;
    Diagnostics& m_out;
    TableReader m_reader;
    RedrivePlaces m_places;
};

} // namespace

RedrivePlaces readRedriveSection(const ConfigValue& table, const QString& folder, Settings& settings,
                                 Diagnostics& out)
{
    return RedriveReader(table, folder, settings, out).read();
}

} // namespace redrive
