#include "core/intake/token_changes.h"

#include "core/base/log.h"
#include "core/intake/bearer_tokens.h"
#include "core/store/audit_store.h"
#include "core/store/token_store.h"

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
    }
    return {};
}

} // namespace

Result<TokenChanged> changeToken(Cycle& cycle, const TokenChange& change)
{
    REDRIVE_TRY(check(change));
    TokenChanged changed;
    changed.name = change.name;
    if (change.verb != TokenVerb::Revoke)
        changed.secret = newSecret();
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
    }
    AuditEntry entry;
    entry.actor = change.actor;
    entry.source = change.source;
    entry.verb = verbWord(change.verb);
    entry.target = change.name;
    entry.count = 1;
    entry.result = u"ok"_s;
    REDRIVE_TRY(audit_store::add(cycle, entry));
    cycle.changes.operations = true;
    return changed;
}

} // namespace redrive
