// Rows as an operator would see them, for tests and pictures of pages. Times are relative to `nowMs`.
#pragma once

#include "tests/ui/support/fake_engine.h"

namespace redrive::test {

QList<JobRow> sampleJobs(qint64 nowMs, int count);
QList<TimerRow> sampleTimers(qint64 nowMs, int count);
QList<LetterRow> sampleLetters(qint64 nowMs, int count);
QList<DeliveryRow> sampleDeliveries(qint64 nowMs, int count);
StoreCounts sampleCounts(qint64 nowMs);
JobDetail sampleJobDetail(qint64 nowMs);
DeliveryDetail sampleDeliveryDetail(qint64 nowMs);

QList<TokenRow> sampleTokens(qint64 nowMs);
QList<InstanceInfo> sampleInstances(qint64 nowMs);
QList<ActivityRow> sampleActivity(qint64 nowMs);
ActivityDetail sampleActivityDetail(qint64 nowMs);      // of the first of them
QList<AlertTargetRow> sampleAlertTargets(qint64 nowMs); // one works, one fails, one cannot be used
EngineFacts::Archive sampleArchiveFacts();
ArchiveState sampleArchive(qint64 nowMs); // today's file has grown since it was copied, one was not copied
// Of a file with lines that cannot be used.
ImportProgress sampleImport();
QList<EndpointDetail> sampleEndpoints(qint64 nowMs);
DeliveryMatrix sampleMatrix(qint64 nowMs); // one works, one is gone, one ended

// Fills the engine with all of them.
// The last hour: two sources, four tenants, the newest row first.
QList<TelemetryRow> sampleTelemetry(qint64 nowMs, int count);
TelemetryMinutes sampleMinutes(qint64 nowMs);

void fillWithSamples(FakeEngine& engine, qint64 nowMs);

} // namespace redrive::test
