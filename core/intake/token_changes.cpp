#include "core/intake/token_changes.h"

#include "core/base/log.h"
#include "core/config/private_file.h"
#include "core/intake/bearer_tokens.h"
#include "core/store/audit_store.h"
#include "core/store/token_store.h"

#include <QFile>
#include <QFileInfo>
#include <QRandomGenerator>

#include <algorithm>
#include <array>

namespace redrive {

namespace {

constexpr qsizetype kMostName = 64;

Status check(const TokenChange& change)
{
    const QString& name = change.name;
    const bool clean = std::none_of(name.begin(), name.end(), [](QChar c) {
        return c.category() == QChar::Other_Control || c.category() == QChar::Other_Format;
    });
    if (name.isEmpty() || name.size() > kMostName || name.trimmed() != name || !clean)
        return fail(ErrorKind::InvalidInput,
                    u"a token's name has 1 to 64 characters on one line, without spaces around it"_s, {},
                    u"name"_s);
    if (change.overlapMs < 0 || change.overlapMs > kLongestOverlapMs)
        return fail(ErrorKind::InvalidInput, u"the overlap must be from 0 to 2592000 seconds"_s, {},
                    u"overlap"_s);
    if (change.ratePerSecond && !(*change.ratePerSecond > 0 && *change.ratePerSecond <= kHighestRate))
        return fail(ErrorKind::InvalidInput, u"the rate must be above 0 and at most 1000000 a second"_s, {},
                    u"rate"_s);
    return {};
}

QString newSecret()
{
    std::array<quint32, 8> random{};
    QRandomGenerator::system()->fillRange(random.data(), qsizetype(random.size()));
    const QByteArray bytes(reinterpret_cast<const char*>(random.data()), sizeof random);
    const QString secret = u"rdv_"_s + QString::fromLatin1(bytes.toBase64(QByteArray::Base64UrlEncoding |
                                                                          QByteArray::OmitTrailingEquals));
    maskInLog(secret);
    return secret;
}

QString verbWord(TokenVerb verb)
{
    switch (verb) {
    case TokenVerb::Create:
        return u"create token"_s;
    case TokenVerb::Rotate:
        return u"rotate token"_s;
    case TokenVerb::Revoke:
        return u"revoke token"_s;
    case TokenVerb::Show:
        return u"show token"_s;
    }
    return {};
}

Status audit(Cycle& cycle, const TokenChange& change)
{
    AuditEntry entry;
    entry.actor = change.actor;
    entry.source = change.source;
    entry.verb = verbWord(change.verb);
    entry.target = change.name;
    entry.count = 1;
    entry.result = u"ok"_s;
    return audit_store::add(cycle, entry);
}

// What stands in the file may be of another database, or of a token that is over.
Result<QString> keptSecret(Cycle& cycle, const QString& name, const QString& keptFile)
{
    REDRIVE_ASSIGN(no, token_store::findKept(cycle.db, name));
    REDRIVE_ASSIGN(text, private_file::read(keptFile));
    const QByteArray secret = text.value_or(QByteArray()).trimmed();
    REDRIVE_ASSIGN(known, token_store::secrets(cycle.db, cycle.nowMs));
    const bool fits = std::any_of(known.begin(), known.end(), [&](const TokenSecret& one) {
        return one.tokenNo == no && one.sha256 == bearerTokenHash(secret);
    });
    if (!fits)
        return fail(ErrorKind::NotFound,
                    u"%1 does not hold the secret of '%2': rotate it for a new one"_s.arg(keptFile, name));
    maskInLog(QString::fromUtf8(secret));
    return QString::fromUtf8(secret);
}

// After the commit that ends the secret in it.
void forgetKept(Cycle& cycle, const QString& keptFile)
{
    cycle.afterCommit.push_back([keptFile] {
        if (QFile::exists(keptFile) && !QFile::remove(keptFile))
            logEvent(LogLevel::Warning, "token_file_not_removed", {{"file", keptFile}});
    });
}

} // namespace

QString keptTokenFile(const QString& dataFolder)
{
    return dataFolder + u"/ingest-token"_s;
}

Result<TokenChanged> changeToken(Cycle& cycle, const TokenChange& change, const QString& keptFile)
{
    REDRIVE_TRY(check(change));
    TokenChanged changed;
    changed.name = change.name;
    if (change.verb == TokenVerb::Create || change.verb == TokenVerb::Rotate)
        changed.secret = newSecret();
    const bool ends = change.verb == TokenVerb::Rotate || change.verb == TokenVerb::Revoke;
    if (ends && !keptFile.isEmpty() && keptSecret(cycle, change.name, keptFile))
        forgetKept(cycle, keptFile);
    const QByteArray hash = bearerTokenHash(changed.secret.toLatin1());
    switch (change.verb) {
    case TokenVerb::Create:
        REDRIVE_TRY(token_store::create(cycle, change, hash));
        break;
    case TokenVerb::Rotate:
        REDRIVE_TRY(token_store::rotate(cycle, change, hash));
        changed.oldSecretUntilMs = cycle.nowMs + change.overlapMs;
        break;
    case TokenVerb::Revoke:
        REDRIVE_TRY(token_store::revoke(cycle, change.name));
        break;
    case TokenVerb::Show:
        REDRIVE_ASSIGN(secret, keptSecret(cycle, change.name, keptFile));
        changed.secret = std::move(secret);
        break;
    }
    REDRIVE_TRY(audit(cycle, change));
    cycle.changes.operations = true;
    return changed;
}

// Written before the commit: a file too many is replaced at the next start, a token without one never.
Result<bool> makeFirstToken(Cycle& cycle, const QString& keptFile)
{
    REDRIVE_ASSIGN(ever, token_store::ever(cycle.db));
    if (ever.any)
        return false;
    TokenChange change;
    change.name = kFirstTokenName.toString();
    change.opens = TokenScope::Ingest;
    change.actor = u"redrive"_s;
    change.source = u"first start"_s;
    REDRIVE_ASSIGN(made, changeToken(cycle, change));
    REDRIVE_TRY(token_store::markKept(cycle, change.name));
    REDRIVE_TRY(private_file::makeFolder(QFileInfo(keptFile).absolutePath()));
    REDRIVE_TRY(private_file::write(keptFile, made.secret.toLatin1() + '\n'));
    return true;
}

} // namespace redrive
