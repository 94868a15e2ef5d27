// What operators are told of outside the window, and what came of telling them. Plain values; any thread.
// Times are unix milliseconds.
#pragma once

#include <QList>
#include <QString>

#include <optional>

namespace redrive {

enum class AlertKind {
    DeadLetters,      // of one group of failures
    EndpointDisabled, // it answered 410, or by an operator
    BreakerOpen,
    BreakerClosed,
    RedriveFinished,
};

QString toText(AlertKind kind); // dead_letters, endpoint_disabled, …
AlertKind alertKindFrom(QStringView text);
// Whether it goes to the configured targets too, or to the window and its desktop alone.
bool isPosted(AlertKind kind);

// One of the dead letters that an alert counts.
struct AlertExample
{
    QString kind; // job, message, delivery
    QString id;
    QString type;
    QString queue;
    QString endpoint;
    QString error; // cut
};

struct Alert
{
    static constexpr int kMaxExamples = 5;

    qint64 no = 0; // 0: a test
    AlertKind kind = AlertKind::DeadLetters;
    QString signature;     // of its group
    QString title;         // the failure, or what it is about; one line
    bool isDigest = false; // what came while the window of an earlier alert was open
    qint64 count = 0;
    qint64 firstAtMs = 0;
    qint64 lastAtMs = 0;
    QList<AlertExample> examples;
    qint64 atMs = 0;
};

// "12 dead letters: HTTP 503 (acme)". For posts, logs and commands; the window has words of its own.
QString alertSummary(const Alert& alert);

// What came of one alert at one target.
struct AlertPost
{
    QString targetId;
    QString form;
    QString place; // without anything secret
    QString state; // waiting, sending, sent, failed
    int attempts = 0;
    std::optional<qint64> dueAtMs;
    QString error;
    qint64 changedAtMs = 0;
};

// A configured target and how it does.
struct AlertTargetRow
{
    QString id;
    QString form;
    QString place;
    QString problem; // why nothing can be posted to it; empty: it can
    std::optional<qint64> lastSentAtMs;
    std::optional<qint64> lastTriedAtMs;
    std::optional<qint64> failingSinceMs; // since when no post arrives
    QString lastError;                    // while it fails
    qint64 waiting = 0;                   // posts that are still to arrive
};

// What came of a test.
struct AlertTestResult
{
    QString form;
    QString place;
    bool arrived = false;
    QString words; // "HTTP 200", or why not
    qint64 tookMs = 0;
};

} // namespace redrive
