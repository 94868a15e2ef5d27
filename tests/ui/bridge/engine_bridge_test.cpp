#include "tests/support/manual_clock.h"
#include "tests/ui/support/fake_engine.h"
#include "ui/bridge/engine_bridge.h"
#include "ui/bridge/latest.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>
#include <QThread>

#include <numeric>

using namespace redrive;
using redrive::test::FakeEngine;

Q_DECLARE_METATYPE(redrive::ChangeSet)

namespace {

ChangeSet jobChange(const QString& id)
{
    ChangeSet changes;
    changes.jobs = true;
    changes.touch(id);
    return changes;
}

} // namespace

class EngineBridgeTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void answersComeInTheWindowThread()
    {
        FakeEngine engine;
        EngineBridge bridge(engine, m_clock);
        QThread* answeredIn = nullptr;
        QString id;
        bridge.submit(this, {u"echo"_s, "{}", 0}, [&](Result<QString> result) {
            answeredIn = QThread::currentThread();
            id = *result;
        });
        QTRY_VERIFY(answeredIn);
        QCOMPARE(answeredIn, thread());
        QVERIFY(!id.isEmpty());
    }

    void answersForGoneObjectsAreDropped()
    {
        FakeEngine engine;
        EngineBridge bridge(engine, m_clock);
        QTRY_VERIFY(bridge.counts());
        engine.hold();
        bool dropped = true;
        bool last = false;
        {
            QObject context;
            bridge.jobDetail(&context, u"x"_s, [&](const Result<JobDetail>&) { dropped = false; });
        }
        bridge.jobDetail(this, u"x"_s, [&](const Result<JobDetail>&) { last = true; });
        engine.release();
        QTRY_VERIFY(last);
        QVERIFY(dropped);
    }

    void answersAfterTheBridgeAreDropped()
    {
        FakeEngine engine;
        {
            EngineBridge bridge(engine, m_clock);
            QTRY_VERIFY(bridge.counts());
            engine.hold();
            bridge.jobDetail(this, u"x"_s, [&](const Result<JobDetail>&) { QFAIL("answered"); });
            engine.announce(jobChange(u"a"_s));
        }
        QCOMPARE(engine.subscribers(), 0);
        engine.release();
        QTest::qWait(50);
    }

    void slicesComeInOrder()
    {
        FakeEngine engine;
        std::vector<qint64> keys(2500);
        std::iota(keys.begin(), keys.end(), 1);
        engine.setKeys(ListKind::Jobs, keys);
        EngineBridge bridge(engine, m_clock);
        std::vector<qint64> got;
        bool last = false;
        bridge.openList(this, u"a"_s, {}, [&](Result<ListSlice> slice) {
            QCOMPARE(slice->first, got.empty());
            got.insert(got.end(), slice->keys.begin(), slice->keys.end());
            last = slice->last;
        });
        QTRY_VERIFY(last);
        QCOMPARE(got, keys);
    }

    void changesAreMergedTenTimesASecond()
    {
        FakeEngine engine;
        EngineBridge bridge(engine, m_clock);
        QSignalSpy spy(&bridge, &EngineBridge::changed);
        QElapsedTimer took;
        took.start();
        ChangeSet merged;
        connect(&bridge, &EngineBridge::changed, this,
                [&](const ChangeSet& changes) { merged.merge(changes); });
        for (int i = 0; i < 300; ++i)
            engine.announce(jobChange(QString::number(i)));
        QTRY_COMPARE(merged.ids.size(), 300);
        QVERIFY(spy.count() <= took.elapsed() / ChangeGate::kIntervalMs + 1);
        // The next one comes by itself, not before the pause is over.
        engine.announce(jobChange(u"x"_s));
        QTRY_VERIFY(merged.ids.contains(u"x"_s));
    }

    void countsAreAskedOnceAndThenAfterAPause()
    {
        FakeEngine engine;
        StoreCounts counts;
        counts.deadLetters = 3;
        engine.setCounts(counts);
        EngineBridge bridge(engine, m_clock);
        QSignalSpy spy(&bridge, &EngineBridge::countsChanged);
        QTRY_COMPARE(spy.count(), 1);
        QCOMPARE(bridge.counts()->deadLetters, 3);
        for (int i = 0; i < 5; ++i) {
            engine.announce(jobChange(QString::number(i)));
            QTest::qWait(30);
        }
        QCOMPARE(engine.countsAsked(), 1);
        counts.deadLetters = 4;
        engine.setCounts(counts);
        QTRY_COMPARE_WITH_TIMEOUT(spy.count(), 2, 2 * EngineBridge::kCountsIntervalMs);
        QCOMPARE(bridge.counts()->deadLetters, 4);
    }

    void storeProblemsAreToldOnceAndWhenOver()
    {
        FakeEngine engine;
        EngineBridge bridge(engine, m_clock);
        QTRY_VERIFY(bridge.counts());
        QSignalSpy spy(&bridge, &EngineBridge::connectionProblem);
        engine.setListError(Error{ErrorKind::Busy, u"The database is locked"_s, {}, {}});
        int answers = 0;
        const auto ask = [&] {
            bridge.openList(this, u"a"_s, {}, [&](const Result<ListSlice>&) { ++answers; });
        };
        ask();
        ask();
        QTRY_COMPARE(answers, 2);
        QCOMPARE(spy.count(), 1);
        QCOMPARE(spy.at(0).at(0).toString(), u"The database is locked"_s);
        engine.setListError({});
        ask();
        QTRY_COMPARE(answers, 3);
        QCOMPARE(spy.count(), 2);
        QVERIFY(spy.at(1).at(0).toString().isEmpty());
    }

    void aRefusedQuestionIsNoStoreProblem()
    {
        FakeEngine engine;
        EngineBridge bridge(engine, m_clock);
        engine.setListError(Error{ErrorKind::InvalidInput, u"'3x' is not a duration"_s, {}, {}});
        bool answered = false;
        bridge.openList(this, u"a"_s, {}, [&](const Result<ListSlice>&) { answered = true; });
        QTRY_VERIFY(answered);
        QVERIFY(bridge.problem().isEmpty());
    }

    void aStoppedEngineIsAProblem()
    {
        FakeEngine engine;
        EngineBridge bridge(engine, m_clock);
        QSignalSpy spy(&bridge, &EngineBridge::connectionProblem);
        EngineHealth health;
        health.problems = {u"disk full"_s};
        engine.setHealth(health);
        bridge.refresh();
        QCOMPARE(spy.count(), 1);
        QVERIFY(spy.at(0).at(0).toString().contains(u"disk full"_s));
    }

    void onlyTheLatestQuestionIsAnswered()
    {
        Latest latest;
        QString heard;
        auto first = latest.guard([&](const QString& text) { heard += text; });
        auto second = latest.guard([&](const QString& text) { heard += text; });
        first(u"a"_s);
        second(u"b"_s);
        latest.cancel();
        second(u"c"_s);
        QCOMPARE(heard, u"b"_s);
    }

private:
    SystemClock m_clock;
};

QTEST_GUILESS_MAIN(EngineBridgeTest)
#include "engine_bridge_test.moc"
