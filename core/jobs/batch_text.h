// A batch as programs and URLs get it, and what they answer. Pure; any thread.
//
// Request: {"queue":…,"messages":[{"id":…,"timestamp":ms,"attempts":n,"contentType":…,"body":…}]}; the body
// of a json message is its text as it is, that of a text message a string, that of a bytes message base64.
// Answer: {"acks":[id],"retries":[{"id":…,"delaySeconds":n}]}; nothing at all acknowledges every message.
#pragma once

#include "core/base/result.h"
#include "core/jobs/batch_handler.h"

namespace redrive {

QByteArray batchRequest(const MessageBatch& batch);

// One decision a message: acks are settled before retries, what is not named is acknowledged. Ids of no
// message of the batch are left out and counted. Errors: the answer is not of this form.
Result<std::vector<Decision>> batchDecisions(const QByteArray& answer, const MessageBatch& batch,
                                             int* unknownIds = nullptr);

} // namespace redrive
