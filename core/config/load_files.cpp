#include "core/config/load_settings.h"

#include "core/base/result.h"
#include "core/config/source_text.h"

#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>

extern char** environ;

namespace redrive {

namespace {

// Which file is meant: the path to open and the name that messages show.
struct ChosenFile
{
    QString path;
    QString name;
};

std::optional<ChosenFile> chooseFile(const LoadRequest& request, const QDir& folder)
{
    if (!request.file.isEmpty())
        return ChosenFile{folder.absoluteFilePath(request.file), request.file};
    const bool isHere = folder == QDir::current();
    for (const QString& name : {u"wrangler.jsonc"_s, u"wrangler.json"_s, u"wrangler.toml"_s}) {
        const QString path = folder.absoluteFilePath(name);
        if (QFileInfo::exists(path))
            return ChosenFile{path, isHere ? name : path};
    }
    return {};
}

// By the name; where that says nothing (a pipe), by the first character of the text.
ConfigFormat formatOf(const QString& path, const QByteArray& text)
{
    const QString suffix = QFileInfo(path).suffix().toLower();
    if (suffix == u"toml"_s)
        return ConfigFormat::Toml;
    if (suffix == u"json"_s || suffix == u"jsonc"_s)
        return ConfigFormat::Jsonc;
    const QByteArray start = text.trimmed();
    return start.startsWith('{') || start.startsWith('/') ? ConfigFormat::Jsonc : ConfigFormat::Toml;
}

std::optional<SourceFile> readBeside(const QString& path, const QString& name, Diagnostics& out)
{
    if (!QFileInfo::exists(path))
        return {};
    const auto text = readSourceFile(path, name, out);
    if (!text)
        return {};
    return SourceFile{name, *text};
}

// Cloudflare's rule: .dev.vars.NAME takes the place of .dev.vars where the environment has one.
QString devVarsName(const QDir& folder, const QString& environment)
{
    static const QRegularExpression simple(u"\\A[A-Za-z0-9_.-]+\\z"_s);
    const QString own = u".dev.vars."_s + environment;
    if (simple.match(environment).hasMatch() && QFileInfo::exists(folder.filePath(own)))
        return own;
    return u".dev.vars"_s;
}

} // namespace

LoadResult loadSettings(const LoadRequest& request)
{
    const QDir working(request.workingDir.isEmpty() ? QDir::currentPath() : request.workingDir);
    Diagnostics problems;
    TextRequest texts;
    texts.environmentName = request.environmentName;
    texts.processEnvironment = request.processEnvironment;
    texts.kept = request.kept;

    const auto chosen = chooseFile(request, working);
    const QDir folder = chosen ? QFileInfo(chosen->path).absoluteDir() : working;
    texts.folder = folder.absolutePath();
    if (chosen) {
        const auto text = readSourceFile(chosen->path, chosen->name, problems);
        if (!text)
            return {Settings(), problems.list(), false};
        texts.wrangler = SourceFile{chosen->name, *text};
        texts.format = formatOf(chosen->path, *text);
    }

    const QString shownFolder = chosen ? chosen->name.left(chosen->name.lastIndexOf(u'/') + 1) : QString();
    const QString redrivePath = folder.absoluteFilePath(u"redrive.toml"_s);
    if (!chosen || QFileInfo(redrivePath) != QFileInfo(chosen->path))
        texts.redrive = readBeside(redrivePath, shownFolder + u"redrive.toml"_s, problems);
    if (chosen || texts.redrive) {
        const QString environment =
            request.environmentName.isEmpty()
                ? QString::fromUtf8(request.processEnvironment.value(u"CLOUDFLARE_ENV"_s))
                : request.environmentName;
        const QString name = devVarsName(folder, environment);
        texts.devVars = readBeside(folder.absoluteFilePath(name), shownFolder + name, problems);
    }

    LoadResult result = loadSettingsFromText(texts);
    if (chosen)
        result.settings.sourceFile = QDir::cleanPath(chosen->path);
    else if (texts.redrive)
        result.settings.sourceFile = QDir::cleanPath(redrivePath);
    result.settings.redriveFile = texts.redrive ? QDir::cleanPath(redrivePath) : result.settings.sourceFile;
    result.diagnostics = problems.list() + result.diagnostics;
    result.ok = result.ok && !problems.hasErrors();
    return result;
}

ProcessEnvironment currentEnvironment()
{
    ProcessEnvironment environment;
    for (char** entry = environ; entry && *entry; ++entry) {
        const QByteArray text(*entry);
        const auto equals = text.indexOf('=');
        if (equals > 0)
            environment.insert(QString::fromLocal8Bit(text.left(equals)), text.mid(equals + 1));
    }
    return environment;
}

} // namespace redrive
