// Dead letters: the rows that outlive the copy in a dead-letter queue. Inside a turn's transaction.
#pragma once

#include "core/domain/dead_letter.h"
#include "core/store/message_store.h"

namespace redrive {

struct NewLetter
{
    LetterKind kind = LetterKind::Job;
    QString subjectId;
    QString sourceQueue;
    QString deadLetterQueue; // empty for deliveries
    QString type;
    QString endpointId;
    int run = 1;
    int attempts = 0;
    int maxAttempts = 0;
    QString reason;
    QString error;
    ContentType contentType = ContentType::Json;
    QByteArray body; // of plain messages only
    qint64 sentAtMs = 0;
};

namespace letter_store {

Status insert(Cycle& cycle, const NewLetter& letter);
// Whether there is or was a letter of this subject with this reason.
Result<bool> exists(Connection& db, const QString& subjectId, const QString& reason);

} // namespace letter_store
} // namespace redrive
