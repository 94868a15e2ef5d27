#include "core/db/store_recovery.h"

#include "core/db/connection.h"
#include "core/db/mended_copy.h"
#include "core/db/migrator.h"
#include "core/db/quick_check.h"
#include "core/db/store_copy.h"
#include "core/db/table_copy.h"

#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QUrl>

#include <algorithm>

namespace redrive {

namespace {

struct SchemaEntry
{
    QString type;
    QString name;
    QString sql;
};

class Recovery final
{
public:
    Recovery(const DatabaseTarget& damaged, Connection& target, const RecoveryProgress& progress)
        : m_damaged(damaged), m_db(target), m_progress(progress)
    {
    }

    Status run();
    QList<RecoveredTable> tables() const { return m_tables; }

private:
    Status attach();
    Status attachFile(const QString& path, bool writable);
    Result<qint64> readSchema();
    void create(const QString& type, bool onlyUnique);
    Status copyTables();
    Status keepSequences();
    Status restoreMarks(qint64 schemaNumber);
    Result<qint64> number(const QString& statement);

    DatabaseTarget m_damaged;
    Connection& m_db;
    const RecoveryProgress& m_progress;
    std::unique_ptr<QTemporaryDir> m_mended; // gone with the object
    bool m_attached = false;
    QList<SchemaEntry> m_schema;
    QList<RecoveredTable> m_tables;
};

Status Recovery::run()
{
    // Tables whose place is not in the file any more shall not hide the others.
    REDRIVE_TRY(m_db.execute(u"PRAGMA writable_schema=ON"_s));
    REDRIVE_TRY(attach());
    const qint64 schemaNumber = number(u"PRAGMA damaged.user_version"_s).value_or(0);
    create(u"table"_s, false);
    create(u"index"_s, true); // before the rows, so that no two of a kind come in
    REDRIVE_TRY(copyTables());
    REDRIVE_TRY(keepSequences());
    create(u"index"_s, false);
    create(u"view"_s, false);
    create(u"trigger"_s, false);
    REDRIVE_TRY(restoreMarks(schemaNumber));
    REDRIVE_TRY(m_db.execute(u"DETACH damaged"_s));
    return m_db.execute(u"PRAGMA writable_schema=OFF"_s);
}

Status Recovery::attach()
{
    if (attachFile(m_damaged.path, false) && readSchema().value_or(0) > 0)
        return {};
    m_mended = std::make_unique<QTemporaryDir>(m_damaged.path + u".mended-"_s);
    const QString copy = m_mended->filePath(u"copy.db"_s);
    REDRIVE_TRY(makeMendedCopy(m_damaged, copy));
    if (!attachFile(copy, true) || readSchema().value_or(0) == 0)
        return fail(ErrorKind::Corrupt,
                    u"The list of tables in '%1' cannot be read any more, so nothing can be saved from it. "
                    u"Open a backup instead."_s.arg(QFileInfo(m_damaged.path).fileName()));
    return {};
}

Status Recovery::attachFile(const QString& path, bool writable)
{
    if (m_attached)
        REDRIVE_TRY(m_db.execute(u"DETACH damaged"_s));
    m_attached = false;
    auto attach = m_db.dynamicQuery(u"ATTACH ? AS damaged"_s);
    REDRIVE_TRY(attach
                    .bind(QUrl::fromLocalFile(path).toString(QUrl::FullyEncoded) +
                          (writable ? QString() : u"?mode=ro"_s))
                    .run());
    m_attached = true;
    return {};
}

// How many tables there are; as many entries as can be read.
Result<qint64> Recovery::readSchema()
{
    m_schema.clear();
    auto entries = m_db.dynamicQuery(
        u"SELECT type, name, sql FROM damaged.sqlite_master WHERE sql IS NOT NULL ORDER BY rowid"_s);
    while (entries.next())
        m_schema.append({entries.text(0), entries.text(1), entries.text(2)});
    return std::count_if(m_schema.begin(), m_schema.end(),
                         [](const SchemaEntry& entry) { return entry.type == u"table"; });
}

// What cannot be made again is missing in the new file; the store's own parts are made by its migrations.
void Recovery::create(const QString& type, bool onlyUnique)
{
    for (const SchemaEntry& entry : std::as_const(m_schema)) {
        if (entry.type != type || entry.name.startsWith(u"sqlite_"))
            continue;
        if (onlyUnique && !entry.sql.startsWith(u"CREATE UNIQUE"_s, Qt::CaseInsensitive))
            continue;
        (void)m_db.execute(entry.sql);
    }
}

Status Recovery::copyTables()
{
    for (const SchemaEntry& entry : std::as_const(m_schema)) {
        if (entry.type != u"table" || entry.name.startsWith(u"sqlite_"))
            continue;
        TableCopy copy(m_db, entry.name,
                       [&](qint64 rows) { return !m_progress || m_progress(entry.name, rows); });
        REDRIVE_TRY(copy.run());
        m_tables.append({entry.name, copy.rows(), copy.isComplete()});
    }
    return {};
}

// Numbers that were given out once are not given out again, their rows lost or not.
Status Recovery::keepSequences()
{
    const auto has = number(u"SELECT count(*) FROM main.sqlite_master WHERE name = 'sqlite_sequence'"_s);
    if (!has || *has == 0)
        return {};
    std::vector<std::pair<QString, qint64>> sequences;
    auto read = m_db.dynamicQuery(u"SELECT name, seq FROM damaged.sqlite_sequence"_s);
    while (read.next())
        sequences.emplace_back(read.text(0), read.int64(1));
    for (const auto& [table, last] : sequences) {
        auto raise = m_db.dynamicQuery(u"UPDATE main.sqlite_sequence SET seq = max(seq, ?) WHERE name = ?"_s);
        REDRIVE_ASSIGN(found, raise.bind(last).bind(table).run());
        if (found > 0)
            continue;
        auto add = m_db.dynamicQuery(u"INSERT INTO main.sqlite_sequence (name, seq) VALUES (?, ?)"_s);
        REDRIVE_TRY(add.bind(table).bind(last).run());
    }
    return {};
}

// Whose database it is, and which migrations it has had: by its header or by its own list, whichever knows
// more.
Status Recovery::restoreMarks(qint64 schemaNumber)
{
    const qint64 listed = number(u"SELECT max(number) FROM main.redrive_migrations"_s).value_or(0);
    const qint64 reached = std::max(schemaNumber, listed);
    for (const Migration& migration : ownMigrations()) {
        if (migration.number > reached)
            continue;
        auto note = m_db.dynamicQuery(
            u"INSERT OR IGNORE INTO main.redrive_migrations (number, name, applied_at_ms) VALUES (?, ?, 0)"_s);
        REDRIVE_TRY(note.bind(migration.number).bind(migration.name).run());
    }
    REDRIVE_TRY(m_db.execute(u"PRAGMA main.application_id=%1"_s.arg(kApplicationId)));
    return m_db.execute(u"PRAGMA main.user_version=%1"_s.arg(reached));
}

Result<qint64> Recovery::number(const QString& statement)
{
    auto query = m_db.dynamicQuery(statement);
    const qint64 value = query.next() ? query.int64(0) : 0;
    REDRIVE_TRY(query.status());
    return value;
}

Result<QList<RecoveredTable>> recoverInto(const QString& path, const DatabaseTarget& damaged,
                                          const RecoveryProgress& progress)
{
    REDRIVE_ASSIGN(connection, Connection::open({path}, Access::Writer));
    REDRIVE_TRY(connection->execute(u"PRAGMA cell_size_check=ON"_s)); // notices more damage
    REDRIVE_TRY(connection->execute(u"PRAGMA synchronous=OFF"_s));    // until it is whole
    Recovery recovery(damaged, *connection, progress);
    REDRIVE_TRY(recovery.run());
    REDRIVE_TRY(connection->execute(u"PRAGMA synchronous=FULL"_s));
    REDRIVE_TRY(quickCheck(*connection));
    auto merge = connection->dynamicQuery(u"PRAGMA wal_checkpoint(TRUNCATE)"_s);
    (void)merge.next();
    REDRIVE_TRY(merge.status());
    return recovery.tables();
}

} // namespace

Result<RecoveredStore> recoverStore(const DatabaseTarget& damaged, qint64 nowMs,
                                    const RecoveryProgress& progress)
{
    const QString path = nameBeside(damaged, u"recovered"_s, nowMs);
    auto tables = recoverInto(path, damaged, progress);
    if (!tables) {
        for (const QString& end : {QString(), u"-wal"_s, u"-shm"_s})
            QFile::remove(path + end);
        return fail(std::move(tables.error()));
    }
    return RecoveredStore{path, *tables};
}

} // namespace redrive
