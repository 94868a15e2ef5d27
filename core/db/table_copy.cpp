#include "core/db/table_copy.h"

#include "core/db/sql_scanner.h"

#include <algorithm>
#include <limits>

namespace redrive {

namespace {

constexpr qint64 kChunkRows = 1'000;
constexpr qint64 kSingleSteps = 4'096; // over a damaged page; then ever larger ones
constexpr qint64 kStepsPerDoubling = 64;
constexpr qint64 kFirstKey = std::numeric_limits<qint64>::min();
constexpr qint64 kLastKey = std::numeric_limits<qint64>::max();

} // namespace

TableCopy::TableCopy(Connection& connection, QString table, std::function<bool(qint64)> keepGoing)
    : m_db(connection), m_table(quotedSqlName(table)), m_name(std::move(table)),
      m_keepGoing(std::move(keepGoing))
{
}

Status TableCopy::run()
{
    REDRIVE_TRY(readColumns());
    return m_key.isEmpty() ? copyFromBothEnds() : copyByRowKey();
}

Status TableCopy::readColumns()
{
    bool withoutRowKey = false;
    {
        auto list =
            m_db.dynamicQuery(u"SELECT wr FROM pragma_table_list WHERE schema = 'main' AND name = ?"_s);
        list.bind(m_name);
        withoutRowKey = list.next() && list.int64(0) != 0;
        REDRIVE_TRY(list.status());
    }
    QStringList names;
    QStringList lower;
    QStringList integerKeys;
    std::vector<std::pair<qint64, QString>> primary;
    auto columns = m_db.dynamicQuery(u"SELECT name, type, pk, hidden FROM pragma_table_xinfo(?)"_s);
    columns.bind(m_name);
    while (columns.next()) {
        if (columns.int64(3) != 0) // generated
            continue;
        names.append(quotedSqlName(columns.text(0)));
        lower.append(columns.text(0).toLower());
        if (columns.int64(2) > 0)
            primary.emplace_back(columns.int64(2), names.last());
        if (columns.int64(2) > 0 && columns.text(1).compare(u"INTEGER"_s, Qt::CaseInsensitive) == 0)
            integerKeys.append(names.last());
    }
    REDRIVE_TRY(columns.status());
    std::sort(primary.begin(), primary.end());
    for (const auto& [position, name] : primary)
        m_primary.append(name);

    if (!withoutRowKey && primary.size() == 1 && !integerKeys.isEmpty())
        m_key = integerKeys.first();
    for (const QString& name : {u"rowid"_s, u"_rowid_"_s, u"oid"_s})
        if (!withoutRowKey && m_key.isEmpty() && !lower.contains(name))
            m_key = name;
    if (!m_key.isEmpty() && !names.contains(m_key))
        names.prepend(m_key);
    m_columns = names.join(u", "_s);
    return {};
}

// What keeps a row from being read or written is a lost row; everything else ends the copy.
Status TableCopy::goOnAfter(const Error& error)
{
    switch (error.kind) {
    case ErrorKind::StorageFull:
    case ErrorKind::Busy:
    case ErrorKind::ReadOnly:
    case ErrorKind::Cancelled:
        return fail(error);
    default:
        m_complete = false;
        return {};
    }
}

Result<TableCopy::Chunk> TableCopy::chunkFrom(qint64 key, qint64 most)
{
    auto found = m_db.dynamicQuery(
        u"SELECT max(k), count(*) FROM (SELECT %1 AS k FROM damaged.%2 NOT INDEXED WHERE %1 >= ? "
        "ORDER BY %1 LIMIT ?)"_s.arg(m_key, m_table));
    found.bind(key).bind(most);
    Chunk chunk;
    if (found.next())
        chunk = {found.int64(0), found.int64(1)};
    REDRIVE_TRY(found.status());
    return chunk;
}

Result<qint64> TableCopy::insertChunk(qint64 from, qint64 last)
{
    auto insert = m_db.dynamicQuery(
        u"INSERT OR IGNORE INTO main.%1 (%2) SELECT %2 FROM damaged.%1 NOT INDEXED WHERE %3 BETWEEN ? AND ?"_s
            .arg(m_table, m_columns, m_key));
    return insert.bind(from).bind(last).run();
}

Status TableCopy::copyByRowKey()
{
    qint64 key = kFirstKey;
    qint64 most = kChunkRows;
    for (;;) {
        if (!m_keepGoing(m_rows))
            return fail(ErrorKind::Cancelled, u"the recovery was stopped"_s);
        const auto chunk = chunkFrom(key, most);
        if (!chunk) {
            REDRIVE_TRY(goOnAfter(chunk.error()));
            if (most == 1 && !stepOverDamage(key))
                return {};
            most = 1;
            continue;
        }
        if (chunk->rows == 0)
            return {};
        const auto inserted = insertChunk(key, chunk->last);
        if (!inserted) {
            REDRIVE_TRY(goOnAfter(inserted.error()));
            if (most > 1) {
                most = 1;
                continue;
            }
        } else {
            m_rows += *inserted;
            m_complete = m_complete && *inserted == chunk->rows;
            most = std::min(kChunkRows, 2 * most);
        }
        if (chunk->last == kLastKey)
            return {};
        key = chunk->last + 1;
    }
}

// Leaves `key` at the first one from which reading works again; false: there is none.
bool TableCopy::stepOverDamage(qint64& key)
{
    qint64 unreadable = key;
    qint64 step = 1;
    key = std::max<qint64>(key, -1); // a key below is nothing that a table of ours has
    for (qint64 tried = 1;; ++tried) {
        if (tried > kSingleSteps && tried % kStepsPerDoubling == 0)
            step *= 2;
        if (key > kLastKey - step)
            return false;
        unreadable = key;
        key += step;
        if (chunkFrom(key, 1))
            break;
    }
    while (key - unreadable > 1) {
        const qint64 middle = unreadable + (key - unreadable) / 2;
        (chunkFrom(middle, 1) ? key : unreadable) = middle;
    }
    return true;
}

Result<qint64> TableCopy::insertFirst(const QString& order, qint64 most)
{
    auto insert =
        m_db.dynamicQuery(u"INSERT OR IGNORE INTO main.%1 (%2) SELECT %2 FROM damaged.%1 %3 LIMIT ?"_s.arg(
            m_table, m_columns, order));
    return insert.bind(most).run();
}

Status TableCopy::copyFromBothEnds()
{
    if (!m_keepGoing(0))
        return fail(ErrorKind::Cancelled, u"the recovery was stopped"_s);
    if (const auto all = insertFirst({}, -1); !all) {
        REDRIVE_TRY(goOnAfter(all.error()));
        REDRIVE_TRY(copyUpToDamage({}));
        if (!m_primary.isEmpty())
            REDRIVE_TRY(copyUpToDamage(u"ORDER BY "_s + m_primary.join(u" DESC, "_s) + u" DESC"_s));
    }
    auto count = m_db.dynamicQuery(u"SELECT count(*) FROM main."_s + m_table);
    m_rows = count.next() ? count.int64(0) : 0;
    return count.status();
}

// As many rows from this end as can be read: found by halves.
Status TableCopy::copyUpToDamage(const QString& order)
{
    qint64 readable = 0;
    qint64 tooMany = kChunkRows;
    for (;; tooMany *= 2) {
        const auto inserted = insertFirst(order, tooMany);
        if (!inserted) {
            REDRIVE_TRY(goOnAfter(inserted.error()));
            break;
        }
        if (tooMany > kLastKey / 4)
            return {};
        readable = tooMany;
    }
    while (tooMany - readable > 1) {
        if (!m_keepGoing(readable))
            return fail(ErrorKind::Cancelled, u"the recovery was stopped"_s);
        const qint64 middle = readable + (tooMany - readable) / 2;
        const auto inserted = insertFirst(order, middle);
        if (!inserted)
            REDRIVE_TRY(goOnAfter(inserted.error()));
        (inserted ? readable : tooMany) = middle;
    }
    return {};
}

} // namespace redrive
