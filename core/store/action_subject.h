// What stands in the store about the thing an operator wants to act on: a job, message or delivery, and its
// letter. Any connection.
#pragma once

#include "core/db/connection.h"
#include "core/domain/dead_letter.h"
#include "core/domain/delivery.h"
#include "core/domain/job.h"
#include "core/store/message_store.h"

#include <optional>

namespace redrive {

struct ActionSubject
{
    struct Letter
    {
        qint64 no = 0;
        LetterKind kind = LetterKind::Job;
        LetterState state = LetterState::Open; // or Discarded
        QString sourceQueue;
        QString reason;
        ContentType contentType = ContentType::Json; // of a plain message's body
    };
    struct Job
    {
        QString status; // as stored: rows that came from elsewhere may hold anything
        QString queue;
        bool waitsForTimer = false;
        bool discarded = false;
        QString type;
        int openDeliveries = 0; // of a fan-out
    };
    struct Message
    {
        QString queue;
        bool leased = false;
        qint64 visibleAtMs = 0;
    };
    struct Delivery
    {
        QString status;
        std::optional<qint64> dueAtMs;
        bool discarded = false;
    };

    QString id;
    std::optional<Letter> letter; // neither requeued nor replayed; the first of several
    std::optional<Job> job;
    std::optional<Message> message;
    std::optional<Delivery> delivery;
    QString supersededBy; // the edited version that took its place; empty: none
};

Result<ActionSubject> readActionSubject(Connection& db, const QString& id);

} // namespace redrive
