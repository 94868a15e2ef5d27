#include "core/config/load_settings.h"

#include "core/base/result.h"
#include "core/config/config_value.h"
#include "core/config/defaults.h"
#include "core/config/dev_vars.h"
#include "core/config/environments.h"
#include "core/config/jsonc_reader.h"
#include "core/config/queue_roles.h"
#include "core/config/quoted.h"
#include "core/config/redrive_section.h"
#include "core/config/source_text.h"
#include "core/config/toml_reader.h"
#include "core/config/value_checks.h"

#include <algorithm>

namespace redrive {

namespace {

std::optional<ConfigValue> readDocument(const SourceFile& source, ConfigFormat format, Diagnostics& out)
{
    const auto text = checkSourceText(source.text, source.name, out);
    if (!text)
        return {};
    return format == ConfigFormat::Toml ? readToml(*text, source.name, out)
                                        : readJsonc(*text, source.name, out);
}

// One load: reads the documents, keeps them while their places are needed.
class Loader final
{
public:
    explicit Loader(const TextRequest& request) : m_request(request) {}

    LoadResult load()
    {
        readSecrets();
        m_settings = m_request.wrangler ? Settings() : builtInSettings();
        m_settings.secrets = m_secrets;
        chooseEnvironment();
        const bool readable = readDocuments();
        if (m_wrangler)
            readWrangler();
        RedrivePlaces places;
        if (const ConfigValue* table = redriveTable())
            places = readRedriveSection(*table, m_request.folder, m_settings, m_out);
        if (readable && m_scopeKnown)
            resolveQueueRoles(m_settings, places, mainName(), m_out);
        chooseIngestToken();
        return finish();
    }

private:
    QString mainName() const
    {
        if (m_request.wrangler)
            return m_request.wrangler->name;
        return m_request.redrive ? m_request.redrive->name : QString();
    }

    // The environment wins over .dev.vars, and that over what is kept.
    void readSecrets()
    {
        m_secrets = m_request.kept.values;
        if (!m_request.kept.problem.isEmpty())
            m_out.fileWarning(m_request.kept.place, m_request.kept.problem);
        if (m_request.devVars) {
            const auto text = checkDevVars(*m_request.devVars);
            if (text)
                m_secrets.insert(parseDevVars(*text, m_request.devVars->name, m_out));
        }
        m_secrets.insert(m_request.processEnvironment);
    }

    // An empty .dev.vars is fine, an unreadable one is not.
    std::optional<QByteArray> checkDevVars(const SourceFile& source)
    {
        if (source.text.trimmed().isEmpty())
            return QByteArray();
        return checkSourceText(source.text, source.name, m_out);
    }

    void chooseEnvironment()
    {
        m_settings.environment = m_request.environmentName;
        if (m_settings.environment.isEmpty())
            m_settings.environment =
                QString::fromUtf8(m_request.processEnvironment.value(u"CLOUDFLARE_ENV"_s));
        if (m_request.wrangler || m_settings.environment.isEmpty())
            return;
        if (!m_request.environmentName.isEmpty()) {
            m_out.fileError(mainName(), u"there is no environment %1: no configuration file was found"_s.arg(
                                            quoted(m_request.environmentName)));
        } else {
            m_out.fileWarning(mainName(), u"CLOUDFLARE_ENV is ignored: no configuration file was found"_s);
        }
        m_settings.environment.clear();
    }

    bool readDocuments()
    {
        if (m_request.wrangler)
            m_wrangler = readDocument(*m_request.wrangler, m_request.format, m_out);
        if (m_request.redrive)
            m_redrive = readDocument(*m_request.redrive, ConfigFormat::Toml, m_out);
        return m_wrangler.has_value() == m_request.wrangler.has_value();
    }

    void readWrangler()
    {
        const auto sections = readScopes(*m_wrangler, m_settings.environment, m_request.folder, m_out);
        m_scopeKnown = sections.has_value();
        if (!sections)
            return;
        checkQueueConnections(sections->queues, m_out);
        for (const DeclaredConsumer& consumer : sections->queues.consumers)
            m_settings.consumers.append(consumer.settings);
        for (const DeclaredProducer& producer : sections->queues.producers)
            m_settings.producers.append(producer.settings);
        m_settings.databases = sections->databases;
        m_settings.crons = sections->crons;
    }

    // The `redrive` table of either file; in redrive.toml its keys may also stand at the top level.
    const ConfigValue* redriveTable()
    {
        const ConfigValue* inWrangler = m_wrangler ? m_wrangler->find(u"redrive"_s) : nullptr;
        const ConfigValue* beside = m_redrive ? m_redrive->find(u"redrive"_s) : nullptr;
        if (beside) {
            for (const ConfigValue& member : m_redrive->items) {
                if (&member != beside)
                    m_out.warningAtKey(member,
                                       u"is ignored: this file has a table redrive, and only that is read"_s);
            }
        } else if (m_redrive) {
            beside = &*m_redrive;
        }
        if (inWrangler && beside) {
            m_out.error(*inWrangler,
                        u"stands here and in %1; Redrive's settings are allowed in one of the two"_s.arg(
                            beside->place()));
        }
        const ConfigValue* table = inWrangler ? inWrangler : beside;
        return table && expectTable(*table, m_out) ? table : nullptr;
    }

    // AUTH_SECRET where ingest_token names no other. An empty one is never an open door, nor quietly none.
    void chooseIngestToken()
    {
        const QString usual = u"AUTH_SECRET"_s;
        if (!m_settings.ingestTokenSecret.isEmpty() || !m_settings.secrets.contains(usual))
            return;
        if (!m_settings.secrets.value(usual).isEmpty())
            m_settings.ingestTokenSecret = usual;
        else if (!m_settings.telemetryQueue.isEmpty())
            m_out.fileError(mainName(),
                            u"the secret AUTH_SECRET, the token of POST /ingest, is empty; it needs a "
                            "value in the environment or in .dev.vars"_s);
    }

    LoadResult finish()
    {
        QList<Diagnostic> list = m_out.list();
        QStringList files;
        for (const Diagnostic& diagnostic : list) {
            if (!files.contains(diagnostic.file))
                files.append(diagnostic.file);
        }
        std::stable_sort(list.begin(), list.end(), [&](const Diagnostic& a, const Diagnostic& b) {
            return std::tuple(files.indexOf(a.file), a.line, a.column) <
                   std::tuple(files.indexOf(b.file), b.line, b.column);
        });
        return {m_settings, list, !m_out.hasErrors()};
    }

    const TextRequest& m_request;
    Diagnostics m_out;
    QHash<QString, QByteArray> m_secrets;
    Settings m_settings;
    std::optional<ConfigValue> m_wrangler;
    std::optional<ConfigValue> m_redrive;
    bool m_scopeKnown = true;
};

} // namespace

QString LoadResult::text() const
{
    QStringList lines;
    for (const Diagnostic& diagnostic : diagnostics)
        lines.append(diagnostic.text());
    return lines.join(u'\n');
}

LoadResult loadSettingsFromText(const TextRequest& request)
{
    return Loader(request).load();
}

} // namespace redrive
