#include "ui/models/retention_text.h"

#include "ui/models/state_words.h"

#include <QCoreApplication>

#include <iterator>

namespace redrive {

namespace {

QString words(const char* text)
{
    return QCoreApplication::translate("Settings", text);
}

} // namespace

QString retentionName(const QString& key)
{
    static constexpr std::pair<const char*, const char*> kNames[] = {
        {"jobs", QT_TRANSLATE_NOOP("Settings", "Finished jobs")},
        {"letters", QT_TRANSLATE_NOOP("Settings", "Dead letters")},
        {"bin", QT_TRANSLATE_NOOP("Settings", "Bin")},
        {"deliveries", QT_TRANSLATE_NOOP("Settings", "Deliveries")},
        {"bodies", QT_TRANSLATE_NOOP("Settings", "Answers of endpoints")},
        {"telemetry", QT_TRANSLATE_NOOP("Settings", "Telemetry")},
        {"audit", QT_TRANSLATE_NOOP("Settings", "Activity of operators")},
    };
    for (const auto& [name, text] : kNames)
        if (key == QLatin1StringView(name))
            return words(text);
    return key;
}

QString configurationText(const EngineFacts& facts)
{
    QString text = facts.configurationFile.isEmpty() ? words("the built-in configuration")
                                                     : cellText(facts.configurationFile);
    if (!facts.environment.isEmpty())
        text += u" \u00B7 "_s + cellText(facts.environment);
    return text;
}

} // namespace redrive
