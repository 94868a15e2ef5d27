// Queues whose batches a program or a URL handles.
#include "core/jobs/outside_batch_handler.h"
#include "core/net/http_sender.h"
#include "tests/support/http_receiver.h"
#include "tests/support/queue_rig.h"

#include <QFile>
#include <QTest>

using namespace redrive;
using namespace redrive::test;
using namespace Qt::Literals::StringLiterals;

namespace {

Settings settingsOf(int retries = 2)
{
    Settings settings;
    settings.consumers = {consumerOf(u"mail"_s, 5, 1'000, retries, u"mail-dlq"_s)};
    return settings;
}

HandlerSettings command(const QString& script)
{
    HandlerSettings settings;
    settings.command = {u"/bin/sh"_s, u"-c"_s, script};
    settings.timeoutMs = 0; // the clock is moved by hand, programs run in real time
    return settings;
}

qint64 left(QueueRig& rig)
{
    return rig.store().number(u"SELECT count(*) FROM messages WHERE queue = 'mail'"_s);
}

} // namespace

class OutsideBatchTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void aProgramGetsTheBatchAndSettlesIt()
    {
        QTemporaryDir folder;
        const QString seen = folder.filePath(u"seen"_s);
        QueueRig rig(settingsOf());
        rig.handleOutside(u"mail"_s, std::make_shared<CommandBatchHandler>(
                                         command(u"tee -a %1 | grep -q '\"attempts\":1' || exit 0; "
                                                 "sed -n 's/.*\"id\":\"\\([^\"]*\\)\",[^}]*\"two\".*/"
                                                 "{\"retries\":[{\"id\":\"\\1\"}]}/p' %1"_s.arg(seen))));
        rig.send(u"mail"_s, {u"one"_s, u"two"_s, u"three"_s});
        rig.pass(1'000);
        QTRY_VERIFY((rig.settle(), left(rig) == 1));
        QCOMPARE(rig.store().text(u"SELECT CAST(body AS TEXT) || ' ' || attempts FROM messages"_s),
                 u"two 1"_s);
        rig.pass(1'000);
        QTRY_VERIFY((rig.settle(), left(rig) == 0));
        QFile file(seen);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray text = file.readAll();
        QCOMPARE(text.count("\"queue\":\"mail\""), 2);
        QVERIFY(text.contains("\"attempts\":2"));
    }

    void whatThrowsIsRetriedAndDies_data()
    {
        QTest::addColumn<QString>("script");
        QTest::addColumn<QString>("error");
        QTest::newRow("exit") << u"cat >/dev/null; echo no >&2; exit 3"_s << u"exit 3: no"_s;
        QTest::newRow("bad answer") << u"echo '[]'"_s
                                    << u"the answer to the batch is not usable: it must be an object"_s;
        QTest::newRow("signal") << u"kill -9 $$"_s << u"signal 9"_s;
        QTest::newRow("flood") << u"head -c 200000 /dev/zero"_s
                               << u"the answer to the batch is longer than 64 KiB"_s;
    }
    void whatThrowsIsRetriedAndDies()
    {
        QFETCH(QString, script);
        QFETCH(QString, error);
        QueueRig rig(settingsOf(1));
        rig.handleOutside(u"mail"_s, std::make_shared<CommandBatchHandler>(command(script)));
        rig.send(u"mail"_s, {u"one"_s, u"two"_s});
        for (int attempt = 1; attempt <= 2; ++attempt) {
            rig.pass(1'000);
            QTRY_VERIFY((rig.settle(), rig.store().number(u"SELECT count(*) FROM messages WHERE "
                                                          "claim_no IS NOT NULL"_s) == 0));
        }
        QTRY_VERIFY((rig.settle(), rig.store().number(u"SELECT count(*) FROM dead_letters"_s) == 2));
        QCOMPARE(rig.store().text(u"SELECT error FROM dead_letters LIMIT 1"_s), error);
        QCOMPARE(rig.store().text(u"SELECT group_concat(CAST(body AS TEXT)) FROM dead_letters"_s),
                 u"one,two"_s);
        QCOMPARE(rig.store().number(u"SELECT count(*) FROM messages WHERE queue = 'mail-dlq'"_s), 2);
    }

    // The first three deliveries fail, each in the other queue.
    void aCycleOfDeadLetterQueuesKeepsTheId()
    {
        QTemporaryDir folder;
        const QString seen = folder.filePath(u"seen"_s);
        Settings settings;
        settings.consumers = {consumerOf(u"a"_s, 1, 0, 0, u"b"_s), consumerOf(u"b"_s, 1, 0, 0, u"a"_s)};
        QueueRig rig(settings);
        for (const QString& queue : {u"a"_s, u"b"_s})
            rig.handleOutside(queue, std::make_shared<CommandBatchHandler>(command(
                                         u"cat >> %1; echo >> %1; [ $(wc -l < %1) -ge 4 ]"_s.arg(seen))));
        const QString id = rig.send(u"a"_s, {u"x"_s}).first();
        QTRY_VERIFY((rig.settle(), rig.store().number(u"SELECT count(*) FROM messages"_s) == 0));
        QFile file(seen);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArrayList lines = file.readAll().trimmed().split('\n');
        QCOMPARE(lines.size(), 4);
        for (qsizetype i = 0; i < lines.size(); ++i) {
            QVERIFY(lines[i].startsWith(i % 2 == 0 ? "{\"queue\":\"a\"" : "{\"queue\":\"b\""));
            QVERIFY(lines[i].contains("\"id\":\"" + id.toUtf8() + "\""));
        }
    }

    void twoQueuesWithTheirOwnSettings()
    {
        QTemporaryDir folder;
        Settings settings;
        settings.consumers = {consumerOf(u"slow"_s, 5, 3'000), consumerOf(u"fast"_s, 2, 0)};
        QueueRig rig(settings);
        const auto batches = [&folder](const QString& queue) {
            QFile file(folder.filePath(queue));
            return file.open(QIODevice::ReadOnly) ? int(file.readAll().count('\n')) : 0;
        };
        for (const QString& queue : {u"slow"_s, u"fast"_s})
            rig.handleOutside(queue, std::make_shared<CommandBatchHandler>(
                                         command(u"cat >> %1; echo >> %1"_s.arg(folder.filePath(queue)))));
        rig.send(u"slow"_s, {u"1"_s, u"2"_s, u"3"_s});
        rig.send(u"fast"_s, {u"1"_s, u"2"_s, u"3"_s});
        QTRY_VERIFY((rig.settle(), batches(u"fast"_s) == 2));
        rig.pass(2'999);
        QCOMPARE(batches(u"slow"_s), 0);
        rig.pass(1);
        QTRY_VERIFY((rig.settle(), rig.store().number(u"SELECT count(*) FROM messages"_s) == 0));
        QCOMPARE(batches(u"slow"_s), 1);
    }

    void aUrlGetsTheBatchAndSettlesIt()
    {
        HttpReceiver receiver;
        HttpSenderOptions options;
        options.guard = *TargetGuard::make({}, true);
        HttpSender sender(std::move(options));
        sender.start();
        HandlerSettings settings;
        settings.url = receiver.url("/batch");
        receiver.answerNext("/batch", ReceiverAnswer::status(500, "down"));
        QueueRig rig(settingsOf());
        rig.handleOutside(u"mail"_s, std::make_shared<UrlBatchHandler>(settings, blockingPost(sender)));
        rig.send(u"mail"_s, {u"one"_s, u"two"_s});
        rig.pass(1'000);
        QTRY_VERIFY((rig.settle(),
                     rig.store().text(u"SELECT last_error FROM messages LIMIT 1"_s) == u"HTTP 500: down"));
        receiver.answer("/batch", ReceiverAnswer::status(200, ""));
        rig.pass(1'000);
        QTRY_VERIFY((rig.settle(), left(rig) == 0));
        QCOMPARE(receiver.arrivalCount("/batch"), 2);
        QVERIFY(receiver.arrivals("/batch")[1].body.contains("\"attempts\":2"));
        sender.stop();
    }

    void anEngineThatDiesWithABatchMarksItsMessages()
    {
        TestStore store;
        {
            QueueRig rig(settingsOf(), &store);
            rig.handleOutside(u"mail"_s, std::make_shared<CommandBatchHandler>(command(u"sleep 100"_s)));
            rig.send(u"mail"_s, {u"one"_s, u"two"_s});
            rig.pass(1'000);
            QCOMPARE(store.number(u"SELECT count(*) FROM messages WHERE claim_no IS NOT NULL"_s), 2);
            rig.crash();
        }
        QueueRig next(settingsOf(), &store);
        next.handleOutside(u"mail"_s, std::make_shared<CommandBatchHandler>(command(u"cat >/dev/null"_s)));
        next.settle();
        next.pass(60'000);
        QTRY_VERIFY((next.settle(), left(next) == 0));
        QCOMPARE(next.counters.crashed.load(), 2);
    }
};

QTEST_GUILESS_MAIN(OutsideBatchTest)
#include "outside_batch_test.moc"
