// Deliveries a second, each recorded before it connects and after it ended, beside a bare libcurl loop that
// posts the same to the same server in the same run: 500 events to 10 endpoints, 50 events to 1,000, once by
// an engine just started with a new database and once more right after. Then one event to 10,000
// endpoints: the rate and the memory it takes. Medians. bench_fanout [RUNS [EVENTS ENDPOINTS]]: with a shape,
// that one alone, as a profiler wants it.
#include "tests/bench/engine_run.h"
#include "tests/bench/post_loop.h"
#include "tests/bench/sink_server.h"
#include "tests/support/process_memory.h"

#include <QCoreApplication>
#include <QTemporaryDir>

#include <algorithm>
#include <cstdio>

using namespace redrive;
using namespace redrive::bench;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr double kFirst = 5'000;
constexpr double kGoal = 15'000;

struct Shape
{
    int events;
    int endpoints;
    int inFlight; // of the bare loop: as many as the lanes allow

    int deliveries() const { return events * endpoints; }
};

struct Rates
{
    double started = 0;
    double running = 0;
};

EngineOptions optionsWith(const QString& path, int endpoints, quint16 port)
{
    EngineOptions options = optionsFor(path);
    for (int i = 0; i < endpoints; ++i) {
        EndpointSettings endpoint;
        endpoint.id = u"endpoint-%1"_s.arg(i);
        endpoint.url = u"http://127.0.0.1:%1/hook"_s.arg(port);
        options.settings.endpoints.append(endpoint);
    }
    return options;
}

QByteArray payloadOf(qsizetype bytes)
{
    return R"({"eventType":"bench.event","eventData":")" + QByteArray(bytes, 'x') + "\"}";
}

double rateOf(Engine& engine, const Shape& shape)
{
    const quint64 before = engine.health().rates.deliveredOk;
    const auto began = std::chrono::steady_clock::now();
    for (int i = 0; i < shape.events; ++i)
        engine.submit({u"webhook_fanout"_s, payloadOf(100), 0}, [](const Result<QString>&) {});
    waitFor(
        engine, [](const EngineRates& rates) { return rates.deliveredOk; },
        before + quint64(shape.deliveries()));
    return shape.deliveries() / secondsSince(began);
}

Rates engineRates(const Shape& shape, quint16 port)
{
    QTemporaryDir folder;
    const auto engine = started(optionsWith(folder.filePath(u"fanout.db"_s), shape.endpoints, port));
    Rates rates;
    rates.started = rateOf(*engine, shape);
    rates.running = rateOf(*engine, shape);
    return rates;
}

void report(const char* when, const Shape& shape, double rate, double bare)
{
    std::printf("%4d events x %4d endpoints, %s %8.0f/s   %4.2f of first (%.0f)   %4.2f of goal (%.0f)   "
                "%4.2f of the bare loop (%.0f/s)\n",
                shape.events, shape.endpoints, when, rate, rate / kFirst, kFirst, rate / kGoal, kGoal,
                rate / bare, bare);
}

void measure(const Shape& shape, quint16 port, int runs)
{
    std::vector<double> bare;
    std::vector<double> justStarted;
    std::vector<double> running;
    for (int run = 0; run < runs; ++run) {
        bare.push_back(postLoop(port, shape.deliveries(), shape.inFlight,
                                R"({"event":"bench.event","data":")" + QByteArray(100, 'x') +
                                    R"(","timestamp":1900000000000})"));
        const Rates rates = engineRates(shape, port);
        justStarted.push_back(rates.started);
        running.push_back(rates.running);
    }
    report("started", shape, median(justStarted), median(bare));
    report("running", shape, median(running), median(bare));
}

void measureMemory(int endpoints, qsizetype bytes, quint16 port)
{
    QTemporaryDir folder;
    const auto engine = started(optionsWith(folder.filePath(u"one.db"_s), endpoints, port));
    const double before = test::residentMib();
    double most = before;
    const auto began = std::chrono::steady_clock::now();
    engine->submit({u"webhook_fanout"_s, payloadOf(bytes), 0}, [](const Result<QString>&) {});
    waitFor(
        *engine,
        [&](const EngineRates& rates) {
            most = std::max(most, test::residentMib());
            return rates.deliveredOk;
        },
        quint64(endpoints));
    std::printf("%4d event  x %4d endpoints %8.0f/s   %.0f MiB more at most for a body of %lld bytes (60)\n",
                1, endpoints, endpoints / secondsSince(began), most - before, static_cast<long long>(bytes));
}

} // namespace

int main(int argc, char** argv)
{
    const QCoreApplication application(argc, argv);
    const int runs = argc > 1 ? std::clamp(std::atoi(argv[1]), 1, 20) : 3;
    const SinkServer sink;
    std::printf("medians of %d runs\n", runs);
    if (argc > 3) {
        const int endpoints = std::clamp(std::atoi(argv[3]), 1, 10'000);
        measure({std::clamp(std::atoi(argv[2]), 1, 100'000), endpoints, std::min(4 * endpoints, 256)},
                sink.port(), runs);
        return 0;
    }
    measure({500, 10, 40}, sink.port(), runs);
    measure({50, 1'000, 256}, sink.port(), runs);
    measureMemory(10'000, 100'000, sink.port());
    return 0;
}
