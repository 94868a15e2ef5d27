#include "core/domain/reason.h"
#include "core/jobs/url_exchange.h"
#include "core/jobs/url_handler.h"
#include "core/net/http_sender.h"
#include "tests/support/http_receiver.h"
#include "tests/support/manual_clock.h"

#include <QTest>

using namespace redrive;
using namespace redrive::test;
using namespace Qt::Literals::StringLiterals;

class UrlHandlerTest : public QObject
{
    Q_OBJECT

    ManualClock m_clock;

    static HttpSenderOptions options()
    {
        HttpSenderOptions options;
        options.guard = *TargetGuard::make({}, true);
        return options;
    }

    static ClaimedJob job()
    {
        ClaimedJob job;
        job.id = u"0192f0c1-0000-7000-8000-000000000001"_s;
        job.payload = R"({"n":9007199254740993})";
        job.attempt = 2;
        return job;
    }

private Q_SLOTS:
    void statusesMeanWhatTheySay_data()
    {
        QTest::addColumn<int>("status");
        QTest::addColumn<HandlerResult>("result");
        QTest::addColumn<QString>("error");
        QTest::newRow("200") << 200 << HandlerResult::Done << QString();
        QTest::newRow("204") << 204 << HandlerResult::Done << QString();
        QTest::newRow("302") << 302 << HandlerResult::Transient << u"HTTP 302: said"_s;
        QTest::newRow("400") << 400 << HandlerResult::Transient << u"HTTP 400: said"_s;
        QTest::newRow("410") << 410 << HandlerResult::Permanent << u"HTTP 410: said"_s;
        QTest::newRow("500") << 500 << HandlerResult::Transient << u"HTTP 500: said"_s;
    }
    void statusesMeanWhatTheySay()
    {
        QFETCH(int, status);
        QFETCH(HandlerResult, result);
        QFETCH(QString, error);
        HttpReceiver receiver;
        receiver.answer("/do", ReceiverAnswer::status(status, status == 204 ? "" : "said"));
        HttpSender sender(options());
        sender.start();
        HandlerSettings settings;
        settings.url = receiver.url("/do");
        UrlHandler handler(settings, blockingPost(sender), m_clock);
        const StopSignal stop;
        const HandlerOutcome outcome = handler.run(job(), stop);
        QCOMPARE(outcome.result, result);
        QCOMPARE(outcome.error, error);
        if (status == 200)
            QCOMPARE(outcome.content, "said");
        const auto arrived = receiver.arrivals("/do");
        QCOMPARE(arrived.size(), size_t(1));
        QCOMPARE(arrived[0].body, job().payload);
        QCOMPARE(arrived[0].header("redrive-job-id"), job().id.toLatin1());
        QCOMPARE(arrived[0].header("redrive-attempt"), "2");
        sender.stop();
    }

    void aWaitThatIsAskedForCountsWhenItIsLonger()
    {
        HttpOutcome answered;
        answered.outcome = HttpOutcome::Class::Answered;
        answered.status = 503;
        answered.retryAfter = "120";
        QCOMPARE(urlOutcome(answered, 30'000, 0).leastDelayMs, std::optional<qint64>(120'000));
        answered.status = 500;
        QCOMPARE(urlOutcome(answered, 30'000, 0).leastDelayMs, std::optional<qint64>());
    }

    void aRefusedTargetIsPermanentAndGetsNothing()
    {
        HttpReceiver receiver;
        HttpSenderOptions closed;
        closed.guard = *TargetGuard::make({}, false); // loopback is not allowed
        HttpSender sender(std::move(closed));
        sender.start();
        HandlerSettings settings;
        settings.url = receiver.url("/do");
        UrlHandler handler(settings, blockingPost(sender), m_clock);
        const StopSignal stop;
        const HandlerOutcome outcome = handler.run(job(), stop);
        QCOMPARE(outcome.result, HandlerResult::Permanent);
        QCOMPARE(outcome.reason, QString(reason::kTargetRefused));
        QCOMPARE(receiver.arrivalCount(), 0);
        sender.stop();
    }

    void theTimeLimitAndAStopEndIt_data()
    {
        QTest::addColumn<bool>("stopped");
        QTest::newRow("time limit") << false;
        QTest::newRow("stop") << true;
    }
    void theTimeLimitAndAStopEndIt()
    {
        QFETCH(bool, stopped);
        HttpReceiver receiver;
        receiver.answer("/do", ReceiverAnswer::status(200).hold());
        HttpSender sender(options());
        sender.start();
        HandlerSettings settings;
        settings.url = receiver.url("/do");
        settings.timeoutMs = stopped ? 60'000 : 200;
        UrlHandler handler(settings, blockingPost(sender), m_clock);
        StopSignal stop;
        std::thread stopper([&] {
            receiver.waitForArrivals(1);
            stop.requested = stopped;
        });
        const HandlerOutcome outcome = handler.run(job(), stop);
        stopper.join();
        QCOMPARE(outcome.result, stopped ? HandlerResult::Cancelled : HandlerResult::TimedOut);
        if (!stopped)
            QCOMPARE(outcome.error, u"time limit of 0.2 s reached"_s);
        sender.stop();
    }

    void aSenderThatStopsTakesNothing()
    {
        HttpSender sender(options());
        sender.start();
        sender.beginStop();
        HandlerSettings settings;
        settings.url = u"http://127.0.0.1:9/do"_s;
        UrlHandler handler(settings, blockingPost(sender), m_clock);
        const StopSignal stop;
        QCOMPARE(handler.run(job(), stop).result, HandlerResult::Cancelled);
        sender.stop();
    }
};

QTEST_GUILESS_MAIN(UrlHandlerTest)
#include "url_handler_test.moc"
