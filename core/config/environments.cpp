#include "core/config/environments.h"

#include "core/base/result.h"
#include "core/config/database_section.h"
#include "core/config/platform_keys.h"
#include "core/config/quoted.h"
#include "core/config/value_checks.h"

namespace redrive {

namespace {

struct Scope
{
    EffectiveSections sections;
    bool hasTriggers = false;
};

void checkKeys(const ConfigValue& scope, bool isTop, Diagnostics& out)
{
    static const QStringList known{u"queues"_s, u"d1_databases"_s, u"triggers"_s};
    for (const ConfigValue& member : scope.items) {
        const bool topOnly = member.key == u"env"_s || member.key == u"redrive"_s;
        if (topOnly && !isTop)
            out.warningAtKey(member, u"is ignored here, it has an effect only at the top level"_s);
        else if (!topOnly && !known.contains(member.key) && !platformKeys().contains(member.key))
            out.warningAtKey(
                member,
                u"unknown key, it is ignored; Redrive reads queues, d1_databases, triggers, env and redrive"_s);
    }
}

Scope readScope(const ConfigValue& table, bool isTop, const QString& folder, Diagnostics& out)
{
    Scope scope;
    scope.sections.scope = &table;
    checkKeys(table, isTop, out);
    if (const ConfigValue* queues = table.find(u"queues"_s))
        scope.sections.queues = readQueueSection(*queues, out);
    if (const ConfigValue* databases = table.find(u"d1_databases"_s))
        scope.sections.databases = readDatabaseSection(*databases, folder, out);
    if (const ConfigValue* triggers = table.find(u"triggers"_s)) {
        scope.hasTriggers = true;
        scope.sections.crons = readTriggers(*triggers, out);
    }
    checkOneConsumerEach(scope.sections.queues, out);
    checkBindingNames(table, out);
    return scope;
}

void warnAboutInheritance(const ConfigValue& top, const ConfigValue& environment, Diagnostics& out)
{
    for (const QString& key : {u"queues"_s, u"d1_databases"_s, u"vars"_s}) {
        const ConfigValue* value = top.find(key);
        if (value && !environment.find(key)) {
            out.warningAtKey(
                *value, u"is not inherited by the environment %1, which has none of its own: add %2"_s.arg(
                            quoted(environment.key), memberPath(environment.keyPath, key)));
        }
    }
}

void unknownEnvironment(const ConfigValue& root, const ConfigValue* environments, const QString& name,
                        Diagnostics& out)
{
    QStringList known;
    if (environments) {
        for (const ConfigValue& entry : environments->items)
            known.append(quoted(entry.key));
    }
    const QString allowed =
        known.isEmpty() ? u"this file has no environments"_s : u"this file has "_s + known.join(u", "_s);
    out.error(environments ? *environments : root,
              u"there is no environment %1; %2"_s.arg(quoted(name), allowed));
}

} // namespace

std::optional<EffectiveSections> readScopes(const ConfigValue& root, const QString& environment,
                                            const QString& folder, Diagnostics& out)
{
    const Scope top = readScope(root, true, folder, out);
    std::optional<EffectiveSections> effective;
    const ConfigValue* environments = root.find(u"env"_s);
    if (environments && expectTable(*environments, out)) {
        for (const ConfigValue& entry : environments->items) {
            if (!expectTable(entry, out))
                continue;
            Scope scope = readScope(entry, false, folder, out);
            if (entry.key != environment)
                continue;
            warnAboutInheritance(root, entry, out);
            if (!scope.hasTriggers)
                scope.sections.crons = top.sections.crons;
            effective = scope.sections;
        }
    }
    if (environment.isEmpty())
        return top.sections;
    if (!effective)
        unknownEnvironment(root, environments && environments->isTable() ? environments : nullptr,
                           environment, out);
    return effective;
}

} // namespace redrive
