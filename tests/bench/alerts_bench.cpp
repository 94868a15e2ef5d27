// What telling operators costs the engine: jobs of which one in a hundred is dead at once, with errors of
// twenty kinds, in three stores in turn. "off": dead letters are taken for told already, so that nothing is
// grouped. "grouped": as every engine does it, by signature, with windows of a second (a configuration allows
// ten at least), so that digests are in it too. "posted": the same with three targets that answer at once.
// Medians; ratios. bench_alerts [RUNS] [JOBS]
#include "core/db/migrator.h"
#include "tests/bench/engine_run.h"
#include "tests/bench/load_client.h"
#include "tests/bench/sink_server.h"

#include <QCoreApplication>
#include <QTemporaryDir>

#include <algorithm>
#include <array>
#include <cstdio>

using namespace redrive;
using namespace redrive::bench;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int kConnections = 32;
constexpr int kDeadEvery = 100;
constexpr int kKinds = 20; // of errors
constexpr qint64 kWindowMs = 1'000;

enum Mode { Off, Grouped, Posted };
constexpr std::array<const char*, 3> kNames{"off", "grouped", "posted"};

struct Run
{
    double jobsPerSecond = 0;
    double cpuUs = 0; // of the engine, a job
};

// Fails for good, in the words of its payload, a JSON text.
class Fails final : public BlockingHandler
{
public:
    HandlerOutcome run(const ClaimedJob& job, const StopSignal&) override
    {
        HandlerOutcome outcome;
        outcome.result = HandlerResult::Permanent;
        outcome.error = QString::fromUtf8(job.payload.mid(1, job.payload.size() - 2));
        return outcome;
    }
};

QByteArray failingBody(int number)
{
    return R"({"type":"fails","payload":"HTTP )" + QByteArray::number(500 + number % kKinds) + " for order " +
           QByteArray::number(number * 7'919) + ": the warehouse is away\"}";
}

LoadPlan loadOf(int jobs)
{
    LoadPlan plan{0, kConnections, jobs, failingBody(0)};
    for (int i = 1; i < kDeadEvery * kKinds; ++i)
        plan.more.push_back(i % kDeadEvery == 0 ? failingBody(i / kDeadEvery) : noopBody());
    return plan;
}

EngineOptions optionsOf(const QString& path, Mode mode, quint16 sinkPort)
{
    EngineOptions options = optionsFor(path);
    options.settings.consumers.first().deadLetterQueue = u"jobs-dlq"_s;
    options.settings.alerts.windowMs = kWindowMs;
    options.settings.secrets.insert(u"KEY"_s, "a-key-of-the-benchmark");
    const auto add = options.addHandlers;
    options.addHandlers = [add](HandlerRegistry& registry) {
        add(registry);
        registry.add(u"fails"_s, std::shared_ptr<BlockingHandler>(std::make_shared<Fails>()));
    };
    if (mode == Posted)
        for (const AlertForm form : {AlertForm::Json, AlertForm::Slack, AlertForm::PagerDuty})
            options.settings.alerts.webhooks.append(
                {form, u"http://127.0.0.1:%1/%2"_s.arg(sinkPort).arg(toText(form)), {}, u"KEY"_s});
    return options;
}

qint64 number(Connection& db, const QString& sql)
{
    auto query = db.dynamicQuery(sql);
    return query.next() ? query.int64(0) : -1;
}

// Whether the run was what it is to show.
void verify(const QString& path, Mode mode, int jobs)
{
    const auto db = *Connection::open({path}, Access::Reader);
    const qint64 letters = number(*db, u"SELECT count(*) FROM dead_letters"_s);
    const qint64 kinds = number(*db, u"SELECT count(DISTINCT signature) FROM alerts"_s);
    const qint64 posts = number(*db, u"SELECT count(*) FROM alert_posts WHERE state = 'sent'"_s);
    if (letters != jobs / kDeadEvery || kinds != (mode == Off ? 0 : kKinds) ||
        (posts > 0) != (mode == Posted))
        qFatal("%s: %d letters, alerts of %d kinds, %d posts", kNames[mode], int(letters), int(kinds),
               int(posts));
}

Run runOne(const QString& path, Mode mode, int jobs, LoadClient& load, quint16 sinkPort)
{
    {
        const auto store = openStore({path}, Access::Writer);
        if (!store)
            qFatal("%s", qPrintable(store.error().text()));
        if (mode == Off && !(*store)->execute(u"UPDATE alert_reach SET letter_no = 1000000000"_s))
            qFatal("the reach cannot be set");
    }
    Run run;
    {
        const auto engine = started(optionsOf(path, mode, sinkPort));
        const double cpu = cpuSeconds();
        const auto began = std::chrono::steady_clock::now();
        load.start(portOf(*engine));
        waitFor(
            *engine, [](const EngineRates& rates) { return rates.done + rates.dead; }, quint64(jobs));
        run = {jobs / secondsSince(began), (cpuSeconds() - cpu) * 1e6 / jobs};
        load.wait();
    }
    verify(path, mode, jobs);
    return run;
}

} // namespace

int main(int argc, char** argv)
{
    const QCoreApplication application(argc, argv);
    const int runs = argc > 1 ? std::clamp(std::atoi(argv[1]), 1, 50) : 3;
    constexpr int kRound = kDeadEvery * kKinds;
    const int jobs = argc > 2 ? std::clamp(std::atoi(argv[2]), kRound, 1'000'000) / kRound * kRound : 30'000;
    // Each forks, so before the first thread.
    const SinkServer sink;
    std::vector<std::unique_ptr<LoadClient>> loads;
    for (int i = 0; i < 3 * runs; ++i)
        loads.push_back(std::make_unique<LoadClient>(loadOf(jobs)));

    const QTemporaryDir folder;
    std::array<std::vector<Run>, 3> all;
    for (int run = 0; run < runs; ++run)
        for (int turn = 0; turn < 3; ++turn) {
            // Who goes first changes, because the second finds the processor warm.
            const Mode mode = Mode((run + turn) % 3);
            const QString path = folder.filePath(u"%1-%2.db"_s.arg(QLatin1String(kNames[mode])).arg(run));
            all[mode].push_back(runOne(path, mode, jobs, *loads[size_t(3 * run + turn)], sink.port()));
        }
    std::printf("medians of %d runs of %d jobs, one in %d dead, errors of %d kinds, windows of %d s\n", runs,
                jobs, kDeadEvery, kKinds, int(kWindowMs / 1'000));
    for (const Mode mode : {Off, Grouped, Posted}) {
        const double rate = medianOf(all[mode], &Run::jobsPerSecond);
        const double cpu = medianOf(all[mode], &Run::cpuUs);
        std::printf("%-8s %7.0f jobs/s (%.3f of off), %6.1f us of processor a job (%.3f of off);  of",
                    kNames[mode], rate, rate / medianOf(all[Off], &Run::jobsPerSecond), cpu,
                    cpu / medianOf(all[Off], &Run::cpuUs));
        for (const Run& run : all[mode])
            std::printf(" %.0f", run.jobsPerSecond);
        std::printf("\n");
    }
    return 0;
}
