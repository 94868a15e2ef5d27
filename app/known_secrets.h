// The secrets that this program knows by name, as its configuration finds them. Reads files; the main thread.
#pragma once

#include "app/command_line/invocation.h"
#include "core/net/signature_check.h"

namespace redrive {

// All of them as they are now: environment, .dev.vars and those that are kept. Any thread.
QHash<QString, QByteArray> secretsKnownNow(const Invocation& invocation);

// Those to check signatures with. Asked for by --secret and --secret-file: these are expected, the other
// signing secrets ("whsec_…") are known beside them; not asked for: all of these are expected. NotFound: a
// name that no secret has.
Result<QList<NamedSecret>> signingSecrets(const Invocation& invocation);

} // namespace redrive
