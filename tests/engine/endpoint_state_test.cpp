// What the engine says of endpoints that take nothing: open breakers, and no network at all.
#include "core/engine/engine.h"
#include "tests/support/http_receiver.h"
#include "tests/support/plain_client.h"

#include <QTemporaryDir>
#include <QTest>

#include <future>

using namespace redrive;
using namespace Qt::Literals::StringLiterals;

class EndpointStateTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    std::unique_ptr<Engine> startedWith(const QList<std::pair<QString, QString>>& endpoints)
    {
        EngineOptions options;
        ConsumerSettings consumer;
        consumer.queue = u"jobs"_s;
        consumer.maxBatchTimeoutMs = 0;
        options.settings.consumers = {consumer};
        options.settings.jobsQueue = u"jobs"_s;
        options.settings.listen = u"127.0.0.1:0"_s;
        options.database.path = m_folder.filePath(u"%1.db"_s.arg(endpoints.size()));
        options.drainMs = 300;
        for (const auto& [id, url] : endpoints) {
            EndpointSettings endpoint;
            endpoint.id = id;
            endpoint.url = url;
            options.settings.endpoints.append(endpoint);
        }
        auto engine = Engine::start(std::move(options));
        if (!engine)
            qFatal("%s", qPrintable(engine.error().text()));
        return std::move(*engine);
    }

    static void fanOut(Engine& engine, int events)
    {
        for (int i = 0; i < events; ++i)
            engine.submit({u"webhook_fanout"_s, R"({"eventType":"t"})", 0}, [](const Result<QString>&) {});
    }

    static StoreCounts countsOf(Engine& engine)
    {
        std::promise<StoreCounts> promise;
        engine.counts([&](Result<StoreCounts> counts) { promise.set_value(counts.value_or(StoreCounts())); });
        return promise.get_future().get();
    }

    static test::PlainClient clientOf(const Engine& engine)
    {
        return test::PlainClient(engine.health().listenUrl);
    }
    static QByteArray metricsOf(const Engine& engine) { return clientOf(engine).get("/metrics").body; }

private Q_SLOTS:
    void openBreakersAreSeen()
    {
        const quint16 nobody = test::HttpReceiver().port();
        const auto engine = startedWith({{u"acme"_s, u"http://127.0.0.1:%1/"_s.arg(nobody)}});
        fanOut(*engine, 8);
        QTRY_COMPARE_WITH_TIMEOUT(countsOf(*engine).openBreakers, 1, 20'000);
        const StoreCounts counts = countsOf(*engine);
        QCOMPARE(counts.breakers.first().endpointId, u"acme"_s);
        QVERIFY(counts.breakers.first().openUntilMs > counts.breakers.first().openedAtMs);
        const QByteArray metrics = metricsOf(*engine);
        QVERIFY(metrics.contains("\nredrive_breakers_open 1\n"));
        QVERIFY(metrics.contains("\nredrive_breaker_probe_seconds{endpoint=\"acme\"} " +
                                 QByteArray::number(counts.breakers.first().openUntilMs / 1000) + "\n"));
        QVERIFY(metrics.contains("\nredrive_offline 0\n"));
        QVERIFY(!engine->health().offlineSinceMs);

        std::promise<QString> first;
        ListRequest deliveries;
        deliveries.kind = ListKind::Deliveries;
        engine->openList(u"list"_s, deliveries, [&, told = false](Result<ListSlice> slice) mutable {
            if (slice && !slice->keys.empty() && !std::exchange(told, true))
                engine->fetchRows(ListKind::Deliveries, {slice->keys.front()}, [&](Result<ListRows> rows) {
                    first.set_value(rows ? std::get<QList<DeliveryRow>>(*rows).first().id : QString());
                });
        });
        std::promise<DeliveryDetail> detail;
        engine->deliveryDetail(first.get_future().get(), [&](Result<DeliveryDetail> found) {
            detail.set_value(found.value_or(DeliveryDetail()));
        });
        QCOMPARE(detail.get_future().get().delivery.breakerUntilMs,
                 std::optional(counts.breakers.first().openUntilMs));
    }

    void noNetworkIsSeen()
    {
        const auto engine = startedWith({{u"a"_s, u"http://a.invalid/"_s},
                                         {u"b"_s, u"http://b.invalid/"_s},
                                         {u"c"_s, u"http://c.invalid/"_s}});
        fanOut(*engine, 2);
        QTRY_VERIFY_WITH_TIMEOUT(engine->health().offlineSinceMs.has_value(), 60'000);
        QVERIFY(engine->health().notices.join(u' ').contains(u"Offline"_s));
        QVERIFY(engine->health().problems.isEmpty()); // jobs run on
        QVERIFY(metricsOf(*engine).contains("\nredrive_offline 1\n"));
        const auto healthz = clientOf(*engine).get("/healthz");
        QCOMPARE(healthz.status, 200);
        QVERIFY(healthz.body.contains("\"notices\":[\"offline"));
        QCOMPARE(countsOf(*engine).openBreakers, 0);
    }
};

QTEST_GUILESS_MAIN(EndpointStateTest)
#include "endpoint_state_test.moc"
