// bench_http_sender URL COUNT BURST: posts COUNT bodies of 200 bytes to a local server in bursts of up to
// BURST under way, as the lanes do, and prints the rate and the processor time. Not a test.
#include "core/net/http_sender.h"

#include <QString>

#include <condition_variable>
#include <cstdio>
#include <ctime>
#include <mutex>
#include <sys/resource.h>

using namespace redrive;

namespace {

double seconds(clockid_t clock)
{
    timespec t{};
    clock_gettime(clock, &t);
    return double(t.tv_sec) + double(t.tv_nsec) / 1e9;
}

} // namespace

int main(int argc, char** argv)
{
    if (argc != 4) {
        std::fprintf(stderr, "usage: bench_http_sender URL COUNT BURST\n");
        return 2;
    }
    const QString url = QString::fromLocal8Bit(argv[1]);
    const int count = QByteArray(argv[2]).toInt();
    const int burst = QByteArray(argv[3]).toInt();

    HttpSenderOptions options;
    options.guard = TargetGuard::make({}, true).value();
    options.maxInFlight = burst;
    HttpSender sender(std::move(options));

    std::mutex mutex; // guards done and failed
    std::condition_variable changed;
    int done = 0;
    int failed = 0;
    sender.setResultSink([&](std::vector<HttpOutcome> outcomes) {
        std::lock_guard lock(mutex);
        done += int(outcomes.size());
        for (const HttpOutcome& outcome : outcomes)
            failed += outcome.status < 200 || outcome.status > 299;
        changed.notify_one();
    });
    sender.start();

    const auto body = std::make_shared<const QByteArray>(200, 'x');
    const auto request = [&](int number) {
        HttpRequest request;
        request.token = quint64(number) + 1;
        request.url = url;
        request.headers = {{"Content-Type", "application/json"},
                           {"User-Agent", "Redrive"},
                           {"webhook-id", "0190a000-0000-7000-8000-000000000000"},
                           {"webhook-timestamp", "1900000000"},
                           {"webhook-signature", "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="}};
        request.body = body;
        return request;
    };

    const double wall = seconds(CLOCK_MONOTONIC);
    const double cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
    int sent = 0;
    std::unique_lock lock(mutex);
    while (done < count) {
        std::vector<HttpRequest> batch;
        while (sent < count && sent - done < 2 * burst)
            batch.push_back(request(sent++));
        if (!batch.empty()) {
            lock.unlock();
            sender.send(std::move(batch));
            lock.lock();
        }
        const int before = done;
        changed.wait(lock, [&] { return done == count || done >= before + 1; });
    }
    const double took = seconds(CLOCK_MONOTONIC) - wall;
    const double used = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    std::printf("SENDER count=%d burst=%d rate=%.0f/s cpu=%.0f%% cpu_us_per_request=%.1f failed=%d\n", count,
                burst, count / took, 100 * used / took, 1e6 * used / count, failed);
    return failed == 0 ? 0 : 1;
}
