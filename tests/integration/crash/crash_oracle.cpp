#include "tests/integration/crash/crash_oracle.h"

#include <QFile>
#include <QHash>
#include <QSet>

#include <algorithm>

namespace redrive::test {

using namespace Qt::Literals::StringLiterals;

namespace {

struct Rule
{
    const char* name;
    const char* broken; // ids of the rows that break it
};

constexpr Rule kRules[] = {
    {"a job has a known state",
     "SELECT id FROM jobs WHERE status NOT IN ('pending', 'processing', 'done', 'dead', 'cancelled')"},
    {"an open job has one message",
     "SELECT id FROM jobs j WHERE status IN ('pending', 'processing') AND (SELECT count(*) FROM messages m "
     "WHERE m.id = j.id AND m.is_job = 1) <> 1"},
    {"a finished job has no message",
     "SELECT m.id FROM messages m JOIN jobs j ON j.id = m.id WHERE j.status IN ('done', 'cancelled')"},
    {"a running job has a claim of an instance that is not ended",
     "SELECT id FROM jobs j WHERE status = 'processing' AND NOT EXISTS (SELECT 1 FROM messages m JOIN "
     "instances i ON i.no = m.lease_instance WHERE m.id = j.id AND m.claim_no IS NOT NULL AND i.ended_at_ms "
     "IS NULL)"},
    {"a lease is of an instance that is not ended",
     "SELECT id FROM messages m WHERE lease_instance IS NOT NULL AND NOT EXISTS (SELECT 1 FROM instances i "
     "WHERE i.no = m.lease_instance AND i.ended_at_ms IS NULL)"},
    {"a done job has one attempt that did it, and its end",
     "SELECT id FROM jobs j WHERE status = 'done' AND (SELECT count(*) FROM job_attempts a WHERE a.job_id = "
     "j.id AND a.run = j.run AND a.outcome = 'done' AND a.finished_at_ms IS NOT NULL) <> 1"},
    {"an open job has not failed more often than it may",
     "SELECT j.id FROM jobs j JOIN job_attempts a ON a.job_id = j.id AND a.run = j.run WHERE j.status IN "
     "('pending', 'processing') AND a.outcome <> 'crashed' GROUP BY j.id HAVING count(*) > 3"},
    {"a dead job has an open letter",
     "SELECT id FROM jobs j WHERE status = 'dead' AND NOT EXISTS (SELECT 1 FROM dead_letters l WHERE "
     "l.subject_id = j.id AND l.state = 'open')"},
    {"a delivery has its job",
     "SELECT d.id FROM webhook_deliveries d WHERE NOT EXISTS (SELECT 1 FROM jobs j WHERE j.id = d.job_id)"},
    {"a delivery under way is of an instance that is not ended",
     "SELECT d.id FROM webhook_deliveries d WHERE d.status = 'sending' AND NOT EXISTS (SELECT 1 FROM "
     "instances i WHERE i.no = d.instance_no AND i.ended_at_ms IS NULL)"},
    {"a delivered delivery has one attempt that did it",
     "SELECT d.id FROM webhook_deliveries d WHERE d.status = 'delivered' AND (SELECT count(*) FROM "
     "delivery_attempts a WHERE a.delivery_id = d.id AND a.outcome = 'delivered') <> 1"},
    {"a fan-out that is done has its event",
     "SELECT id FROM jobs j WHERE type = 'webhook_fanout' AND status = 'done' AND NOT EXISTS (SELECT 1 FROM "
     "webhook_events e WHERE e.job_id = j.id)"},
};

template <typename EachRow>
void eachRow(Connection& db, const char* statement, EachRow each)
{
    auto query = db.dynamicQuery(QString::fromLatin1(statement));
    while (query.next())
        each(query);
    if (const Status status = query.status(); !status)
        qFatal("%s: %s", statement, qPrintable(status.error().text()));
}

int numberIn(const QByteArray& payload)
{
    const qsizetype at = payload.indexOf("\"n\":") + 4;
    qsizetype end = at;
    while (end < payload.size() && payload[end] >= '0' && payload[end] <= '9')
        ++end;
    return payload.mid(at, end - at).toInt();
}

} // namespace

CrashOracle::CrashOracle(CrashFiles files, std::function<QByteArray(int)> payloadOf)
    : m_files(std::move(files)), m_payloadOf(std::move(payloadOf))
{
}

std::unique_ptr<Connection> CrashOracle::store() const
{
    auto opened = Connection::open({m_files.database}, Access::Reader);
    if (!opened)
        qFatal("%s", qPrintable(opened.error().text()));
    return std::move(*opened);
}

void CrashOracle::lived(qint64 listenedAtMs, qint64 killedAtMs)
{
    const size_t life = m_lives.size();
    m_lives.push_back({listenedAtMs, killedAtMs});
    const auto db = store();
    eachRow(*db,
            "SELECT m.id, j.run, m.attempts FROM messages m JOIN jobs j ON j.id = m.id WHERE m.claim_no IS "
            "NOT NULL",
            [&](const Query& row) {
                m_orphans.push_back({life, false, row.text(0), row.int64(1), row.int64(2)});
            });
    eachRow(*db, "SELECT id, attempts FROM webhook_deliveries WHERE status = 'sending'",
            [&](const Query& row) {
                m_orphans.push_back({life, true, row.text(0), 0, row.int64(1)});
            });
}

QStringList CrashOracle::brokenRules() const
{
    QStringList broken;
    const auto db = store();
    for (const Rule& rule : kRules)
        eachRow(*db, rule.broken, [&](const Query& row) {
            broken.append(QString::fromLatin1(rule.name) + u": "_s + row.text(0));
        });
    return broken;
}

CrashReport CrashOracle::report(const std::vector<ReceivedRequest>& arrivals) const
{
    CrashReport report;
    for (const Orphan& orphan : m_orphans)
        ++(orphan.isDelivery ? report.deliveriesInFlight : report.jobsInFlight);
    const auto db = store();
    judgeJobs(*db, report);
    judgeRuns(*db, report);
    judgeArrivals(*db, arrivals, report);
    measureReturns(*db, report);
    return report;
}

void CrashOracle::judgeJobs(Connection& db, CrashReport& report) const
{
    const LoadLedger::Account account = LoadLedger::read(m_files.ledger);
    report.acknowledged = int(account.acknowledged.size());
    QHash<int, QString> present;
    eachRow(db, "SELECT id, status, {bytes:payload} FROM jobs", [&](const Query& row) {
        ++report.jobs;
        const QString id = row.text(0);
        const QByteArray payload = row.bytes(2);
        const int number = numberIn(payload);
        if (!account.invoked.contains(number) || account.refused.contains(number) || present.contains(number))
            report.unexpected.append(id);
        if (payload != m_payloadOf(number))
            report.changed.append(id);
        if (row.text(1) == u"pending"_s || row.text(1) == u"processing"_s)
            report.lost.append(id);
        present.insert(number, id);
        report.unknownButPresent += account.acknowledged.contains(number) ? 0 : 1;
    });
    for (auto job = account.acknowledged.cbegin(); job != account.acknowledged.cend(); ++job)
        if (present.value(job.key()) != job.value())
            report.lost.append(job.value());
    eachRow(db, "SELECT count(*) FROM dead_letters WHERE reason = 'crashed'",
            [&](const Query& row) { report.crashedLetters = int(row.int64(0)); });
}

void CrashOracle::judgeRuns(Connection& db, CrashReport& report) const
{
    QHash<QString, int> allowed; // the first run, and one for each recorded failure
    eachRow(db, "SELECT id FROM jobs WHERE type <> 'webhook_fanout'",
            [&](const Query& row) { allowed.insert(row.text(0), 1); });
    eachRow(db, "SELECT job_id FROM job_attempts WHERE outcome = 'failed'", [&](const Query& row) {
        if (const auto job = allowed.find(row.text(0)); job != allowed.end())
            ++*job;
    });
    QHash<QString, int> runs;
    QSet<QByteArray> attempts;
    QFile file(m_files.runs);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("%s cannot be read", qPrintable(m_files.runs));
    while (!file.atEnd()) {
        const QByteArray line = file.readLine().trimmed();
        const QString id = QString::fromLatin1(line.split(' ').value(1));
        if (attempts.contains(line))
            report.twice.append(QString::fromLatin1(line));
        attempts.insert(line);
        if (!allowed.contains(id))
            report.unexpected.append(id);
        else if (++runs[id] > allowed.value(id))
            ++report.jobDuplicates;
    }
    eachRow(db, "SELECT id FROM jobs WHERE type <> 'webhook_fanout' AND status = 'done'",
            [&](const Query& row) {
                if (!runs.contains(row.text(0)))
                    report.lost.append(row.text(0));
            });
}

void CrashOracle::judgeArrivals(Connection& db, const std::vector<ReceivedRequest>& arrivals,
                                CrashReport& report) const
{
    QHash<QByteArray, int> received;
    for (const ReceivedRequest& arrival : arrivals)
        if (++received[arrival.header("webhook-id")] > 1)
            ++report.deliveryDuplicates;
    eachRow(db, "SELECT event_id, status FROM webhook_deliveries", [&](const Query& row) {
        if (row.text(1) != u"delivered"_s || received.remove(row.text(0).toLatin1()) == 0)
            report.lost.append(row.text(0));
    });
    for (auto stray = received.cbegin(); stray != received.cend(); ++stray)
        report.unexpected.append(QString::fromLatin1(stray.key()));
}

// How long the lives after that one listened, up to then.
qint64 CrashOracle::listeningBetween(size_t afterLife, qint64 untilMs) const
{
    qint64 sum = 0;
    for (size_t i = afterLife + 1; i < m_lives.size(); ++i)
        if (m_lives[i].listenedAtMs > 0)
            sum += std::max<qint64>(0, std::min(untilMs, m_lives[i].endedAtMs) - m_lives[i].listenedAtMs);
    return sum;
}

void CrashOracle::measureReturns(Connection& db, CrashReport& report) const
{
    for (const Orphan& orphan : m_orphans) {
        auto query = db.dynamicQuery(
            orphan.isDelivery
                ? u"SELECT min(started_at_ms) FROM delivery_attempts WHERE delivery_id = ? AND attempt > ?"_s
                : u"SELECT min(started_at_ms) FROM job_attempts WHERE job_id = ? AND attempt > ? AND run = ?"_s);
        query.bind(orphan.id).bind(orphan.attempt);
        if (!orphan.isDelivery)
            query.bind(orphan.run);
        if (query.next() && !query.isNull(0))
            (orphan.isDelivery ? report.deliveryReturnMs : report.jobReturnMs)
                .push_back(listeningBetween(orphan.life, query.int64(0)));
    }
    std::sort(report.jobReturnMs.begin(), report.jobReturnMs.end());
    std::sort(report.deliveryReturnMs.begin(), report.deliveryReturnMs.end());
}

} // namespace redrive::test
