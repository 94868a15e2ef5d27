// Short forms for the tests of core/config.
#pragma once

#include "core/config/load_settings.h"

namespace redrive {

inline TextRequest tomlRequest(const QByteArray& text)
{
    TextRequest request;
    request.wrangler = SourceFile{QStringLiteral("wrangler.toml"), text};
    request.folder = QStringLiteral("/srv/app");
    return request;
}

inline TextRequest jsoncRequest(const QByteArray& text)
{
    TextRequest request = tomlRequest(text);
    request.wrangler->name = QStringLiteral("wrangler.jsonc");
    request.format = ConfigFormat::Jsonc;
    return request;
}

inline LoadResult loadToml(const QByteArray& text)
{
    return loadSettingsFromText(tomlRequest(text));
}

inline LoadResult loadJsonc(const QByteArray& text)
{
    return loadSettingsFromText(jsoncRequest(text));
}

// The printed lines of one severity.
inline QStringList linesOf(const LoadResult& result, Severity severity)
{
    QStringList lines;
    for (const Diagnostic& diagnostic : result.diagnostics) {
        if (diagnostic.severity == severity)
            lines.append(diagnostic.text());
    }
    return lines;
}

inline QStringList errorsOf(const LoadResult& result)
{
    return linesOf(result, Severity::Error);
}

inline QStringList warningsOf(const LoadResult& result)
{
    return linesOf(result, Severity::Warning);
}

} // namespace redrive
