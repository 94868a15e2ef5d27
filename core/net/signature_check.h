// Whose signature a webhook carries, and where none fits, what comes nearest. Pure; any thread. What it says
// never holds a secret nor any part of a signature.
// Source: github.com/standard-webhooks/standard-webhooks, "Verifying webhook authenticity".
#pragma once

#include "core/net/pasted_request.h"

#include <QString>

namespace redrive {

inline constexpr qint64 kSignatureToleranceSeconds = 300;
inline constexpr qsizetype kNearMissBytes = 64 * 1024; // of a body; longer ones are only checked exactly

struct NamedSecret
{
    QString name;         // shown
    QByteArray value;     // as it is kept, "whsec_…"; never shown
    bool expected = true; // false: known, but not this sender's
};

enum class SignatureVerdict {
    Good,         // a key fits, and the time is within the tolerance
    ClockOff,     // a key fits, the time is further off
    OtherKey,     // a key fits that is not the one expected
    NearMiss,     // something close to what arrived would fit: `text` says what
    NoMatch,      // nothing that was tried fits
    NotSigned,    // a field of the signature is missing
    Unreadable,   // a field of the signature is not what it should be
    NothingKnown, // there is no secret to try
};

struct SignatureFinding
{
    SignatureVerdict verdict = SignatureVerdict::NothingKnown;
    QString scheme;             // "Standard Webhooks v1"; empty where none was recognised
    QString key;                // name of the secret that fits, or would
    qint64 clockOffSeconds = 0; // of the signature's time; above 0: it lies in the future
    QString text;               // a sentence for people; may hold text from outside

    bool isGood() const { return verdict == SignatureVerdict::Good; }
};

enum class SignatureSearch {
    Exact, // only what the scheme says
    Near,  // then what senders and those in between get wrong; some hundred times the work
};

SignatureFinding checkSignature(const HeaderFields& fields, const QByteArray& body,
                                const QList<NamedSecret>& secrets, qint64 nowSeconds,
                                SignatureSearch search = SignatureSearch::Near);

// "good", "clock off", … for logs.
QString verdictWord(SignatureVerdict verdict);

} // namespace redrive
