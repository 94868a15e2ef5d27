// Events over HTTP beside the two things they could be instead, in one run: a transaction of one row for each
// request behind the same front, and a raw loop over the same schema. Accepted means a durable 202, persisted
// a row in the table, from the first request to the last row. Medians; ratios. bench_ingest [RUNS] [EVENTS]
#include "core/db/migrator.h"
#include "tests/bench/direct_writer.h"
#include "tests/bench/engine_run.h"
#include "tests/bench/load_client.h"
#include "tests/bench/raw_telemetry.h"

#include <QCoreApplication>
#include <QTemporaryDir>

#include <algorithm>
#include <cstdio>
#include <thread>

using namespace redrive;
using namespace redrive::bench;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int kConnections = 32;
constexpr int kBatch = 500;
constexpr int kPoisonEvery = 100;
const QByteArray kToken = "bench-token";
const QString kQueue = u"telemetry-ingest"_s;

QByteArray event(bool poison)
{
    QByteArray body = poison ? R"({"source":"nonsense","tenantId":"acme","d":"")"
                             : R"({"source":"metric","tenantId":"acme","d":"")";
    body.chop(1);
    return body + QByteArray(200 - body.size() - 2, 'x') + "\"}";
}

// `poison`: one in a hundred is refused by the table.
LoadPlan singleLoad(int events, bool poison, const QByteArray& path = "/ingest")
{
    LoadPlan plan{0, kConnections, events, event(poison)};
    plan.path = path;
    plan.headers = "Authorization: Bearer " + kToken + "\r\n";
    if (poison)
        plan.more.assign(kPoisonEvery - 1, event(false));
    return plan;
}

LoadPlan batchLoad(int events, bool poison)
{
    LoadPlan plan = singleLoad(events / kBatch, false, "/ingest/batch");
    QByteArrayList list;
    for (int i = 0; i < kBatch; ++i)
        list.append(event(poison && i % kPoisonEvery == 0));
    plan.body = '[' + list.join(',') + ']';
    return plan;
}

EngineOptions telemetryOptions(const QString& path)
{
    EngineOptions options = optionsFor(path);
    ConsumerSettings queue;
    queue.queue = kQueue;
    queue.maxBatchSize = 100;
    queue.maxBatchTimeoutMs = 500;
    queue.deadLetterQueue = u"telemetry-dlq"_s;
    options.settings.consumers.append(queue);
    options.settings.telemetryQueue = kQueue;
    options.settings.ingestTokenSecret = u"AUTH_SECRET"_s;
    options.settings.secrets.insert(u"AUTH_SECRET"_s, kToken);
    return options;
}

struct Route
{
    double accepted = 0;  // events a second
    double persisted = 0; // the same, poison included
    double p50Ms = 0;     // of the answers
    double p99Ms = 0;
};

qint64 number(Connection& db, const QString& sql)
{
    auto query = db.dynamicQuery(sql);
    return query.next() ? query.int64(0) : -1;
}

Route runRoute(const QString& path, LoadClient& load, int requests, int eventsEach, bool poison)
{
    const auto engine = started(telemetryOptions(path));
    const auto db = *Connection::open({path}, Access::Reader);
    const auto began = std::chrono::steady_clock::now();
    load.start(portOf(*engine));
    const LoadResult result = load.wait();
    if (result.accepted != requests)
        qFatal("accepted %d of %d", result.accepted, requests);
    while (number(*db, u"SELECT count(*) FROM messages WHERE queue = '%1'"_s.arg(kQueue)) > 0)
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    const int events = requests * eventsEach;
    Route route{events / result.seconds, events / secondsSince(began), result.p50Ms, result.p99Ms};
    const qint64 rows = number(*db, u"SELECT count(*) FROM system_telemetry"_s);
    const qint64 letters = number(*db, u"SELECT count(*) FROM dead_letters WHERE state = 'open'"_s);
    if (rows + letters != events || letters != (poison ? events / kPoisonEvery : 0))
        qFatal("%d events: %d rows and %d dead letters", events, int(rows), int(letters));
    return route;
}

struct Figures
{
    RawTelemetryRates raw;
    Route direct;
    Route single;
    Route singlePoison;
    Route batch;
    Route batchPoison;
};

void makeStore(const QString& path)
{
    if (const auto store = openStore({path}, Access::Writer); !store)
        qFatal("%s", qPrintable(store.error().text()));
}

Figures runOnce(int events)
{
    const int direct = events / 10;
    QTemporaryDir folder;
    LoadClient directLoad(singleLoad(direct, false, "/ingest/sync"));
    LoadClient single(singleLoad(events, false));
    LoadClient singlePoison(singleLoad(events, true));
    LoadClient batch(batchLoad(events, false));
    LoadClient batchPoison(batchLoad(events, true));

    Figures figures;
    const auto path = [&](const QString& name) { return folder.filePath(name); };
    makeStore(path(u"raw.db"_s));
    figures.raw = rawTelemetry(path(u"raw.db"_s), events, event(false));
    makeStore(path(u"direct.db"_s));
    {
        const DirectWriter writer(path(u"direct.db"_s), kToken);
        directLoad.start(writer.port());
        const LoadResult result = directLoad.wait();
        if (result.accepted != direct)
            qFatal("accepted %d of %d", result.accepted, direct);
        figures.direct = {direct / result.seconds, direct / result.seconds, result.p50Ms, result.p99Ms};
    }
    figures.single = runRoute(path(u"single.db"_s), single, events, 1, false);
    figures.singlePoison = runRoute(path(u"single_poison.db"_s), singlePoison, events, 1, true);
    figures.batch = runRoute(path(u"batch.db"_s), batch, events / kBatch, kBatch, false);
    figures.batchPoison = runRoute(path(u"batch_poison.db"_s), batchPoison, events / kBatch, kBatch, true);
    return figures;
}

Route medianOf(const std::vector<Figures>& runs, Route Figures::*which)
{
    const auto of = [&](double Route::*figure) {
        std::vector<double> values;
        for (const Figures& run : runs)
            values.push_back(run.*which.*figure);
        return median(values);
    };
    return {of(&Route::accepted), of(&Route::persisted), of(&Route::p50Ms), of(&Route::p99Ms)};
}

double medianOf(const std::vector<Figures>& runs, double RawTelemetryRates::*figure)
{
    std::vector<double> values;
    for (const Figures& run : runs)
        values.push_back(run.raw.*figure);
    return median(values);
}

void print(const char* what, const Route& route)
{
    std::printf("%-28s accepted %8.0f/s   persisted %8.0f/s   p50 %6.2f ms   p99 %6.2f ms\n", what,
                route.accepted, route.persisted, route.p50Ms, route.p99Ms);
}

void target(const char* what, double value, double wanted, bool atMost = false)
{
    const bool met = atMost ? value <= wanted : value >= wanted;
    std::printf("%-52s %10.2f   target %s %.2f   %s\n", what, value, atMost ? "<=" : ">=", wanted,
                met ? "met" : "MISSED");
}

} // namespace

int main(int argc, char** argv)
{
    const QCoreApplication application(argc, argv);
    const int runs = argc > 1 ? std::clamp(std::atoi(argv[1]), 1, 20) : 3;
    const int events = argc > 2 ? std::clamp(std::atoi(argv[2]), 1'000, 1'000'000) / kBatch * kBatch : 50'000;
    std::vector<Figures> all;
    for (int run = 0; run < runs; ++run)
        all.push_back(runOnce(events));
    const Route direct = medianOf(all, &Figures::direct);
    const Route single = medianOf(all, &Figures::single);
    const Route singlePoison = medianOf(all, &Figures::singlePoison);
    const Route batch = medianOf(all, &Figures::batch);
    const Route batchPoison = medianOf(all, &Figures::batchPoison);
    const double rawAccepted = medianOf(all, &RawTelemetryRates::accepted);
    const double rawPersisted = medianOf(all, &RawTelemetryRates::persisted);
    std::printf("medians of %d runs, %d events of 200 bytes, %d connections\n", runs, events, kConnections);
    std::printf("raw loop, transactions of 100: accepted %.0f/s, persisted %.0f/s; one row each %.0f/s\n",
                rawAccepted, rawPersisted, medianOf(all, &RawTelemetryRates::oneByOne));
    print("direct, one row each", direct);
    print("/ingest", single);
    print("/ingest, 1 % poison", singlePoison);
    print("/ingest/batch of 500", batch);
    print("/ingest/batch, 1 % poison", batchPoison);
    target("/ingest accepted per second", single.accepted, 12'000);
    target("  p99 of its answers, ms", single.p99Ms, 25, true);
    target("  of direct writes", single.accepted / direct.accepted, 5);
    target("/ingest/batch accepted, rows per second", batch.accepted, 40'000);
    target("1 % poison of clean, /ingest persisted", singlePoison.persisted / single.persisted, 0.8);
    target("1 % poison of clean, /ingest/batch persisted", batchPoison.persisted / batch.persisted, 0.8);
    std::printf("of the raw loop: accepted %.2f single, %.2f batch; persisted %.2f single, %.2f batch\n",
                single.accepted / rawAccepted, batch.accepted / rawAccepted, single.persisted / rawPersisted,
                batch.persisted / rawPersisted);
    return 0;
}
