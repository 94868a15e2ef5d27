// Jobs per second from an empty store and from one that holds ROWS finished jobs, run in turn so that
// whatever else the machine does falls on both: with bench_finished [ROWS] [RUNS] [JOBS]. Exit code 1: the
// medians are more than a tenth apart.
#include "tests/bench/engine_run.h"
#include "tests/bench/load_client.h"
#include "tests/support/big_store.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QTemporaryDir>

#include <algorithm>
#include <cstdio>

using namespace redrive;
using namespace redrive::bench;

namespace {

constexpr int kConnections = 32;
constexpr double kMostApart = 0.1;

struct Run
{
    double jobsPerSecond = 0;
    double cpuUs = 0; // of the engine, a job; varies less on a busy machine
};

Run runOn(const QString& path, int jobs, LoadClient& load)
{
    const auto engine = started(optionsFor(path));
    const double cpu = cpuSeconds();
    const auto began = std::chrono::steady_clock::now();
    load.start(portOf(*engine));
    waitFor(
        *engine, [](const EngineRates& rates) { return rates.done; }, quint64(jobs));
    const Run run{jobs / secondsSince(began), (cpuSeconds() - cpu) * 1e6 / jobs};
    load.wait();
    return run;
}

void print(const char* what, const std::vector<Run>& runs)
{
    std::printf("%-16s %7.0f jobs/s, %5.1f us of processor a job;  of", what,
                medianOf(runs, &Run::jobsPerSecond), medianOf(runs, &Run::cpuUs));
    for (const Run& run : runs)
        std::printf(" %.0f", run.jobsPerSecond);
    std::printf("\n");
}

} // namespace

int main(int argc, char** argv)
{
    const QCoreApplication application(argc, argv);
    const qint64 rows = argc > 1 ? std::clamp(std::atoll(argv[1]), 1'000LL, 10'000'000LL) : 1'000'000;
    const int runs = argc > 2 ? std::clamp(std::atoi(argv[2]), 3, 50) : 5;
    const int jobs = argc > 3 ? std::clamp(std::atoi(argv[3]), 100, 1'000'000) : 30'000;
    // Each forks, so before the first thread.
    std::vector<std::unique_ptr<LoadClient>> loads;
    for (int i = 0; i < 2 * runs; ++i)
        loads.push_back(std::make_unique<LoadClient>(LoadPlan{0, kConnections, jobs, noopBody()}));

    const QTemporaryDir folder;
    const QString full = folder.filePath(u"full.db"_s);
    test::BigStoreShape shape;
    shape.finished = rows;
    if (const Status filled = test::fillBigStore({full}, shape, QDateTime::currentMSecsSinceEpoch()); !filled)
        qFatal("%s", qPrintable(filled.error().text()));

    std::vector<Run> fromEmpty, fromFull;
    for (int run = 0; run < runs; ++run) {
        const QString empty = folder.filePath(u"empty-%1.db"_s.arg(run));
        // Who goes first changes, because the second finds the processor warm.
        for (const bool isFull : {run % 2 == 0, run % 2 != 0})
            (isFull ? fromFull : fromEmpty)
                .push_back(runOn(isFull ? full : empty, jobs, *loads[fromEmpty.size() + fromFull.size()]));
    }
    std::printf("%lld finished rows, %d runs of %d jobs each\n", static_cast<long long>(rows), runs, jobs);
    print("empty store", fromEmpty);
    print("full store", fromFull);
    const double ratio = medianOf(fromFull, &Run::jobsPerSecond) / medianOf(fromEmpty, &Run::jobsPerSecond);
    std::printf("ratio %.3f, at least %.2f wanted; of processor time for a job %.3f\n", ratio, 1 - kMostApart,
                medianOf(fromEmpty, &Run::cpuUs) / medianOf(fromFull, &Run::cpuUs));
    return ratio < 1 - kMostApart ? 1 : 0;
}
