#include "core/config/redrive_section.h"

#include "core/base/result.h"
#include "core/config/alert_section.h"
#include "core/config/archive_section.h"
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

bool isEveryAddress(const QHostAddress& address)
{
    return address == QHostAddress(QHostAddress::AnyIPv4) || address == QHostAddress(QHostAddress::AnyIPv6);
}

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
        if (const ConfigValue* alerts = m_reader.table(u"alerts"_s))
            readAlerts(*alerts, m_settings, m_out);
        if (const ConfigValue* archive = m_reader.table(u"archive"_s))
            readArchive(*archive, m_folder, m_settings, m_out);
        m_reader.finish();
        return m_places;
    }

private:
    std::optional<ListenAddress> readAddress(const QString& key, QString& target)
    {
        const ConfigValue* value = m_reader.take(key);
        const auto text = value ? readText(*value, m_out) : std::nullopt;
        if (!text)
            return {};
        const auto address = parseListenAddress(*text);
        if (!address) {
            m_out.error(*value, address.error().message);
            return {};
        }
        target = *text;
        return *address;
    }

    void readTlsFiles()
    {
        const ConfigValue* table = m_reader.table(u"tls"_s);
        if (table) {
            TableReader reader(*table, m_out);
            const auto file = [&](const QString& key, QString& target) {
                if (const auto text = reader.text(key))
                    target = resolvePath(m_folder, *text);
            };
            file(u"cert"_s, m_settings.tlsCertificate);
            file(u"key"_s, m_settings.tlsKey);
            reader.finish();
        }
        const bool complete = !m_settings.tlsCertificate.isEmpty() && !m_settings.tlsKey.isEmpty();
        const ConfigValue* listen = m_table.find(u"listen_tls"_s);
        if (listen && !complete)
            m_out.error(*listen, u"needs tls.cert and tls.key, the files with the certificate and its key"_s);
        if (table && !listen)
            m_out.warningAtKey(*table, u"does nothing without listen_tls"_s);
    }

    void readListener()
    {
        const auto plain = readAddress(u"listen"_s, m_settings.listen);
        const auto tls = readAddress(u"listen_tls"_s, m_settings.listenTls);
        readTlsFiles();
        m_settings.insecureListen = m_reader.boolean(u"insecure_listen"_s).value_or(false);
        if (const auto allowed = plain ? checkPlainListen(m_settings.listen, *plain) : Status();
            !allowed && !m_settings.insecureListen)
            m_out.error(*m_table.find(u"listen"_s), allowed.error().message);
        const bool leaves = (plain && !plain->host.isLoopback()) || (tls && !tls->host.isLoopback());
        if (m_settings.insecureListen)
            m_out.warningAtKey(*m_table.find(u"insecure_listen"_s),
                               leaves ? u"lets everybody who reaches this machine in without TLS or a token"_s
                                      : u"does nothing: no listener leaves this machine"_s);
        readHosts();
        const bool everywhere = (plain && isEveryAddress(plain->host)) || (tls && isEveryAddress(tls->host));
        if (everywhere && m_settings.hosts.isEmpty())
            m_out.warning(
                *m_table.find(plain && isEveryAddress(plain->host) ? u"listen"_s : u"listen_tls"_s),
                u"is every address, but requests are answered for localhost only: name in hosts what "
                "clients call this machine"_s);
    }

    void readHosts()
    {
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
        if (const ConfigValue* table = m_reader.table(u"retention"_s)) {
            readRetention(*table, m_settings.retention, m_out);
            for (const ConfigValue& entry : table->items)
                m_settings.places.of.insert(u"retention."_s + entry.key, entry.place());
        }
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
