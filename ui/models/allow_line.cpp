#include "ui/models/allow_line.h"

#include "core/base/result.h"
#include "ui/models/state_words.h"

#include <QCoreApplication>
#include <QFileInfo>

namespace redrive {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(allow)
};

} // namespace

bool hasJsonSettings(const EngineFacts& facts)
{
    return facts.settingsFile.endsWith(u".jsonc") || facts.settingsFile.endsWith(u".json");
}

AllowLine allowLineFor(const QString& line, const EngineFacts& facts)
{
    const QString ownFile = u"redrive.toml"_s; // its keys need no table
    const QString name =
        facts.settingsFile.isEmpty() ? ownFile : cellText(QFileInfo(facts.settingsFile).fileName());
    AllowLine allowed{line, name, name == ownFile ? name : Words::tr("the table redrive of %1").arg(name)};
    if (const auto equals = line.indexOf(u" = "); hasJsonSettings(facts) && equals > 0)
        allowed.text = u"\"%1\": %2"_s.arg(line.left(equals), line.mid(equals + 3));
    return allowed;
}

} // namespace redrive
