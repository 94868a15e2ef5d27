// A dead letter: a message or delivery that used up its retries or failed permanently. Plain values; any
// thread.
#pragma once

#include <QString>

#include <optional>

namespace redrive {

enum class LetterKind { Job, Message, Delivery };
enum class LetterState { Open, Requeued, Discarded };

QString toText(LetterKind kind);
QString toText(LetterState state);
std::optional<LetterKind> letterKindFrom(QStringView text);
std::optional<LetterState> letterStateFrom(QStringView text);

// What a list shows of a letter. Times are unix milliseconds.
struct LetterRow
{
    qint64 key = 0; // the letter's number
    LetterKind kind = LetterKind::Job;
    LetterState state = LetterState::Open;
    QString subjectId; // job, message or delivery
    QString type;      // job type, or event type of a delivery
    QString sourceQueue;
    QString deadLetterQueue; // empty for deliveries
    QString endpointId;      // deliveries only
    int run = 1;
    int attempts = 0;
    int maxAttempts = 0;
    QString reason;
    QString error; // cut at 300 characters
    qint64 sentAtMs = 0;
    qint64 deadAtMs = 0;
    qint64 changedAtMs = 0; // when it was requeued or discarded
    QString contentType;    // of a plain message's body: json, text, bytes
    QString supersededBy;   // the edited version that took its place
    QString parentId;       // of a plain message: the one of which it is an edited version; details only
};

} // namespace redrive
