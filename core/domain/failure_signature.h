// Which failures are the same one: what differs from case to case (numbers, ids, hashes, quoted texts) is
// taken out of the error. Pure; any thread.
#pragma once

#include "core/domain/dead_letter.h"

namespace redrive {

struct FailureGroup
{
    QString signature; // 32 hexadecimal digits
    QString title;     // the failure in one line, without what differs
};

// The first line of an error without what differs: "timeout after # ms for '…'". The number that says what
// kind of failure it is ("HTTP 503", "exit code 2", "signal 9") stays. At most 200 characters.
QString normalisedError(QStringView error);

// Jobs and messages: why it is dead, and the normalised error. Deliveries: the endpoint too.
FailureGroup failureGroup(const LetterRow& letter);

// The signature of what is not a failure of work: "breaker_open", "acme".
QString plainSignature(const QString& kind, const QString& subject);

} // namespace redrive
