// The body of POST /jobs, checked and taken apart. Any thread.
#pragma once

#include "core/intake/intake_port.h"
#include "core/intake/payload_rules.h"

#include <QByteArrayView>

namespace redrive {

// `idempotencyKey` is null when the header was not sent.
tl::expected<EnqueueRequest, HttpProblem> readJobRequest(QByteArrayView body, QByteArrayView idempotencyKey,
                                                         const PayloadRules& rules);

// One job of a text that passed checkJson().
struct ReadJob
{
    JobInput job;
    QList<FieldProblem> wrong;          // empty: the fields are good
    std::optional<HttpProblem> refused; // what its type forbids in the payload
};
ReadJob readJob(const JsonSlice& root, const PayloadRules& rules);

void checkIdempotencyKey(QByteArrayView key, QList<FieldProblem>& wrong);
void noteIdempotencyKey(KeyedRequest& request, QByteArrayView key, QByteArrayView body);

} // namespace redrive
