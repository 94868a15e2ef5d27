#include "tests/bench/engine_run.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>

#include <sys/resource.h>

namespace redrive::bench {

namespace {

class Noop final : public BlockingHandler
{
public:
    HandlerOutcome run(const ClaimedJob&, const StopSignal&) override { return {}; }
};

} // namespace

QByteArray noopBody()
{
    QByteArray body = R"({"type":"noop","payload":{"d":"")";
    body.chop(1);
    return body + QByteArray(200 - body.size() - 3, 'x') + "\"}}";
}

EngineOptions optionsFor(const QString& path)
{
    EngineOptions options;
    ConsumerSettings queue;
    queue.queue = u"jobs"_s;
    queue.maxBatchSize = 100;
    queue.maxBatchTimeoutMs = 0;
    options.settings.consumers = {queue};
    options.settings.jobsQueue = u"jobs"_s;
    options.settings.listen = u"127.0.0.1:0"_s;
    options.database.path = path;
    options.addHandlers = [](HandlerRegistry& registry) {
        registry.add(u"noop"_s, std::shared_ptr<BlockingHandler>(std::make_shared<Noop>()));
    };
    return options;
}

std::unique_ptr<Engine> started(EngineOptions options)
{
    auto engine = Engine::start(std::move(options));
    if (!engine)
        qFatal("%s", qPrintable(engine.error().text()));
    return std::move(*engine);
}

quint16 portOf(const Engine& engine)
{
    return quint16(engine.health().listenUrl.section(u':', -1).toInt());
}

void waitFor(Engine& engine, const std::function<quint64(const EngineRates&)>& figure, quint64 number)
{
    std::mutex mutex;
    std::condition_variable changed;
    const int handle = engine.subscribe([&](const ChangeSet&) { changed.notify_all(); });
    std::unique_lock lock(mutex);
    while (figure(engine.health().rates) < number)
        changed.wait_for(lock, std::chrono::milliseconds(5));
    engine.unsubscribe(handle);
}

double secondsSince(std::chrono::steady_clock::time_point then)
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
}

double cpuSeconds()
{
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    const auto seconds = [](const timeval& time) { return double(time.tv_sec) + double(time.tv_usec) / 1e6; };
    return seconds(used.ru_utime) + seconds(used.ru_stime);
}

double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

} // namespace redrive::bench
