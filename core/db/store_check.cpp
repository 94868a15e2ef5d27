#include "core/db/store_check.h"

#include "core/db/connection.h"
#include "core/db/held_data.h"
#include "core/db/migrator.h"
#include "core/db/store_files.h"

#include <QDateTime>
#include <QFileInfo>
#include <QLocale>
#include <QRegularExpression>

namespace redrive {

namespace {

constexpr qint64 kMaxBytesToSearchForDamage = 256 << 20; // a whole-file check must not hold up the message
constexpr QByteArrayView kMagic("SQLite format 3\0", 16);

QString quotedFileName(const DatabaseTarget& target)
{
    return u"'%1'"_s.arg(QFileInfo(target.path).fileName());
}

Error notOurs(const DatabaseTarget& target)
{
    return {ErrorKind::Corrupt,
            quotedFileName(target) + u" is not a database of this program."_s,
            {},
            store_trouble::kForeign};
}

Error newer(const DatabaseTarget& target, qint64 schema, int known)
{
    return {
        ErrorKind::Corrupt,
        u"%1 was written by a newer version (schema %2, this version knows %3). Update the program."_s.arg(
            quotedFileName(target), QString::number(schema), QString::number(known)),
        {},
        store_trouble::kNewer};
}

Error emptied(const DatabaseTarget& target, const HeldData& held)
{
    const QString what = held.jobs == 1  ? u"1 job"_s
                         : held.jobs > 1 ? QLocale(QLocale::English).toString(held.jobs) + u" jobs"_s
                                         : u"a store without jobs"_s;
    return {ErrorKind::Corrupt,
            u"The database file %1 is empty (0 bytes). It held %2 when it was last open (%3). Nothing has "
            u"been changed."_s.arg(quotedFileName(target), what,
                                   QDateTime::fromMSecsSinceEpoch(held.atMs).toString(u"yyyy-MM-dd hh:mm"_s)),
            {},
            store_trouble::kEmptied};
}

bool hasLog(const DatabaseTarget& target)
{
    return QFileInfo(target.path + u"-wal"_s).size() > 0;
}

// Opening an empty or missing database deletes a log that stands beside it.
Result<StoreState> checkWithoutContent(const DatabaseTarget& target, bool exists)
{
    if (exists) {
        if (const auto held = readHeldData(target))
            return fail(emptied(target, *held));
    }
    if (hasLog(target))
        return fail(
            ErrorKind::Corrupt,
            u"The database file %1 is %2, but its log '%3-wal' is not. Nothing has been changed."_s.arg(
                quotedFileName(target), exists ? u"empty (0 bytes)"_s : u"missing"_s,
                QFileInfo(target.path).fileName()),
            {}, store_trouble::kEmptied);
    return StoreState{};
}

Result<qint64> number(Connection& connection, const QString& statement)
{
    auto query = connection.dynamicQuery(statement);
    const qint64 value = query.next() ? query.int64(0) : 0;
    REDRIVE_TRY(query.status());
    return value;
}

Result<StoreState> checkContent(const DatabaseTarget& target, Connection& connection, int knownSchema)
{
    REDRIVE_ASSIGN(applicationId, number(connection, u"PRAGMA application_id"_s));
    REDRIVE_ASSIGN(version, number(connection, u"PRAGMA user_version"_s));
    REDRIVE_ASSIGN(tables, number(connection, u"SELECT count(*) FROM sqlite_master"_s));
    if (applicationId == kApplicationId) {
        if (version > knownSchema)
            return fail(newer(target, version, knownSchema));
        return StoreState{StoreOrigin::Ours, int(version)};
    }
    if (applicationId != 0)
        return fail(notOurs(target));
    return StoreState{tables > 0 ? StoreOrigin::Users : StoreOrigin::Nothing, 0};
}

// What SQLITE_NOTADB means: a foreign file, or ours with a damaged header. Only then is the file opened by
// hand: see checkStore().
Error explainUnreadable(const DatabaseTarget& target, const Error& error)
{
    if (!error.detail.contains(u"not a database"_s))
        return explainStoreError(target, error);
    QFile file(target.path);
    const bool wasOne = file.open(QIODevice::ReadOnly) && file.read(kMagic.size()) == kMagic;
    return wasOne ? explainStoreError(target, error) : notOurs(target);
}

// Which page is damaged, as far as a quick check finds it.
QString damagedPage(const DatabaseTarget& target)
{
    if (QFileInfo(target.path).size() > kMaxBytesToSearchForDamage)
        return {};
    auto connection = Connection::open(target, Access::Reader);
    if (!connection)
        return {};
    auto check = (*connection)->dynamicQuery(u"PRAGMA quick_check(1)"_s);
    static const QRegularExpression page(QStringLiteral("\\bpage (\\d+)"),
                                         QRegularExpression::CaseInsensitiveOption);
    return check.next() ? page.match(check.text(0)).captured(1) : QString();
}

QString recoverHint(const DatabaseTarget& target, const Error& error)
{
    const QString database = u" --database '%1'"_s.arg(QString(target.path).replace(u'\'', u"'\\''"_s));
    if (error.field == store_trouble::kDamaged)
        return u" What can still be read comes into a new file with: redrive recover"_s + database;
    if (error.field == store_trouble::kEmptied)
        return u" A backup is opened with: redrive use-backup%1; a new database is begun with: "
               u"redrive new-database%1"_s.arg(database);
    return {};
}

} // namespace

// A healthy database is never opened as a file of our own: closing that would give up every lock that this
// process holds on it through its connections, and another process could then remove the log under them
// (fcntl(2), "Record locks").
Result<StoreState> checkStore(const DatabaseTarget& target, int knownSchema)
{
    const QFileInfo info(target.path);
    if (!info.exists() || (info.isFile() && info.size() == 0))
        return checkWithoutContent(target, info.exists());
    if (!info.isFile())
        return fail(notOurs(target));

    auto connection = Connection::open(target, Access::Reader);
    if (!connection)
        return fail(explainUnreadable(target, connection.error()));
    auto state = checkContent(target, **connection, knownSchema);
    if (!state)
        return fail(explainUnreadable(target, state.error()));
    return state;
}

Error withRecoverHint(const DatabaseTarget& target, Error error)
{
    if (const QString hint = recoverHint(target, error); !error.message.endsWith(hint))
        error.message += hint;
    return error;
}

Error withoutRecoverHint(const DatabaseTarget& target, Error error)
{
    if (const QString hint = recoverHint(target, error); error.message.endsWith(hint))
        error.message.chop(hint.size());
    return error;
}

Error explainStoreError(const DatabaseTarget& target, const Error& error)
{
    if (error.kind == ErrorKind::Corrupt && !error.detail.isEmpty()) {
        const QString page = damagedPage(target);
        const QString backup = lastBackup(target);
        return {
            ErrorKind::Corrupt,
            u"%1 is damaged%2. It is now read-only so that nothing gets worse. Last good backup: %3."_s.arg(
                quotedFileName(target), page.isEmpty() ? QString() : u" (page %1)"_s.arg(page),
                backup.isEmpty() ? u"none"_s : QFileInfo(backup).fileName()),
            {},
            store_trouble::kDamaged};
    }
    if (error.kind == ErrorKind::ReadOnly)
        return {ErrorKind::ReadOnly,
                u"%1 is read-only: the file or its folder cannot be written. Nothing has been changed."_s.arg(
                    quotedFileName(target)),
                {},
                {}};
    if (error.kind == ErrorKind::ConnectionLost)
        return {ErrorKind::ConnectionLost,
                u"%1 cannot be opened in '%2'"_s.arg(quotedFileName(target),
                                                     QFileInfo(target.path).absolutePath()),
                error.detail,
                {}};
    return error;
}

QString lastBackup(const DatabaseTarget& target)
{
    const QList<StoreCopy> backups = backupsOf(target);
    return backups.isEmpty() ? QString() : backups.first().path;
}

} // namespace redrive
