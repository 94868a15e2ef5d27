#include "core/webhooks/delivery_plan.h"

#include "core/config/endpoint_schedule.h"

#include <QTest>

using namespace redrive;

Q_DECLARE_METATYPE(redrive::DeliveryStatus)
Q_DECLARE_METATYPE(redrive::HttpOutcome)

namespace {

constexpr qint64 kNow = 1'900'000'000'000;

HttpOutcome answeredWith(int status, std::optional<QByteArray> retryAfter = std::nullopt)
{
    HttpOutcome outcome;
    outcome.outcome = HttpOutcome::Class::Answered;
    outcome.status = status;
    outcome.retryAfter = std::move(retryAfter);
    return outcome;
}

HttpOutcome brokenWith(const char* code, bool permanent = false)
{
    HttpOutcome outcome;
    outcome.errorCode = QString::fromLatin1(code);
    outcome.errorText = u"words"_s;
    outcome.permanent = permanent;
    return outcome;
}

DeliveryTerms termsWith(int spent, int budget)
{
    DeliveryTerms terms;
    terms.spent = spent;
    terms.budget = budget;
    return terms;
}

DeliveryTerms replayTerms(DeliveryStatus resume, std::optional<qint64> resumeAtMs)
{
    DeliveryTerms terms = termsWith(2, 4);
    terms.replayOf = 2;
    terms.resumeStatus = resume;
    terms.resumeAtMs = resumeAtMs;
    return terms;
}

} // namespace

class DeliveryPlanTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void failureDecides_data();
    void failureDecides();
    void deadlineIsTheLaterOfScheduleAndAsked_data();
    void deadlineIsTheLaterOfScheduleAndAsked();
    void endpointScheduleReplacesTheBackoff();
    void saysWhyTheNextAttemptIsThen_data();
    void saysWhyTheNextAttemptIsThen();
    void retryDelayOfTheQueueIsTheBase();
    void failedReplayLeavesTheScheduleAlone();
    void failedReplayOfADeliveredOneChangesNothing();
    void replayWithAFreshBudgetCounts();
    void cancelledSpendsNothing();
};

void DeliveryPlanTest::failureDecides_data()
{
    QTest::addColumn<HttpOutcome>("outcome");
    QTest::addColumn<int>("spent");
    QTest::addColumn<DeliveryStatus>("status");
    QTest::addColumn<QString>("reason");
    QTest::addColumn<QString>("error");
    using S = DeliveryStatus;
    QTest::newRow("500") << answeredWith(500) << 0 << S::Failed << u"retry"_s << u"HTTP 500"_s;
    QTest::newRow("404 may be mended") << answeredWith(404) << 0 << S::Failed << u"retry"_s << u"HTTP 404"_s;
    QTest::newRow("302") << answeredWith(302) << 0 << S::Failed << u"retry"_s
                         << u"HTTP 302: redirects are not followed"_s;
    QTest::newRow("last of the budget")
        << answeredWith(500) << 3 << S::Dead << u"retries_used_up"_s << u"HTTP 500"_s;
    QTest::newRow("410") << answeredWith(410) << 0 << S::Dead << u"gone"_s << u"HTTP 410"_s;
    QTest::newRow("refused target") << brokenWith("blocked", true) << 0 << S::Dead << u"target_refused"_s
                                    << u"words"_s;
    QTest::newRow("unusable request")
        << brokenWith("invalid_request", true) << 0 << S::Dead << u"permanent"_s << u"words"_s;
    QTest::newRow("connection refused")
        << brokenWith("refused") << 2 << S::Failed << u"retry"_s << u"words"_s;
}

void DeliveryPlanTest::failureDecides()
{
    QFETCH(HttpOutcome, outcome);
    QFETCH(int, spent);
    QFETCH(DeliveryStatus, status);
    const DeliveryPlan plan = planFailed(outcome, termsWith(spent, 4), {}, {}, kNow, 0);
    QCOMPARE(plan.settlement.status, status);
    QTEST(plan.settlement.reason, "reason");
    QTEST(plan.settlement.error, "error");
    QCOMPARE(plan.settlement.spentNow, 1);
    QCOMPARE(plan.settlement.dueAtMs.has_value(), status == DeliveryStatus::Failed);
    QCOMPARE(plan.disableEndpoint, outcome.status == 410);
    QVERIFY(!plan.nextReason.isEmpty());
}

void DeliveryPlanTest::deadlineIsTheLaterOfScheduleAndAsked_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("asked");
    QTest::addColumn<qint64>("waitMs");
    QTest::addColumn<qint64>("pauseMs"); // 0: none
    QTest::newRow("later") << 429 << QByteArray("120") << 120'000LL << 120'000LL;
    QTest::newRow("earlier") << 503 << QByteArray("3") << 10'000LL << 3'000LL;
    QTest::newRow("now") << 429 << QByteArray("0") << 10'000LL << 0LL;
    QTest::newRow("no number") << 429 << QByteArray("abc") << 10'000LL << 0LL;
    QTest::newRow("capped") << 503 << QByteArray("99999999") << 86'400'000LL << 86'400'000LL;
    QTest::newRow("other status") << 500 << QByteArray("120") << 10'000LL << 0LL;
}

void DeliveryPlanTest::deadlineIsTheLaterOfScheduleAndAsked()
{
    QFETCH(int, status);
    QFETCH(QByteArray, asked);
    QFETCH(qint64, waitMs);
    QFETCH(qint64, pauseMs);
    const DeliveryPlan plan = planFailed(answeredWith(status, asked), termsWith(0, 4), {}, {}, kNow, 0);
    QCOMPARE(*plan.settlement.dueAtMs, kNow + waitMs);
    QCOMPARE(plan.pauseUntilMs.value_or(kNow) - kNow, pauseMs);
    QCOMPARE(plan.badRetryAfter, asked == "abc");
    QCOMPARE(plan.settlement.reason, waitMs > 10'000 ? u"retry_after"_s : u"retry"_s);
}

void DeliveryPlanTest::endpointScheduleReplacesTheBackoff()
{
    const QList<qint64> schedule{5'000, 60'000, 1'500};
    for (const auto& [spent, waitMs] : {std::pair(0, 5'000), {1, 60'000}, {2, 1'500}, {7, 1'500}}) {
        const auto waits = [&, spent = spent](double random) {
            return *planFailed(answeredWith(500), termsWith(spent, 100), schedule, {}, kNow, random)
                        .settlement.dueAtMs -
                   kNow;
        };
        QCOMPARE(waits(0), waitMs);
        QCOMPARE(waits(1), waitMs + waitMs / 10);
    }
}

void DeliveryPlanTest::saysWhyTheNextAttemptIsThen_data()
{
    QTest::addColumn<QList<qint64>>("schedule");
    QTest::addColumn<int>("spent");
    QTest::addColumn<QByteArray>("asked");
    QTest::addColumn<QString>("words");
    const QList<qint64> standard = *namedSchedule(u"standard");
    QTest::newRow("backoff") << QList<qint64>{} << 0 << QByteArray()
                             << u"10 s step + 0.393 s jitter after failure 1 of 10"_s;
    QTest::newRow("at the cap") << QList<qint64>{} << 8 << QByteArray()
                                << u"5 m step + 11.8 s jitter after failure 9 of 10"_s;
    QTest::newRow("minutes") << standard << 2 << QByteArray()
                             << u"30 m step + 71 s jitter after failure 3 of 10"_s;
    QTest::newRow("hours") << standard << 8 << QByteArray()
                           << u"24 h step + 3398 s jitter after failure 9 of 10"_s;
    QTest::newRow("at once") << QList<qint64>{0} << 0 << QByteArray() << u"0 s step after failure 1 of 10"_s;
    QTest::newRow("odd") << QList<qint64>{90'000} << 0 << QByteArray()
                         << u"90 s step + 3.5 s jitter after failure 1 of 10"_s;
    QTest::newRow("asked") << QList<qint64>{} << 0 << QByteArray("120") << u"asked to wait 120 s"_s;
    QTest::newRow("asked for less") << standard << 2 << QByteArray("3")
                                    << u"30 m step + 71 s jitter after failure 3 of 10"_s;
}

void DeliveryPlanTest::saysWhyTheNextAttemptIsThen()
{
    QFETCH(QList<qint64>, schedule);
    QFETCH(int, spent);
    QFETCH(QByteArray, asked);
    const auto outcome = answeredWith(503, asked.isEmpty() ? std::nullopt : std::optional(asked));
    QTEST(planFailed(outcome, termsWith(spent, 10), schedule, {}, kNow, 0.3933).nextReason, "words");
}

void DeliveryPlanTest::retryDelayOfTheQueueIsTheBase()
{
    DeliveryTerms terms = termsWith(2, 10);
    terms.retryBaseMs = 2'000;
    QCOMPARE(*planFailed(answeredWith(500), terms, {}, {}, kNow, 0).settlement.dueAtMs, kNow + 8'000);
    QCOMPARE(*planFailed(answeredWith(500), terms, {}, {}, kNow, 1).settlement.dueAtMs, kNow + 8'800);
}

void DeliveryPlanTest::failedReplayLeavesTheScheduleAlone()
{
    const DeliveryTerms terms = replayTerms(DeliveryStatus::Failed, kNow + 77'000);
    const DeliveryPlan plan = planFailed(answeredWith(500), terms, {}, {}, kNow, 0);
    QCOMPARE(plan.settlement.status, DeliveryStatus::Failed);
    QCOMPARE(*plan.settlement.dueAtMs, kNow + 77'000);
    QCOMPARE(plan.settlement.spentNow, 0);
    QVERIFY(!plan.settlement.replayOf && !plan.settlement.resumeStatus);

    const DeliveryPlan gone = planFailed(answeredWith(410), terms, {}, {}, kNow, 0);
    QCOMPARE(gone.settlement.status, DeliveryStatus::Dead);
    QVERIFY(gone.disableEndpoint);
}

void DeliveryPlanTest::failedReplayOfADeliveredOneChangesNothing()
{
    for (const HttpOutcome& outcome : {answeredWith(500), answeredWith(410), brokenWith("blocked", true)}) {
        const DeliveryPlan plan =
            planFailed(outcome, replayTerms(DeliveryStatus::Delivered, {}), {}, {}, kNow, 0);
        QCOMPARE(plan.settlement.status, DeliveryStatus::Delivered);
        QVERIFY(!plan.settlement.dueAtMs);
        QVERIFY(plan.settlement.error.isEmpty());
        QCOMPARE(plan.attemptOutcome, u"failed"_s);
    }
}

void DeliveryPlanTest::replayWithAFreshBudgetCounts()
{
    DeliveryTerms terms = termsWith(0, 1);
    terms.replayOf = 4;
    const DeliveryPlan plan = planFailed(answeredWith(500), terms, {}, {}, kNow, 0);
    QCOMPARE(plan.settlement.status, DeliveryStatus::Dead);
    QCOMPARE(plan.settlement.reason, u"retries_used_up"_s);
}

void DeliveryPlanTest::cancelledSpendsNothing()
{
    const DeliveryTerms terms = replayTerms(DeliveryStatus::Failed, kNow + 77'000);
    const DeliveryPlan plan = planFailed(brokenWith("cancelled"), terms, {}, {}, kNow, 0);
    QCOMPARE(plan.settlement.status, DeliveryStatus::Pending);
    QCOMPARE(*plan.settlement.dueAtMs, kNow);
    QCOMPARE(plan.settlement.spentNow, 0);
    QCOMPARE(plan.settlement.replayOf, terms.replayOf);
    QCOMPARE(plan.settlement.resumeStatus, terms.resumeStatus);
    QCOMPARE(plan.settlement.resumeAtMs, terms.resumeAtMs);
    QCOMPARE(plan.attemptOutcome, u"cancelled"_s);
}

QTEST_APPLESS_MAIN(DeliveryPlanTest)
#include "delivery_plan_test.moc"
