#include "app/command_line/profile.h"

#include "core/config/source_text.h"
#include "core/config/table_reader.h"
#include "core/config/toml_reader.h"

#include <QDir>
#include <QFileInfo>

namespace redrive {

namespace {

constexpr QLatin1String kSuffix(".toml");

QString linesOf(const Diagnostics& found)
{
    QStringList lines;
    for (const Diagnostic& diagnostic : found.list())
        lines.append(diagnostic.text());
    return lines.join(u'\n');
}

QStringList namesIn(const QDir& folder)
{
    QStringList names = folder.entryList({u"*"_s + kSuffix}, QDir::Files, QDir::Name);
    for (QString& name : names)
        name.chop(kSuffix.size());
    return names;
}

Error unknown(const QString& name, const QDir& folder)
{
    const QStringList known = namesIn(folder);
    const QString which = known.isEmpty() ? u"there are none in %1"_s.arg(folder.path())
                                          : u"there are: "_s + known.join(u", "_s);
    return {ErrorKind::InvalidInput, u"there is no profile '%1'; %2"_s.arg(name, which), {}, {}};
}

QString absolute(const QDir& folder, const QString& path)
{
    return path.isEmpty() || path.contains(u"://") ? path : folder.absoluteFilePath(path);
}

Profile read(const ConfigValue& root, const QDir& folder, Diagnostics& out)
{
    TableReader table(root, out);
    Profile profile;
    profile.configFile = absolute(folder, table.text(u"config"_s).value_or(QString()));
    profile.environment = table.name(u"env"_s).value_or(QString());
    profile.database = absolute(folder, table.text(u"database"_s).value_or(QString()));
    if (const ConfigValue* colour = table.take(u"colour"_s)) {
        const auto text = readText(*colour, out);
        if (text && !profileColours().contains(*text))
            out.error(*colour, u"is no colour; there are "_s + profileColours().join(u", "_s));
        profile.colour = text.value_or(QString());
    }
    profile.production = table.boolean(u"production"_s).value_or(false);
    profile.engine = table.boolean(u"engine"_s).value_or(true);
    table.finish();
    return profile;
}

} // namespace

const QStringList& profileColours()
{
    static const QStringList colours{u"slate"_s,  u"teal"_s, u"green"_s, u"ochre"_s,
                                     u"violet"_s, u"blue"_s, u"plum"_s};
    return colours;
}

Result<Profile> loadProfile(const QString& dataFolder, const QString& name)
{
    const QDir folder(dataFolder + u"/profiles"_s);
    if (!namesIn(folder).contains(name)) // and so nothing outside of the folder
        return fail(unknown(name, folder));
    const QString path = folder.absoluteFilePath(name + kSuffix);
    Diagnostics found;
    Profile profile;
    if (auto bytes = readSourceFile(path, path, found)) {
        const auto text = checkSourceText(*std::move(bytes), path, found);
        const auto root = text ? readToml(*text, path, found) : std::nullopt;
        if (root)
            profile = read(*root, folder, found);
    }
    if (!found.list().isEmpty()) // an unknown key too: a misspelt `production` must not open the door
        return fail(ErrorKind::InvalidInput, u"the profile '%1' has errors"_s.arg(name), linesOf(found));
    profile.name = name;
    return profile;
}

} // namespace redrive
