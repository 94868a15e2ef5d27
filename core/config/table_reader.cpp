#include "core/config/table_reader.h"

#include "core/base/result.h"

namespace redrive {

const ConfigValue* TableReader::take(const QString& key)
{
    m_known.append(key);
    return m_table.find(key);
}

std::optional<QString> TableReader::text(const QString& key)
{
    const ConfigValue* value = take(key);
    return value ? readText(*value, m_out) : std::nullopt;
}

std::optional<QString> TableReader::name(const QString& key)
{
    const ConfigValue* value = take(key);
    return value ? readName(*value, m_out) : std::nullopt;
}

std::optional<bool> TableReader::boolean(const QString& key)
{
    const ConfigValue* value = take(key);
    return value ? readBool(*value, m_out) : std::nullopt;
}

std::optional<QStringList> TableReader::texts(const QString& key)
{
    const ConfigValue* value = take(key);
    return value ? readTexts(*value, m_out) : std::nullopt;
}

std::optional<QString> TableReader::requiredName(const QString& key)
{
    const ConfigValue* value = take(key);
    if (!value) {
        m_out.missing(m_table, key, u"is missing, it is required"_s);
        return {};
    }
    return readName(*value, m_out);
}

std::optional<qint64> TableReader::integer(const QString& key, qint64 min, qint64 max, const QString& unit)
{
    const ConfigValue* value = take(key);
    return value ? readInteger(*value, min, max, unit, m_out) : std::nullopt;
}

std::optional<double> TableReader::number(const QString& key, double min, double max)
{
    const ConfigValue* value = take(key);
    return value ? readNumber(*value, min, max, {}, m_out) : std::nullopt;
}

std::optional<qint64> TableReader::seconds(const QString& key, qint64 min, qint64 max)
{
    const ConfigValue* value = take(key);
    return value ? readSeconds(*value, min, max, m_out) : std::nullopt;
}

std::optional<qint64> TableReader::wholeSeconds(const QString& key, qint64 min, qint64 max)
{
    const ConfigValue* value = take(key);
    return value ? readWholeSeconds(*value, min, max, m_out) : std::nullopt;
}

const ConfigValue* TableReader::table(const QString& key)
{
    const ConfigValue* value = take(key);
    return value && expectTable(*value, m_out) ? value : nullptr;
}

void TableReader::finish()
{
    for (const ConfigValue& member : m_table.items) {
        if (!m_known.contains(member.key)) {
            m_out.warningAtKey(member,
                               u"unknown key, it is ignored; known here are "_s + m_known.join(u", "_s));
        }
    }
}

} // namespace redrive
