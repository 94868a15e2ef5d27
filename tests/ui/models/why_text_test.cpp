#include "core/domain/reason.h"
#include "ui/models/why_text.h"

#include <QTest>

using namespace redrive;

namespace {

constexpr qint64 kNow = 1'900'000'000'000; // 2030-03-17 17:46:40 UTC

} // namespace

class WhyTextTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void jobs_data()
    {
        QTest::addColumn<JobStatus>("status");
        QTest::addColumn<QString>("code");
        QTest::addColumn<qint64>("dueInMs"); // 0: none
        QTest::addColumn<QString>("sentence");
        const auto text = [](QLatin1String code) { return QString(code); };
        QTest::newRow("retry") << JobStatus::Pending << text(reason::kRetry) << qint64(42'000)
                               << u"Waiting: retry timer, 42 s left."_s;
        QTest::newRow("due") << JobStatus::Pending << text(reason::kRetry) << qint64(-1)
                             << u"Waiting: retry timer, due."_s;
        QTest::newRow("delayed") << JobStatus::Pending << text(reason::kDelayed) << qint64(90'000)
                                 << u"Waiting: sent with a delay, 1 min 30 s left."_s;
        QTest::newRow("free") << JobStatus::Pending << QString() << qint64(0)
                              << u"Waiting for a free worker."_s;
        QTest::newRow("no handler") << JobStatus::Pending << text(reason::kNoHandler) << qint64(0)
                                    << u"Waiting: nothing handles jobs of this type."_s;
        QTest::newRow("running") << JobStatus::Processing << QString() << qint64(0)
                                 << u"Running for 5 s, attempt 2 of 4."_s;
        QTest::newRow("used up") << JobStatus::Dead << text(reason::kRetriesUsedUp) << qint64(0)
                                 << u"Retries used up: 2 of 4 attempts failed."_s;
        QTest::newRow("permanent")
            << JobStatus::Dead << text(reason::kPermanent) << qint64(0)
            << u"Failed permanently at attempt 2 of 4: trying again would change nothing."_s;
        QTest::newRow("unknown code") << JobStatus::Dead << u"<b>new</b>"_s << qint64(0) << u"<b>new</b>."_s;
        QTest::newRow("expired")
            << JobStatus::Dead << text(reason::kExpired) << qint64(0)
            << u"Its message was older than its queue keeps them; it was not delivered."_s;
        QTest::newRow("purged") << JobStatus::Cancelled << text(reason::kPurged) << qint64(0)
                                << u"Cancelled: its queue was purged before it ran."_s;
        QTest::newRow("cancelled") << JobStatus::Cancelled << QString() << qint64(0)
                                   << u"Cancelled: it does not run any more."_s;
    }

    void jobs()
    {
        QFETCH(qint64, dueInMs);
        JobRow row;
        QFETCH(JobStatus, status);
        QFETCH(QString, code);
        row.status = status;
        row.reason = code;
        row.attempts = 2;
        row.maxAttempts = 4;
        row.updatedAtMs = kNow - 5000;
        if (dueInMs != 0)
            row.dueAtMs = kNow + dueInMs;
        QFETCH(QString, sentence);
        QCOMPARE(whyText(row, {kNow}), sentence);
    }

    void crashesAreToldApart()
    {
        JobRow row;
        row.status = JobStatus::Dead;
        row.reason = reason::kRetriesUsedUp;
        row.attempts = row.maxAttempts = 5; // of four deliveries, and one more for the crash
        row.crashes = 1;
        QCOMPARE(whyText(row, {kNow}), u"Retries used up: 4 of 4 attempts failed, 1 crashed."_s);
    }

    void editedVersionsNameEachOther()
    {
        JobRow former;
        former.status = JobStatus::Cancelled;
        QCOMPARE(whyText(former, {kNow}), u"Cancelled: it does not run any more."_s);
        former.reason = reason::kSuperseded;
        former.supersededBy = u"new"_s;
        QCOMPARE(whyText(former, {kNow}), u"Edited: new took its place."_s);
        JobRow later;
        later.reason = reason::kRequeued;
        later.parentId = u"old"_s;
        QCOMPARE(whyText(later, {kNow}), u"Waiting: edited version of old, begins when a worker is free."_s);
        LetterRow letter;
        letter.state = LetterState::Requeued;
        letter.changedAtMs = kNow;
        letter.supersededBy = u"new"_s;
        QCOMPARE(whyText(letter, {kNow}), u"Edited at 17:46:40: new took its place."_s);
    }

    void aFanOutSaysWhatBecameOfItsEndpoints()
    {
        JobRow row;
        row.status = JobStatus::Done;
        row.deliveries = 3;
        row.deliveriesDead = 1;
        QCOMPARE(whyText(row, {kNow}), u"Done: 2 of 3 endpoints delivered, 1 dead."_s);
        row.deliveriesOpen = 1;
        QCOMPARE(whyText(row, {kNow}), u"Done: 1 of 3 endpoints delivered, 1 under way, 1 dead."_s);
        row = {};
        row.status = JobStatus::Done;
        row.type = u"webhook_fanout"_s; // an event that nobody takes
        QCOMPARE(whyText(row, {kNow}), u"Done without deliveries: its result says whom the event was for."_s);
    }

    void thePausedQueueWins()
    {
        JobRow row;
        row.dueAtMs = kNow + 1000;
        QueueStats queue;
        queue.name = u"mail"_s;
        queue.hasConsumer = true;
        queue.paused = true;
        queue.pausedBy = u"anna"_s;
        queue.pausedAtMs = kNow - 60'000;
        QCOMPARE(whyText(row, {kNow, format::Zone::Utc, &queue}),
                 u"Waiting: queue mail is paused by anna since 17:45:40."_s);
        queue.paused = false;
        queue.hasConsumer = false;
        QCOMPARE(whyText(row, {kNow, format::Zone::Utc, &queue}), u"No live consumer for this queue."_s);
    }

    void deliveries()
    {
        DeliveryRow row;
        row.status = DeliveryStatus::Failed;
        row.dueAtMs = kNow + 42'000;
        row.attempts = 3;
        row.spent = 2;
        row.budget = 4;
        QCOMPARE(whyText(row, {kNow}), u"Waiting: retry timer, 42 s left. 2 of 4 attempts failed."_s);
        row.endpointId = u"acme"_s;
        row.breakerUntilMs = kNow + 50'000;
        QCOMPARE(whyText(row, {kNow}),
                 u"Waiting: endpoint acme breaker open, probes 17:47:30. 2 of 4 attempts failed."_s);
        row.breakerUntilMs = kNow + 41'000; // over before it is due
        QVERIFY(whyText(row, {kNow}).contains(u"retry timer"_s));
        row.status = DeliveryStatus::Pending;
        row.dueAtMs = kNow - 1'000;
        row.breakerUntilMs = kNow - 1;
        QCOMPARE(whyText(row, {kNow}),
                 u"Waiting: endpoint acme breaker open, a probe is next or under way."_s);
        row.breakerUntilMs.reset();
        row.pausedUntilMs = kNow + 10'000;
        QCOMPARE(whyText(row, {kNow}), u"Waiting: endpoint acme asked for a pause until 17:46:50."_s);
        row.pausedUntilMs.reset();
        row.reason = reason::kOffline;
        QVERIFY(whyText(row, {kNow}).contains(u"network"_s));
        row.status = DeliveryStatus::Dead;
        row.reason = reason::kGone;
        QCOMPARE(whyText(row, {kNow}), u"The endpoint answered 410 Gone and was disabled."_s);
        row.status = DeliveryStatus::Delivered;
        QCOMPARE(whyText(row, {kNow}), u"Delivered at attempt 3."_s);
    }

    void letters()
    {
        LetterRow row;
        row.reason = reason::kRetriesUsedUp;
        row.attempts = row.maxAttempts = 4;
        QCOMPARE(whyText(row, {kNow}), u"Retries used up: 4 of 4 attempts failed."_s);
        row.state = LetterState::Requeued;
        row.changedAtMs = kNow;
        QCOMPARE(whyText(row, {kNow}), u"Requeued at 17:46:40: no longer a dead letter."_s);
    }
};

QTEST_GUILESS_MAIN(WhyTextTest)
#include "why_text_test.moc"
