// Judges what an engine that was killed again and again made of its work: reads the ledger of the load, the
// runs that the job programs noted, the arrivals at the receiver and, between two lives, the store. One
// thread.
#pragma once

#include "core/db/connection.h"
#include "tests/integration/crash/load_ledger.h"
#include "tests/support/received_request.h"

#include <QStringList>

#include <functional>
#include <vector>

namespace redrive::test {

struct CrashFiles
{
    QString database;
    QString ledger;
    QString runs;
};

struct CrashReport
{
    int jobs = 0;
    int acknowledged = 0;
    int unknownButPresent = 0; // taken, though the load never heard so
    QStringList lost;          // acknowledged and never finished, or gone
    QStringList unexpected;    // there or run, and never sent
    QStringList changed;       // payload not as it was sent
    QStringList twice;         // the same attempt run more than once
    int jobsInFlight = 0;      // at the kills
    int jobDuplicates = 0;     // runs beyond the first, recorded failures not counted
    int deliveriesInFlight = 0;
    int deliveryDuplicates = 0; // arrivals beyond the first
    int crashedLetters = 0;
    std::vector<qint64> jobReturnMs;      // from listening to an orphan's next attempt, sorted
    std::vector<qint64> deliveryReturnMs; // the same of deliveries
};

class CrashOracle final
{
public:
    // `payloadOf`: what the load sent as the payload of a number.
    CrashOracle(CrashFiles files, std::function<QByteArray(int number)> payloadOf);

    // One life of the engine; `listenedAtMs` 0: it was killed before. Between this and the next life.
    void lived(qint64 listenedAtMs, qint64 killedAtMs);
    // Rows that must not be there, as "which rule: id"; any time.
    QStringList brokenRules() const;
    CrashReport report(const std::vector<ReceivedRequest>& arrivals) const;

private:
    struct Life
    {
        qint64 listenedAtMs = 0;
        qint64 endedAtMs = 0;
    };
    struct Orphan
    {
        size_t life = 0; // the one that was killed
        bool isDelivery = false;
        QString id;
        qint64 run = 0;
        qint64 attempt = 0;
    };

    void judgeJobs(Connection& db, CrashReport& report) const;
    void judgeRuns(Connection& db, CrashReport& report) const;
    void judgeArrivals(Connection& db, const std::vector<ReceivedRequest>& arrivals,
                       CrashReport& report) const;
    void measureReturns(Connection& db, CrashReport& report) const;
    qint64 listeningBetween(size_t afterLife, qint64 untilMs) const;
    std::unique_ptr<Connection> store() const;

    CrashFiles m_files;
    std::function<QByteArray(int)> m_payloadOf;
    std::vector<Life> m_lives;
    std::vector<Orphan> m_orphans;
};

} // namespace redrive::test
