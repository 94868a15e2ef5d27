// Reads the keys of one table and then warns about those that nobody asked for. Used on one thread.
#pragma once

#include "core/config/value_checks.h"

namespace redrive {

class TableReader final
{
public:
    // `table` is a table (expectTable) and outlives the reader.
    TableReader(const ConfigValue& table, Diagnostics& out) : m_table(table), m_out(out) {}

    // The member, or nullptr. From here on the key counts as known.
    const ConfigValue* take(const QString& key);
    void ignore(const QStringList& keys) { m_known += keys; }

    std::optional<QString> text(const QString& key);
    std::optional<QString> name(const QString& key);
    // An error if the key is missing.
    std::optional<QString> requiredName(const QString& key);
    std::optional<bool> boolean(const QString& key);
    std::optional<QStringList> texts(const QString& key);
    std::optional<qint64> integer(const QString& key, qint64 min, qint64 max, const QString& unit = {});
    std::optional<double> number(const QString& key, double min, double max);
    std::optional<qint64> seconds(const QString& key, qint64 min, qint64 max);      // milliseconds
    std::optional<qint64> wholeSeconds(const QString& key, qint64 min, qint64 max); // milliseconds
    // The member if it is a table; an error if it is something else.
    const ConfigValue* table(const QString& key);

    // Warns about unknown keys, naming the known ones.
    void finish();

private:
    const ConfigValue& m_table;
    Diagnostics& m_out;
    QStringList m_known;
};

} // namespace redrive
