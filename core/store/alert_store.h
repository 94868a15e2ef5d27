// What operators are told of, and the groups that keep it to one alert in a window. Inside a turn's
// transaction.
#pragma once

#include "core/domain/alert.h"
#include "core/store/cycle.h"

namespace redrive {

// Something that has happened, until an alert takes it up.
struct AlertNote
{
    qint64 no = 0;
    AlertKind kind = AlertKind::BreakerOpen;
    QString subject; // an endpoint, a redrive
    QString detail;
    qint64 atMs = 0;
};

struct AlertGroup
{
    QString signature;
    AlertKind kind = AlertKind::DeadLetters;
    QString title;
    qint64 windowEndsAtMs = 0;
    qint64 waiting = 0; // since its last alert
    qint64 firstAtMs = 0;
    qint64 lastAtMs = 0;
    QList<AlertExample> examples;
};

namespace alert_store {

Status note(Cycle& cycle, AlertKind kind, const QString& subject, const QString& detail);
Result<QList<AlertNote>> notes(Connection& db, int limit); // oldest first
Status forgetNotes(Cycle& cycle, qint64 upToNo);

// Up to which number dead letters have been taken up.
Result<qint64> reach(Connection& db);
Status setReach(Cycle& cycle, qint64 letterNo);

Result<std::optional<AlertGroup>> group(Connection& db, const QString& signature);
Status saveGroup(Cycle& cycle, const AlertGroup& group);
Status removeGroup(Cycle& cycle, const QString& signature);
// Whose window has ended; one that would end after `latestMs` is of a clock that was wrong.
Result<QList<AlertGroup>> endedGroups(Connection& db, qint64 nowMs, qint64 latestMs, int limit);
Result<std::optional<qint64>> nextEndMs(Connection& db);

// Returns its number. Its time is the turn's.
Result<qint64> add(Cycle& cycle, const Alert& alert);
Result<qint64> countSince(Connection& db, qint64 sinceMs);
Result<std::optional<Alert>> alert(Connection& db, qint64 no);
// The newest, newest first, with a higher number.
Result<QList<Alert>> newerThan(Connection& db, qint64 no, int limit);
Result<qint64> newestNo(Connection& db);

} // namespace alert_store
} // namespace redrive
