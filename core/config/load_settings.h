// From configuration files to Settings, with everything that is wrong with them at once. Blocking file
// reads; any thread.
#pragma once

#include "core/config/diagnostic.h"
#include "core/config/settings.h"

#include <optional>

namespace redrive {

using ProcessEnvironment = QHash<QString, QByteArray>;

// Secrets that were made or put here by name; the last place where a name is looked for.
struct KeptSecrets
{
    QHash<QString, QByteArray> values;
    QString place;   // for people
    QString problem; // why they cannot be read; empty: they can
};

struct LoadRequest
{
    QString file;            // empty: wrangler.jsonc, .json or .toml in workingDir, else the built-in default
    QString environmentName; // empty: CLOUDFLARE_ENV of processEnvironment, else the top level
    QString workingDir;      // relative files begin here; empty: the process's
    ProcessEnvironment processEnvironment;
    KeptSecrets kept;
};

struct LoadResult
{
    Settings settings;             // complete only if ok
    QList<Diagnostic> diagnostics; // in the order of files and places
    bool ok = false;               // no errors: it may start

    // One diagnostic a line.
    QString text() const;
};

LoadResult loadSettings(const LoadRequest& request);

enum class ConfigFormat { Toml, Jsonc };

struct SourceFile
{
    QString name; // as messages show it
    QByteArray text;
};

// The same without reading any file.
struct TextRequest
{
    std::optional<SourceFile> wrangler; // nothing: the built-in default
    ConfigFormat format = ConfigFormat::Toml;
    std::optional<SourceFile> redrive; // redrive.toml
    std::optional<SourceFile> devVars; // .dev.vars
    QString environmentName;           // as in LoadRequest
    QString folder = QStringLiteral("/");
    ProcessEnvironment processEnvironment;
    KeptSecrets kept;
};

LoadResult loadSettingsFromText(const TextRequest& request);

// The environment of this process. Call it before threads change it.
ProcessEnvironment currentEnvironment();

} // namespace redrive
