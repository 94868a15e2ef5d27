#include "core/net/signature_check.h"

#include "core/net/near_misses.h"
#include "core/net/signature_code.h"
#include "core/net/signature_fields.h"
#include "core/net/signer.h"

#include <cstdlib>
#include <optional>

namespace redrive {

namespace {

constexpr qint64 kLastSeconds = 99'999'999'999; // beyond it a time is in milliseconds

QString spanText(qint64 seconds)
{
    seconds = std::llabs(seconds);
    if (seconds < 7'200)
        return u"%1 s"_s.arg(seconds);
    return seconds < 172'800 ? u"%1 h"_s.arg(seconds / 3'600) : u"%1 days"_s.arg(seconds / 86'400);
}

QString whichOf(qsizetype index, qsizetype count)
{
    return count > 1 ? u" (signature %1 of %2)"_s.arg(index + 1).arg(count) : QString();
}

struct Fit
{
    const NamedSecret* secret = nullptr;
    qsizetype signature = 0;
};

// The expected ones first, so that a key known under two names is not somebody else's.
std::optional<Fit> exactFit(const SignatureFields& fields, const QByteArray& body,
                            const QList<NamedSecret>& secrets)
{
    for (const bool expected : {true, false})
        for (const NamedSecret& secret : secrets) {
            if (secret.expected != expected)
                continue;
            const auto key = parseSigningSecret(secret.value);
            if (!key)
                continue;
            const QByteArray code =
                signatureCode(key->bytes, signedPrefix(fields.id, fields.timestamp), body);
            for (qsizetype i = 0; i < fields.codes.size(); ++i)
                if (sameCode(fields.codes[i], code))
                    return Fit{&secret, i};
        }
    return std::nullopt;
}

SignatureFinding judgeFit(const Fit& fit, const SignatureFields& fields, qint64 nowSeconds)
{
    SignatureFinding finding;
    finding.scheme = fields.scheme;
    finding.key = fit.secret->name;
    finding.clockOffSeconds = fields.seconds - nowSeconds;
    const QString which = whichOf(fit.signature, fields.codes.size());
    if (!fit.secret->expected) {
        finding.verdict = SignatureVerdict::OtherKey;
        finding.text = u"Signed with the key %1%2, which is not the one expected."_s.arg(finding.key, which);
    } else if (fields.seconds > kLastSeconds) {
        finding.verdict = SignatureVerdict::ClockOff;
        finding.text =
            u"The key %1 fits%2, but the time is in milliseconds: it must be in unix seconds."_s.arg(
                finding.key, which);
    } else if (std::llabs(finding.clockOffSeconds) > kSignatureToleranceSeconds) {
        finding.verdict = SignatureVerdict::ClockOff;
        finding.text = u"The key %1 fits%2, but the time is %3 %4: a receiver accepts %5 s. An old request, "
                       u"or a clock that "
                       "is wrong."_s
                           .arg(finding.key, which, spanText(finding.clockOffSeconds),
                                finding.clockOffSeconds > 0 ? u"in the future"_s : u"ago"_s)
                           .arg(kSignatureToleranceSeconds);
    } else {
        finding.verdict = SignatureVerdict::Good;
        finding.text = u"The key %1 fits%2, and the time is %3 off."_s.arg(finding.key, which,
                                                                           spanText(finding.clockOffSeconds));
    }
    return finding;
}

SignatureFinding found(SignatureVerdict verdict, const QString& scheme, QString text, QString key = {})
{
    return {verdict, scheme, std::move(key), 0, std::move(text)};
}

QString noMatchText(const QList<NamedSecret>& secrets, bool searched, qsizetype bodyBytes)
{
    const bool one = secrets.size() == 1;
    QString text = one ? u"The key %1 does not fit"_s.arg(secrets.first().name)
                       : u"None of %1 keys fits"_s.arg(secrets.size());
    if (searched)
        text += one ? u", nor does anything close to it"_s : u", nor does anything close to them"_s;
    text += u": another secret was used, or the body or its id changed on the way."_s;
    if (!searched && bodyBytes > kNearMissBytes)
        text += u" What comes close was not looked for: the body has %1 bytes, and at most %2 are tried."_s
                    .arg(bodyBytes)
                    .arg(kNearMissBytes);
    return text;
}

} // namespace

SignatureFinding checkSignature(const HeaderFields& fields, const QByteArray& body,
                                const QList<NamedSecret>& secrets, qint64 nowSeconds, SignatureSearch search)
{
    const SignatureFields read = readSignatureFields(fields);
    if (!read.missing.isEmpty())
        return found(SignatureVerdict::NotSigned, read.scheme,
                     u"Not signed: %1 missing."_s.arg(read.missing.join(u" and "_s) +
                                                      (read.missing.size() > 1 ? u" are"_s : u" is"_s)));
    if (secrets.isEmpty())
        return found(SignatureVerdict::NothingKnown, read.scheme,
                     u"There is a signature, but no secret to check it with."_s);
    if (read.problem.isEmpty())
        if (const auto fit = exactFit(read, body, secrets))
            return judgeFit(*fit, read, nowSeconds);
    const bool searches = search == SignatureSearch::Near && body.size() <= kNearMissBytes;
    if (searches)
        if (const auto miss = nearestMiss(read, fields, body, secrets))
            return found(SignatureVerdict::NearMiss, read.scheme, miss->text, miss->key);
    if (!read.problem.isEmpty())
        return found(SignatureVerdict::Unreadable, read.scheme, read.problem);
    return found(SignatureVerdict::NoMatch, read.scheme, noMatchText(secrets, searches, body.size()));
}

QString verdictWord(SignatureVerdict verdict)
{
    switch (verdict) {
    case SignatureVerdict::Good:
        return u"good"_s;
    case SignatureVerdict::ClockOff:
        return u"clock off"_s;
    case SignatureVerdict::OtherKey:
        return u"other key"_s;
    case SignatureVerdict::NearMiss:
        return u"near miss"_s;
    case SignatureVerdict::NoMatch:
        return u"wrong"_s;
    case SignatureVerdict::NotSigned:
        return u"none"_s;
    case SignatureVerdict::Unreadable:
        return u"unreadable"_s;
    case SignatureVerdict::NothingKnown:
        break;
    }
    return u"unchecked"_s;
}

} // namespace redrive
