// What the operations say: a redrive's title, count, pace, state and outcomes, the list that has the rows
// behind a number, and the rates that Slower and Faster ask for. Window thread.
#pragma once

#include "core/domain/redrive.h"

#include <QList>

namespace redrive {

// A number that opens its rows.
struct OperationFigure
{
    QString name;   // what it counts, once in an operation
    QString text;   // "9 failed again"
    QString page;   // of the navigator
    QString filter; // redrive:88/failed
    QString state;  // a name for state colours; empty: plain
};

QString operationTitle(const RedriveInfo& info); // "Requeue #88"
QString operationIcon(const RedriveInfo& info);  // a name for icon()
QString operationCount(const RedriveInfo& info); // "190 of 214"
QString operationPace(const RedriveInfo& info);  // "20/s, 5 in flight, first 5, brake at 50 %"; empty: none
QString operationState(const RedriveInfo& info); // "Paused: the canary: …"
QString holdText(const RedriveInfo& info, qint64 nowMs); // "Begins in 8 s"; empty: it is not held
// It has not begun, or what it did can come back.
bool canBeUndone(const RedriveInfo& info);
// What taking it back came to, as one line.
QString undoneText(const RedriveInfo& info);
// In the order: succeeded, failed again, running, waiting, gone, refused, not begun; zeros are left out.
QList<OperationFigure> operationFigures(const RedriveInfo& info);
// Why it has no rate to change; empty: it has one.
QString rateObstacle(const RedriveInfo& info);
// What Slower and Faster make of a rate; 0 is no limit.
double slowerRate(double perSecond);
double fasterRate(double perSecond);

} // namespace redrive
