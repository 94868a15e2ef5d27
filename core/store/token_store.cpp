#include "core/store/token_store.h"

namespace redrive::token_store {

namespace {

constexpr char kList[] =
    "SELECT t.no, t.name, t.rate_per_second, t.created_at_ms, t.created_by, t.revoked_at_ms, "
    "t.last_used_at_ms, max(s.created_at_ms), max(s.valid_until_ms), t.opens, t.is_kept "
    "FROM http_tokens t "
    "LEFT JOIN http_token_secrets s ON s.token_no = t.no GROUP BY t.no "
    "ORDER BY t.revoked_at_ms IS NOT NULL, t.revoked_at_ms DESC, t.name";
constexpr char kSecrets[] =
    "SELECT s.sha256, s.token_no, s.valid_until_ms, t.rate_per_second, t.opens FROM http_token_secrets s "
    "JOIN http_tokens t ON t.no = s.token_no WHERE t.revoked_at_ms IS NULL "
    "AND (s.valid_until_ms IS NULL OR s.valid_until_ms > ?) ORDER BY s.token_no, s.created_at_ms";
constexpr char kEver[] = "SELECT count(*), count(*) FILTER (WHERE opens = 'all') FROM http_tokens";
constexpr char kFind[] = "SELECT no FROM http_tokens WHERE name = ? AND revoked_at_ms IS NULL";
constexpr char kFindKept[] =
    "SELECT no FROM http_tokens WHERE name = ? AND revoked_at_ms IS NULL AND is_kept = 1";
constexpr char kMarkKept[] = "UPDATE http_tokens SET is_kept = ? WHERE no = ?";
constexpr char kCreate[] =
    "INSERT INTO http_tokens (name, rate_per_second, created_at_ms, created_by, opens) "
    "VALUES (?, ?, ?, ?, ?) RETURNING no";
constexpr char kAddSecret[] =
    "INSERT INTO http_token_secrets (sha256, token_no, created_at_ms) VALUES (?, ?, ?)";
constexpr char kEndOlder[] = "UPDATE http_token_secrets SET valid_until_ms = ? WHERE token_no = ? "
                             "AND (valid_until_ms IS NULL OR valid_until_ms > ?)";
constexpr char kForgetEnded[] = "DELETE FROM http_token_secrets WHERE token_no = ? AND valid_until_ms <= ?";
constexpr char kRevoke[] = "UPDATE http_tokens SET revoked_at_ms = ?, is_kept = 0 WHERE no = ?";
constexpr char kForgetAll[] = "DELETE FROM http_token_secrets WHERE token_no = ?";
constexpr char kUse[] = "UPDATE http_tokens SET last_used_at_ms = ? WHERE no = ? "
                        "AND (last_used_at_ms IS NULL OR last_used_at_ms < ?)";

std::optional<double> realOrNothing(const Query& query, int column)
{
    return query.isNull(column) ? std::nullopt : std::optional(query.real(column));
}

QString toText(TokenScope scope)
{
    return scope == TokenScope::Ingest ? u"ingest"_s : u"all"_s;
}

TokenScope scopeFrom(const QString& text)
{
    return text == u"ingest" ? TokenScope::Ingest : TokenScope::Everything;
}

Status setKept(Cycle& cycle, qint64 no, bool isKept)
{
    auto query = cycle.db.query(kMarkKept);
    REDRIVE_TRY(query.bind(isKept).bind(no).run());
    return {};
}

Result<std::optional<qint64>> find(Cycle& cycle, const QString& name)
{
    auto query = cycle.db.query(kFind);
    query.bind(name);
    std::optional<qint64> no;
    if (query.next())
        no = query.int64(0);
    REDRIVE_TRY(query.status());
    return no;
}

Result<qint64> findInUse(Cycle& cycle, const QString& name)
{
    REDRIVE_ASSIGN(no, find(cycle, name));
    if (!no)
        return fail(ErrorKind::NotFound, u"there is no token '%1' in use"_s.arg(name), {}, u"name"_s);
    return *no;
}

Status addSecret(Cycle& cycle, qint64 tokenNo, const QByteArray& sha256)
{
    auto query = cycle.db.query(kAddSecret);
    REDRIVE_TRY(query.bind(sha256).bind(tokenNo).bind(cycle.nowMs).run());
    return {};
}

} // namespace

Result<QList<TokenRow>> list(Connection& db)
{
    auto query = db.query(kList);
    QList<TokenRow> rows;
    while (query.next()) {
        TokenRow row;
        row.no = query.int64(0);
        row.name = query.text(1);
        row.ratePerSecond = realOrNothing(query, 2);
        row.createdAtMs = query.int64(3);
        row.createdBy = query.text(4);
        row.revokedAtMs = query.optInt64(5);
        row.lastUsedAtMs = query.optInt64(6);
        row.secretAtMs = query.optInt64(7);
        row.oldSecretUntilMs = query.optInt64(8);
        row.opens = scopeFrom(query.text(9));
        row.isKept = query.int64(10) != 0;
        rows.append(std::move(row));
    }
    REDRIVE_TRY(query.status());
    return rows;
}

Result<QList<TokenSecret>> secrets(Connection& db, qint64 nowMs)
{
    auto query = db.query(kSecrets);
    query.bind(nowMs);
    QList<TokenSecret> found;
    while (query.next())
        found.append({query.bytes(0), query.int64(1), query.optInt64(2), realOrNothing(query, 3),
                      scopeFrom(query.text(4))});
    REDRIVE_TRY(query.status());
    return found;
}

Result<TokensEver> ever(Connection& db)
{
    auto query = db.query(kEver);
    TokensEver found;
    if (query.next())
        found = {query.int64(0) > 0, query.int64(1) > 0};
    REDRIVE_TRY(query.status());
    return found;
}

Result<qint64> findKept(Connection& db, const QString& name)
{
    auto query = db.query(kFindKept);
    query.bind(name);
    const qint64 no = query.next() ? query.int64(0) : 0;
    REDRIVE_TRY(query.status());
    if (no == 0)
        return fail(ErrorKind::NotFound, u"no secret of a token '%1' is kept"_s.arg(name), {}, u"name"_s);
    return no;
}

Status create(Cycle& cycle, const TokenChange& change, const QByteArray& sha256)
{
    REDRIVE_ASSIGN(taken, find(cycle, change.name));
    if (taken)
        return fail(ErrorKind::Conflict, u"there is a token '%1' already"_s.arg(change.name), {}, u"name"_s);
    qint64 no = 0;
    {
        auto query = cycle.db.query(kCreate);
        query.bind(change.name);
        if (change.ratePerSecond)
            query.bind(*change.ratePerSecond);
        else
            query.bindNull();
        query.bind(cycle.nowMs).bind(change.actor).bind(toText(change.opens));
        if (query.next())
            no = query.int64(0);
        REDRIVE_TRY(query.status());
    }
    return addSecret(cycle, no, sha256);
}

Status markKept(Cycle& cycle, const QString& name)
{
    REDRIVE_ASSIGN(no, findInUse(cycle, name));
    return setKept(cycle, no, true);
}

Status rotate(Cycle& cycle, const TokenChange& change, const QByteArray& sha256)
{
    REDRIVE_ASSIGN(no, findInUse(cycle, change.name));
    const qint64 endMs = cycle.nowMs + change.overlapMs;
    auto end = cycle.db.query(kEndOlder);
    REDRIVE_TRY(end.bind(endMs).bind(no).bind(endMs).run());
    auto forget = cycle.db.query(kForgetEnded);
    REDRIVE_TRY(forget.bind(no).bind(cycle.nowMs).run());
    REDRIVE_TRY(setKept(cycle, no, false));
    return addSecret(cycle, no, sha256);
}

Status revoke(Cycle& cycle, const QString& name)
{
    REDRIVE_ASSIGN(no, findInUse(cycle, name));
    auto revoke = cycle.db.query(kRevoke);
    REDRIVE_TRY(revoke.bind(cycle.nowMs).bind(no).run());
    auto forget = cycle.db.query(kForgetAll);
    REDRIVE_TRY(forget.bind(no).run());
    return {};
}

Status noteUse(Cycle& cycle, qint64 tokenNo, qint64 atMs)
{
    auto query = cycle.db.query(kUse);
    REDRIVE_TRY(query.bind(atMs).bind(tokenNo).bind(atMs).run());
    return {};
}

} // namespace redrive::token_store
