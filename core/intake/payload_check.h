// The gate for payloads that do not come in the body of a request: of the command line, of the console, of an
// edit. The same rules and limits as over HTTP. Any thread.
#pragma once

#include "core/base/result.h"
#include "core/intake/payload_rules.h"
#include "core/store/message_store.h"

namespace redrive {

// Of a job. InvalidInput says what is wrong and where.
Status checkPayload(QStringView type, QByteArrayView payload, const PayloadRules& rules);
// Of a message that is no job.
Status checkBody(ContentType type, QByteArrayView body);

} // namespace redrive
