// A job: a unit of work with a status row. Plain values; any thread.
#pragma once

#include <QByteArray>
#include <QList>
#include <QString>

#include <optional>

namespace redrive {

enum class JobStatus { Pending, Processing, Done, Dead, Cancelled };

QString toText(JobStatus status);
std::optional<JobStatus> jobStatusFrom(QStringView text);

// A job as somebody asks for it.
struct JobInput
{
    QString type;                  // 1-255 characters, no control characters
    QByteArray payload;            // exact UTF-8 JSON
    std::optional<qint64> delayMs; // 0-86,400,000; nothing: the queue's own delivery delay
};

// What a list shows of a job. Times are unix milliseconds.
struct JobRow
{
    qint64 key = 0; // row key of the store, for list snapshots
    QString id;
    QString type;
    QString queue;
    JobStatus status = JobStatus::Pending;
    QString
        otherStatus; // the stored text when it is none of ours (a user's own row); status is then Cancelled
    QString reason;  // reason code, see reason.h; empty: none
    QString error;   // last error, cut at 300 characters
    int run = 1;
    int attempts = 0;              // of this run
    int crashes = 0;               // of those attempts
    int maxAttempts = 0;           // deliveries the queue grants; 0: unknown
    std::optional<qint64> dueAtMs; // next attempt while it waits for a timer
    qint64 createdAtMs = 0;
    qint64 updatedAtMs = 0;
    bool discarded = false;
    QString parentId;        // the job of which this is an edited version
    QString supersededBy;    // the edited version of this one
    qint64 payloadBytes = 0; // details only; a list does not read payloads
    int deliveries = 0;      // of a fan-out
    int deliveriesOpen = 0;  // of those: neither delivered nor dead nor cancelled
    int deliveriesDead = 0;
};

// One of a job and its edited versions.
struct JobVersion
{
    QString id;
    QString status; // as stored
    qint64 createdAtMs = 0;
    bool superseded = false; // by an edited version; else a later one was published from it
};

struct JobAttempt
{
    int run = 1;
    int attempt = 1;
    qint64 startedAtMs = 0;
    std::optional<qint64> finishedAtMs;
    QString outcome; // done, failed, timed_out, permanent, crashed, cancelled, running
    QString error;
    std::optional<qint64> nextAtMs;
};

} // namespace redrive
