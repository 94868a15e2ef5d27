// A dead letter as a line of the archive, with all that it takes to bring it back. Plain value; any thread.
#pragma once

#include "core/domain/dead_letter.h"

#include <QByteArray>

namespace redrive {

// Which letter, in the state in which it was archived.
struct LetterMark
{
    qint64 no = 0;
    QString subjectId;
    LetterState state = LetterState::Open;
    qint64 deadAtMs = 0;
    qint64 changedAtMs = 0;
};

// Times are unix milliseconds. What a store says NULL of is empty, or nothing.
struct ArchivedLetter
{
    struct Job
    {
        int run = 1;
        int attempts = 0;
        int crashes = 0;
        QString queue;
        QString reason;
        QString error;
        QString parentId; // of which it is an edited version
        qint64 createdAtMs = 0;
        qint64 updatedAtMs = 0;
    };
    struct Event
    {
        QString id;
        int run = 1;
        qint64 createdAtMs = 0;
    };
    struct Delivery
    {
        QString jobId;
        QString url;
        std::optional<QByteArray> settings; // the endpoint as the payload gave it
        int attempts = 0;
        int spent = 0;
        int budget = 0;
        std::optional<qint64> retryBaseMs;
        QString reason;
        QString error;
        qint64 createdAtMs = 0;
        qint64 updatedAtMs = 0;
        std::optional<Event> event; // its type is the letter's, its body the letter's
    };

    qint64 no = 0;
    LetterKind kind = LetterKind::Job;
    LetterState state = LetterState::Open; // or Discarded
    QString subjectId;
    QString sourceQueue;
    QString deadLetterQueue;
    QString type;
    QString endpointId;
    int run = 1;
    int attempts = 0;
    std::optional<int> maxAttempts;
    QString reason;
    QString error;
    QString contentType;            // json, text, bytes
    std::optional<QByteArray> body; // exact: a job's payload, a message's body, what a delivery sends
    qint64 sentAtMs = 0;
    qint64 deadAtMs = 0;
    qint64 changedAtMs = 0;
    std::optional<Job> job;
    std::optional<Delivery> delivery;

    LetterMark mark() const { return {no, subjectId, state, deadAtMs, changedAtMs}; }
};

} // namespace redrive
