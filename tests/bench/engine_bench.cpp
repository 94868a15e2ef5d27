// The engine's figures beside a raw loop over the same schema, in one run: jobs accepted over HTTP (a durable
// 202, 32 connections), jobs end to end while intake runs, deliveries recorded durably. Medians; ratios to
// the raw loop. bench_engine [RUNS] [JOBS]
#include "core/db/migrator.h"
#include "tests/bench/engine_run.h"
#include "tests/bench/load_client.h"
#include "tests/bench/raw_loop.h"
#include "tests/bench/sink_server.h"

#include <QCoreApplication>
#include <QTemporaryDir>

#include <algorithm>
#include <cstdio>

using namespace redrive;
using namespace redrive::bench;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int kConnections = 32;
constexpr int kEvents = 500;
constexpr int kEndpoints = 10;

struct Figures
{
    RawRates raw;
    double accepted = 0;
    double p99Ms = 0;
    double acceptedWhileRunning = 0;
    double endToEnd = 0;
    double deliveries = 0;
};

Figures runOnce(int jobs)
{
    QTemporaryDir folder;
    Figures figures;
    LoadClient acceptLoad({0, kConnections, jobs, noopBody()});
    LoadClient endToEndLoad({0, kConnections, jobs, noopBody()});
    SinkServer sink;

    const QString rawPath = folder.filePath(u"raw.db"_s);
    if (const auto store = openStore({rawPath}, Access::Writer); !store)
        qFatal("%s", qPrintable(store.error().text()));
    figures.raw = rawLoop(rawPath, jobs, noopBody());
    {
        EngineOptions options = optionsFor(folder.filePath(u"accept.db"_s));
        options.settings.queues[u"jobs"_s].paused = true;
        const auto engine = started(options);
        acceptLoad.start(portOf(*engine));
        const LoadResult load = acceptLoad.wait();
        if (load.accepted != jobs)
            qFatal("accepted %d of %d", load.accepted, jobs);
        figures.accepted = load.accepted / load.seconds;
        figures.p99Ms = load.p99Ms;
    }
    {
        const auto engine = started(optionsFor(folder.filePath(u"run.db"_s)));
        const auto began = std::chrono::steady_clock::now();
        endToEndLoad.start(portOf(*engine));
        waitFor(
            *engine, [](const EngineRates& rates) { return rates.done; }, quint64(jobs));
        figures.endToEnd = jobs / secondsSince(began);
        const LoadResult load = endToEndLoad.wait();
        figures.acceptedWhileRunning = load.accepted / load.seconds;
    }
    {
        const auto engine = started(optionsFor(folder.filePath(u"fanout.db"_s)));
        QByteArray endpoints;
        for (int i = 0; i < kEndpoints; ++i)
            endpoints += (i ? "," : "") + QByteArray(R"({"id":"e)") + QByteArray::number(i) +
                         R"(","url":"http://127.0.0.1:)" + QByteArray::number(sink.port()) + R"(/hook"})";
        const QByteArray payload =
            R"({"eventType":"bench.event","eventData":{"n":1},"endpoints":[)" + endpoints + "]}";
        const auto began = std::chrono::steady_clock::now();
        for (int i = 0; i < kEvents; ++i)
            engine->submit({u"webhook_fanout"_s, payload, 0}, [](const Result<QString>&) {});
        waitFor(
            *engine, [](const EngineRates& rates) { return rates.deliveredOk; }, kEvents * kEndpoints);
        figures.deliveries = kEvents * kEndpoints / secondsSince(began);
    }
    return figures;
}

void print(const char* what, double value, double first, double goal, double raw)
{
    std::printf("%-36s %9.0f/s   %5.2f of first (%.0f)   %5.2f of goal (%.0f)", what, value, value / first,
                first, value / goal, goal);
    if (raw > 0)
        std::printf("   %4.2f of the raw loop", value / raw);
    std::printf("\n");
}

} // namespace

int main(int argc, char** argv)
{
    const QCoreApplication application(argc, argv);
    const int runs = argc > 1 ? std::clamp(std::atoi(argv[1]), 1, 20) : 3;
    const int jobs = argc > 2 ? std::clamp(std::atoi(argv[2]), 100, 1'000'000) / 100 * 100 : 50'000;
    std::vector<double> rawEnqueued, rawEndToEnd, accepted, p99, whileRunning, endToEnd, deliveries;
    for (int run = 0; run < runs; ++run) {
        const Figures figures = runOnce(jobs);
        rawEnqueued.push_back(figures.raw.enqueued);
        rawEndToEnd.push_back(figures.raw.endToEnd);
        accepted.push_back(figures.accepted);
        p99.push_back(figures.p99Ms);
        whileRunning.push_back(figures.acceptedWhileRunning);
        endToEnd.push_back(figures.endToEnd);
        deliveries.push_back(figures.deliveries);
    }
    std::printf("medians of %d runs, %d jobs, %d connections, %d events x %d endpoints\n", runs, jobs,
                kConnections, kEvents, kEndpoints);
    std::printf("raw loop, transactions of 100: enqueue %.0f/s, end to end %.0f/s\n", median(rawEnqueued),
                median(rawEndToEnd));
    print("accepted over HTTP, durable", median(accepted), 10'000, 20'000, median(rawEnqueued));
    std::printf("%-36s %9.2f ms\n", "  p99 of the answers", median(p99));
    print("accepted while jobs run", median(whileRunning), 10'000, 20'000, median(rawEnqueued));
    print("end to end while intake runs, no-op", median(endToEnd), 10'000, 20'000, median(rawEndToEnd));
    print("deliveries recorded durably", median(deliveries), 5'000, 15'000, 0);
    return 0;
}
