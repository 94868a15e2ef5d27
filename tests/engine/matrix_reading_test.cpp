#include "core/engine/matrix_reading.h"

#include "core/engine/lone_turn.h"
#include "core/store/endpoint_store.h"
#include "tests/support/manual_clock.h"
#include "tests/support/test_store.h"

#include <QTest>

using namespace redrive;
using namespace redrive::test;

namespace {

struct Deliveries
{
    ManualClock clock;
    TestStore store;

    void registerEndpoint(const QString& id, const QByteArray& events)
    {
        const QByteArray settings =
            "{\"id\":\"" + id.toUtf8() + "\",\"url\":\"http://x\",\"events\":" + events + '}';
        QVERIFY(runLoneTurn(store.db(), clock, [&](Cycle& cycle) -> Status {
            REDRIVE_TRY(endpoint_store::addVersion(cycle, id, EndpointOrigin::Made, u"http://x"_s, settings,
                                                   u"anna"_s));
            return {};
        }));
    }
    void event(const QString& id, const QString& type)
    {
        store.execute(u"INSERT INTO webhook_events (id, job_id, run, event_type, body, created_at_ms) "
                      "VALUES ('%1', 'job-%1', 1, '%2', '{}', 5)"_s.arg(id, type));
    }
    void delivery(const QString& event, const QString& endpoint, const QString& status, int attempts = 1)
    {
        store.execute(
            u"INSERT INTO webhook_deliveries (id, endpoint_id, event_type, status, event_id, job_id, "
            "attempts, error) VALUES ('%1-%2', '%2', 't', '%3', '%1', 'job-%1', %4, 'a\nb')"_s
                .arg(event, endpoint, status)
                .arg(attempts));
    }
    DeliveryMatrix matrix(const QString& filter = {})
    {
        return readMatrix(store.db(), filter, clock.wallMs()).value_or(DeliveryMatrix{});
    }
};

} // namespace

class MatrixReadingTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void nothingIsEmpty()
    {
        Deliveries d;
        QVERIFY(d.matrix().events.isEmpty());
        QVERIFY(d.matrix().endpoints.isEmpty());
    }

    void saysWhatEveryEndpointGot()
    {
        Deliveries d;
        d.registerEndpoint(u"orders"_s, "[\"order.*\"]");
        d.registerEndpoint(u"late"_s, "[\"order.*\"]");
        d.event(u"e1"_s, u"order.made"_s);
        d.event(u"e2"_s, u"user.made"_s);
        d.delivery(u"e1"_s, u"orders"_s, u"failed"_s, 2);
        d.delivery(u"e2"_s, u"inline"_s, u"delivered"_s);
        const DeliveryMatrix matrix = d.matrix();
        QCOMPARE(matrix.events.size(), 2);
        QCOMPARE(matrix.events.first().id, u"e2"_s);
        QCOMPARE(matrix.endpoints, (QStringList{u"inline"_s, u"late"_s, u"orders"_s}));
        QCOMPARE(matrix.at(0, 0).kind, MatrixCell::Kind::Delivery);
        QCOMPARE(matrix.at(0, 0).status, DeliveryStatus::Delivered);
        QCOMPARE(matrix.at(0, 1).kind, MatrixCell::Kind::NotSubscribed);
        QCOMPARE(matrix.at(1, 1).kind, MatrixCell::Kind::Missing);
        QCOMPARE(matrix.at(1, 2).status, DeliveryStatus::Failed);
        QCOMPARE(matrix.at(1, 2).attempts, 2);
        QCOMPARE(matrix.at(1, 2).error, u"a"_s);
        QVERIFY(matrix.at(1, 2).key > 0);
    }

    void aFilterChoosesEventsAndShowsThemWhole()
    {
        Deliveries d;
        for (const QString& id : {u"e1"_s, u"e2"_s}) {
            d.event(id, u"order.made"_s);
            d.delivery(id, u"good"_s, u"delivered"_s);
        }
        d.delivery(u"e1"_s, u"bad"_s, u"dead"_s);
        const DeliveryMatrix matrix = d.matrix(u"status:dead"_s);
        QCOMPARE(matrix.events.size(), 1);
        QCOMPARE(matrix.events.first().id, u"e1"_s);
        QCOMPARE(matrix.endpoints, (QStringList{u"bad"_s, u"good"_s}));
        QVERIFY(!matrix.moreEvents);
        const auto wrong = readMatrix(d.store.db(), u"age:>3x"_s, d.clock.wallMs());
        QVERIFY(!wrong);
        QCOMPARE(wrong.error().kind, ErrorKind::InvalidInput);
    }

    void keepsWhatFailsWhereThereIsTooMuch()
    {
        Deliveries d;
        d.store.execute(u"BEGIN"_s);
        for (int i = 0; i < DeliveryMatrix::kEvents + 5; ++i)
            d.event(u"e%1"_s.arg(i), u"order.made"_s);
        for (int i = 0; i < DeliveryMatrix::kEndpoints + 10; ++i)
            d.delivery(u"e104"_s, u"p%1"_s.arg(i, 3, 10, QLatin1Char('0')), u"delivered"_s);
        d.delivery(u"e104"_s, u"zzz"_s, u"dead"_s);
        d.store.execute(u"COMMIT"_s);
        const DeliveryMatrix matrix = d.matrix();
        QCOMPARE(matrix.events.size(), DeliveryMatrix::kEvents);
        QVERIFY(matrix.moreEvents);
        QCOMPARE(matrix.endpoints.size(), DeliveryMatrix::kEndpoints);
        QCOMPARE(matrix.endpointsLeftOut, 11);
        QCOMPARE(matrix.endpoints.last(), u"zzz"_s);
    }
};

QTEST_GUILESS_MAIN(MatrixReadingTest)
#include "matrix_reading_test.moc"
