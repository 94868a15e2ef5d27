#include "core/domain/endpoint.h"

#include "core/base/result.h"

#include <QTest>

using namespace redrive;

class EndpointTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void nothingIsNoRate()
    {
        const EndpointFigures figures;
        QVERIFY(!figures.successRate());
        QVERIFY(!figures.withinMs(0.5));
    }

    void countsByClass()
    {
        EndpointFigures figures;
        for (const qint64 us : {0, 5'000, 5'001, 10'000, 29'999'999, 90'000'000})
            figures.count(true, us);
        figures.count(false, {});
        QCOMPARE(figures.attempts, 7);
        QCOMPARE(figures.delivered, 6);
        QCOMPARE(figures.answeredTotal(), 6);
        QCOMPARE(figures.answered.front(), 2);
        QCOMPARE(figures.answered[1], 2);
        QCOMPARE(figures.answered.back(), 2);
        QCOMPARE(figures.withinMs(0), std::optional<qint64>(5));
        QCOMPARE(figures.withinMs(0.5), std::optional<qint64>(10));
        QCOMPARE(figures.withinMs(1), std::optional<qint64>(30'000));
    }
};

QTEST_GUILESS_MAIN(EndpointTest)
#include "endpoint_test.moc"
