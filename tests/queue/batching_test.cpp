#include "tests/support/queue_rig.h"

#include <QTest>

using namespace redrive;
using namespace redrive::test;
using namespace Qt::Literals::StringLiterals;

namespace {

Settings withConsumers(QList<ConsumerSettings> consumers)
{
    Settings settings;
    settings.consumers = std::move(consumers);
    settings.jobsQueue = settings.consumers.first().queue;
    return settings;
}

HandlerEnd retryEverything(const QList<WaitingMessage>&, Settlement& settlement)
{
    settlement.retryAll();
    return HandlerEnd::Returned;
}

} // namespace

class BatchingTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void oneMessageWaitsForTheTimeout()
    {
        QueueRig rig(withConsumers({consumerOf(u"q"_s)}));
        rig.handle(u"q"_s);
        rig.send(u"q"_s, {u"a"_s});
        rig.pass(999);
        QCOMPARE(rig.batches.size(), 0);
        rig.pass(1);
        QCOMPARE(rig.batches.size(), 1);
        QCOMPARE(rig.batches[0].bodies, QStringList{u"a"_s});
    }

    void messagesWithinTheTimeoutShareOneBatchInOrder()
    {
        QueueRig rig(withConsumers({consumerOf(u"q"_s)}));
        rig.handle(u"q"_s);
        rig.send(u"q"_s, {u"1"_s});
        rig.pass(300);
        rig.send(u"q"_s, {u"2"_s, u"3"_s});
        rig.pass(300);
        rig.send(u"q"_s, {u"4"_s});
        rig.pass(399);
        QCOMPARE(rig.batches.size(), 0);
        rig.pass(1);
        QCOMPARE(rig.batches.size(), 1);
        QCOMPARE(rig.batches[0].bodies, (QStringList{u"1"_s, u"2"_s, u"3"_s, u"4"_s}));
    }

    void aFullBatchGoesAtOnce()
    {
        QueueRig rig(withConsumers({consumerOf(u"q"_s)}));
        rig.handle(u"q"_s);
        rig.send(u"q"_s, {u"1"_s, u"2"_s, u"3"_s, u"4"_s, u"5"_s});
        QCOMPARE(rig.batches.size(), 1);
        QCOMPARE(rig.batches[0].bodies.size(), 5);
    }

    void whatIsLeftOverWaitsItsOwnTimeout()
    {
        QueueRig rig(withConsumers({consumerOf(u"q"_s)}));
        rig.handle(u"q"_s);
        rig.pass(500);
        rig.send(u"q"_s, {u"1"_s, u"2"_s, u"3"_s, u"4"_s, u"5"_s, u"6"_s, u"7"_s});
        QCOMPARE(rig.batches.size(), 1);
        rig.pass(999);
        QCOMPARE(rig.batches.size(), 1);
        rig.pass(1);
        QCOMPARE(rig.batches.size(), 2);
        QCOMPARE(rig.batches[1].bodies, (QStringList{u"6"_s, u"7"_s}));
    }

    void manyMessagesMakeBatchesOfTheSize()
    {
        QueueRig rig(withConsumers({consumerOf(u"q"_s, 10, 5'000)}));
        rig.handle(u"q"_s);
        QStringList bodies;
        for (int i = 0; i < 75; ++i)
            bodies.append(QString::number(i));
        rig.send(u"q"_s, bodies);
        rig.send(u"q"_s, bodies);
        QCOMPARE(rig.batches.size(), 15);
        for (const SeenBatch& batch : rig.batches)
            QCOMPARE(batch.bodies.size(), 10);
    }

    void waitsForAConsumerThatComesLater()
    {
        TestStore store;
        {
            Settings producer;
            producer.jobsQueue = u"q"_s;
            QueueRig rig(producer, &store);
            rig.send(u"q"_s, {u"early"_s});
            rig.pass(60'000);
        }
        QueueRig rig(withConsumers({consumerOf(u"q"_s)}), &store);
        rig.handle(u"q"_s);
        rig.pass(1'000);
        QCOMPARE(rig.batches.size(), 1);
        QCOMPARE(rig.batches[0].bodies, QStringList{u"early"_s});
    }

    void aRetriedMessageComesAlone()
    {
        QueueRig rig(withConsumers({consumerOf(u"q"_s)}));
        bool first = true;
        rig.handle(u"q"_s, [&first](const QList<WaitingMessage>&, Settlement& settlement) {
            if (std::exchange(first, false))
                settlement.retry(1);
            return HandlerEnd::Returned;
        });
        rig.send(u"q"_s, {u"a"_s, u"b"_s, u"c"_s});
        rig.pass(60'000);
        QCOMPARE(rig.batches.size(), 2);
        QCOMPARE(rig.batches[1].bodies, QStringList{u"b"_s});
        QCOMPARE(rig.batches[1].attempts, QList<int>{2});
    }

    void retryAllAndAFailingHandlerRedeliverTheSame_data()
    {
        QTest::addColumn<bool>("fails");
        QTest::newRow("retryAll") << false;
        QTest::newRow("fails") << true;
    }
    void retryAllAndAFailingHandlerRedeliverTheSame()
    {
        QFETCH(bool, fails);
        QueueRig rig(withConsumers({consumerOf(u"q"_s)}));
        rig.handle(u"q"_s, [fails](const QList<WaitingMessage>& messages, Settlement& settlement) {
            if (messages[0].attempts > 0)
                return HandlerEnd::Returned;
            if (!fails)
                settlement.retryAll();
            return fails ? HandlerEnd::Failed : HandlerEnd::Returned;
        });
        rig.send(u"q"_s, {u"a"_s, u"b"_s, u"c"_s});
        rig.pass(10'000);
        QCOMPARE(rig.batches.size(), 2);
        QCOMPARE(rig.batches[1].bodies, rig.batches[0].bodies);
        QCOMPARE(rig.batches[1].ids, rig.batches[0].ids);
        QCOMPARE(rig.batches[1].attempts, (QList<int>{2, 2, 2}));
    }

    void aFailingHandlerKeepsItsAcks()
    {
        QueueRig rig(withConsumers({consumerOf(u"q"_s)}));
        bool first = true;
        rig.handle(u"q"_s, [&first](const QList<WaitingMessage>&, Settlement& settlement) {
            if (!std::exchange(first, false))
                return HandlerEnd::Returned;
            settlement.ack(0);
            settlement.ack(1);
            return HandlerEnd::Failed;
        });
        rig.send(u"q"_s, {u"1"_s, u"2"_s, u"3"_s, u"4"_s, u"5"_s});
        rig.pass(10'000);
        QCOMPARE(rig.batches.size(), 2);
        QCOMPARE(rig.batches[1].bodies, (QStringList{u"3"_s, u"4"_s, u"5"_s}));
        QCOMPARE(rig.batches[1].attempts, (QList<int>{2, 2, 2}));
    }

    void maxRetriesTwoMeansThreeDeliveries()
    {
        QueueRig rig(withConsumers({consumerOf(u"q"_s)}));
        rig.handle(u"q"_s, retryEverything);
        rig.send(u"q"_s, {u"a"_s});
        rig.pass(600'000);
        QCOMPARE(rig.batches.size(), 3);
        QCOMPARE(rig.batches.last().attempts, QList<int>{3});
        QCOMPARE(rig.store().number(u"SELECT count(*) FROM messages"_s), 0);
        QCOMPARE(rig.counters.dropped.load(), 1u);
    }

    void deadLettersComeInOrderWithTheirIdsAndFreshAttempts()
    {
        QueueRig rig(
            withConsumers({consumerOf(u"q"_s, 5, 1'000, 0, u"dlq"_s), consumerOf(u"dlq"_s, 5, 2'000)}));
        rig.handle(u"q"_s, [](const QList<WaitingMessage>&, Settlement& settlement) {
            settlement.retry(0);
            settlement.retry(2);
            return HandlerEnd::Returned;
        });
        rig.handle(u"dlq"_s);
        const QStringList ids = rig.send(u"q"_s, {u"a"_s, u"b"_s, u"c"_s});
        rig.pass(10'000);
        QCOMPARE(rig.batches.size(), 2);
        QCOMPARE(rig.batches[1].queue, u"dlq"_s);
        QCOMPARE(rig.batches[1].bodies, (QStringList{u"a"_s, u"c"_s}));
        QCOMPARE(rig.batches[1].ids, (QStringList{ids[0], ids[2]}));
        QCOMPARE(rig.batches[1].attempts, (QList<int>{1, 1}));
        QCOMPARE(rig.store().number(u"SELECT count(*) FROM dead_letters WHERE state = 'open'"_s), 2);
    }

    void aCycleOfDeadLetterQueuesKeepsTheId()
    {
        QueueRig rig(
            withConsumers({consumerOf(u"a"_s, 1, 0, 0, u"b"_s), consumerOf(u"b"_s, 1, 0, 0, u"a"_s)}));
        int deliveries = 0;
        const auto script = [&deliveries](const QList<WaitingMessage>&, Settlement& settlement) {
            if (++deliveries < 6)
                settlement.retryAll();
            return HandlerEnd::Returned;
        };
        rig.handle(u"a"_s, script);
        rig.handle(u"b"_s, script);
        const QStringList ids = rig.send(u"a"_s, {u"x"_s});
        rig.pass(1'000);
        QCOMPARE(rig.batches.size(), 6);
        for (int i = 0; i < 6; ++i) {
            QCOMPARE(rig.batches[i].queue, i % 2 == 0 ? u"a"_s : u"b"_s);
            QCOMPARE(rig.batches[i].ids, ids);
        }
    }

    void twoQueuesWithTheirOwnSettings()
    {
        QueueRig rig(withConsumers({consumerOf(u"slow"_s, 5, 3'000), consumerOf(u"fast"_s, 1, 0)}));
        rig.handle(u"slow"_s);
        rig.handle(u"fast"_s);
        rig.send(u"slow"_s, {u"s"_s});
        rig.send(u"fast"_s, {u"f"_s});
        QCOMPARE(rig.batches.size(), 1);
        QCOMPARE(rig.batches[0].queue, u"fast"_s);
        rig.pass(3'000);
        QCOMPARE(rig.batches.size(), 2);
    }

    void queueNamesMayHoldSlashesAndSpaces()
    {
        const QString queue = u"my/ Queue"_s;
        QueueRig rig(withConsumers({consumerOf(queue, 1, 0)}));
        rig.handle(queue);
        rig.send(queue, {u"x"_s});
        QCOMPARE(rig.batches.size(), 1);
    }

    void bodiesOfEveryContentTypeComeBackEqual()
    {
        QueueRig rig(withConsumers({consumerOf(u"q"_s, 3, 1'000)}));
        QList<WaitingMessage> seen;
        rig.handle(u"q"_s, [&seen](const QList<WaitingMessage>& messages, Settlement&) {
            seen = messages;
            return HandlerEnd::Returned;
        });
        const QByteArray bytes("\x00\xff\x80 raw", 8);
        const QByteArray json(R"({"b":9007199254740993,"a":"\u00e9"})");
        const QByteArray text("gr\xc3\xbc\xc3\x9f dich \xf0\x9f\x90\x99");
        QVERIFY(rig.trySend(
            u"q"_s,
            {{text, ContentType::Text, {}}, {json, ContentType::Json, {}}, {bytes, ContentType::Bytes, {}}}));
        QCOMPARE(seen.size(), 3);
        QCOMPARE(seen[0].body, text);
        QCOMPARE(seen[1].body, json);
        QCOMPARE(seen[2].body, bytes);
        QVERIFY(seen[2].contentType == ContentType::Bytes);
    }

    void limitsNameBothNumbers()
    {
        QueueRig rig(withConsumers({consumerOf(u"q"_s, 100, 0)}));
        const auto body = [](int bytes) {
            return OutgoingMessage{QByteArray(bytes, 'x'), ContentType::Text, {}};
        };
        QVERIFY(rig.trySend(u"q"_s, {body(128'000)}));
        const auto tooLarge = rig.trySend(u"q"_s, {body(128'001)});
        QVERIFY(!tooLarge);
        QVERIFY(tooLarge.error().message.contains(u"128000") && tooLarge.error().message.contains(u"128001"));
        QVERIFY(rig.trySend(u"q"_s, QList<OutgoingMessage>(100, body(1))));
        QVERIFY(!rig.trySend(u"q"_s, QList<OutgoingMessage>(101, body(1))));
        QVERIFY(rig.trySend(u"q"_s, QList<OutgoingMessage>(2, body(128'000))));
        const auto together = rig.trySend(u"q"_s, {body(128'000), body(127'999), body(2)});
        QVERIFY(!together);
        QVERIFY(together.error().message.contains(u"256000") && together.error().message.contains(u"256001"));
    }

    void delaysAreHonoured()
    {
        QueueRig rig(withConsumers({consumerOf(u"q"_s, 5, 0)}));
        rig.handle(u"q"_s);
        QList<OutgoingMessage> messages;
        for (int i = 1; i <= 10; ++i)
            messages.append({QByteArray::number(i), ContentType::Text, i * 1'000});
        QVERIFY(rig.trySend(u"q"_s, messages));
        for (int i = 1; i <= 10; ++i) {
            rig.pass(999);
            QCOMPARE(rig.batches.size(), i - 1);
            rig.pass(1);
            QCOMPARE(rig.batches.size(), i);
        }
    }

    void theMessagesOwnDelayWinsThenTheCallsThenTheQueues()
    {
        QueueRig rig(withConsumers({consumerOf(u"q"_s, 5, 0)}));
        rig.handle(u"q"_s);
        QVERIFY(rig.trySend(u"q"_s,
                            {{"own", ContentType::Text, 1'000},
                             {"call", ContentType::Text, {}},
                             {"now", ContentType::Text, 0}},
                            3'000, 9'000));
        QCOMPARE(rig.batches.size(), 1);
        QCOMPARE(rig.batches[0].bodies, QStringList{u"now"_s});
        rig.pass(1'000);
        QCOMPARE(rig.batches[1].bodies, QStringList{u"own"_s});
        rig.pass(1'999);
        QCOMPARE(rig.batches.size(), 2);
        rig.pass(1);
        QCOMPARE(rig.batches[2].bodies, QStringList{u"call"_s});
        QVERIFY(rig.trySend(u"q"_s, {{"queue", ContentType::Text, {}}}, {}, 2'000));
        rig.pass(1'999);
        QCOMPARE(rig.batches.size(), 3);
        rig.pass(1);
        QCOMPARE(rig.batches.size(), 4);
        QVERIFY(rig.trySend(u"q"_s, {{"zero", ContentType::Text, {}}}, 0, 2'000));
        QCOMPARE(rig.batches.size(), 5);
    }

    void badDelaysStoreNothing()
    {
        QueueRig rig(withConsumers({consumerOf(u"q"_s, 5, 0)}));
        for (const qint64 delay : {qint64(-1), qint64(86'400'001)}) {
            QVERIFY(!rig.trySend(u"q"_s, {{"x", ContentType::Text, delay}}));
            QVERIFY(!rig.trySend(u"q"_s, {{"x", ContentType::Text, {}}, {"y", ContentType::Text, delay}}));
            QVERIFY(!rig.trySend(u"q"_s, {{"x", ContentType::Text, {}}}, delay));
        }
        QCOMPARE(rig.store().number(u"SELECT count(*) FROM messages"_s), 0);
        QVERIFY(rig.trySend(u"q"_s, {{"x", ContentType::Text, 86'400'000}}));
    }

    void retryDelaySpacesTheDeliveries()
    {
        ConsumerSettings queue = consumerOf(u"q"_s, 5, 0, 2);
        queue.retryDelayMs = 5'000;
        QueueRig rig(withConsumers({queue}));
        rig.handle(u"q"_s, retryEverything);
        rig.send(u"q"_s, {u"a"_s});
        rig.pass(60'000);
        QCOMPARE(rig.batches.size(), 3);
        QCOMPARE(rig.batches[1].atMs - rig.batches[0].atMs, 5'000);
        QCOMPARE(rig.batches[2].atMs - rig.batches[1].atMs, 5'000);
    }

    void aMessageOfTheLargestSizeMovesToTheDeadLetterQueue()
    {
        QueueRig rig(withConsumers({consumerOf(u"q"_s, 5, 0, 0, u"dlq"_s)}));
        rig.handle(u"q"_s, retryEverything);
        QVERIFY(rig.trySend(u"q"_s, {{QByteArray(128'000, 'x'), ContentType::Text, {}}}));
        QCOMPARE(rig.store().number(u"SELECT length(body) FROM messages WHERE queue = 'dlq'"_s), 128'000);
    }

    void urgentMessagesDoNotWait()
    {
        QueueRig rig(withConsumers({consumerOf(u"q"_s, 5, 60'000)}));
        rig.handle(u"q"_s);
        rig.send(u"q"_s, {u"a"_s});
        rig.store().execute(u"UPDATE messages SET urgent = 1"_s);
        rig.consumer().lookAtAll();
        rig.settle();
        QCOMPARE(rig.batches.size(), 1);
    }

    void aPausedQueueKeepsEvenOverdueMessages()
    {
        QueueRig rig(withConsumers({consumerOf(u"q"_s, 5, 0)}));
        rig.handle(u"q"_s);
        rig.store().execute(u"INSERT INTO queues (name, paused_at_ms, created_at_ms) VALUES ('q', 1, 1)"_s);
        rig.send(u"q"_s, {u"a"_s});
        rig.send(u"q"_s, {u"b"_s}, 1'000);
        rig.pass(600'000);
        QCOMPARE(rig.batches.size(), 0);
        rig.store().execute(u"UPDATE queues SET paused_at_ms = NULL"_s);
        rig.consumer().lookAtAll();
        rig.settle();
        QCOMPARE(rig.batches.size(), 1);
        QCOMPARE(rig.batches[0].bodies, (QStringList{u"a"_s, u"b"_s}));
    }
};

QTEST_GUILESS_MAIN(BatchingTest)
#include "batching_test.moc"
