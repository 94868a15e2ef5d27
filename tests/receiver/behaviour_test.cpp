#include "core/receiver/receiver_answer.h"
#include "core/receiver/receiver_script.h"

#include <QTest>

using namespace redrive;

namespace {

// No raw string: moc takes "/*" in it for a comment.
constexpr char kScript[] =
    "{\"/orders\": [\"/status/500?times=2\", {\"reset\": \"middle\"}, {\"status\": 201}],"
    " \"/pay/*\": {\"status\": 503, \"retry-after\": 30, \"times\": 1},"
    " \"/pay/fast/*\": \"/ok\"}";

QString wordsOf(const QByteArray& target, int attempt = 1)
{
    const auto steps = behavioursOf(target);
    return steps ? behaviourWords(behaviourFor(*steps, attempt)) : u"bad: "_s + steps.error().message;
}

} // namespace

class BehaviourTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void targets_data()
    {
        QTest::addColumn<QByteArray>("target");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* target, const char* words) {
            QTest::newRow(target) << QByteArray(target) << QString::fromLatin1(words);
        };
        row("/", "200");
        row("/ok", "200");
        row("/orders/17", "200");
        row("/status/503", "503");
        row("/status/503/orders", "503");
        row("/slow/1.5s", "200 after 1500 ms");
        row("/slow/250ms", "200 after 250 ms");
        row("/slow/2", "200 after 2000 ms");
        row("/slow/1m", "200 after 60000 ms");
        row("/gone", "410");
        row("/retry-after/30", "503");
        row("/redirect", "302");
        row("/drip/100ms", "200, a byte every 100 ms");
        row("/reset", "reset without an answer");
        row("/reset/middle", "reset in the answer");
        row("/close", "close without an answer");
        row("/hang", "no answer");
        row("/ok?status=500&delay=20ms", "500 after 20 ms");
        row("/ok?close=middle", "close in the answer");
        row("/ok?customer=7&x", "200");
        row("/status/99", "bad: status takes a number from 200 to 599, not '99'");
        row("/slow/soon", "bad: delay takes a time such as 2s, 500ms or 1m, at most 1 h, not 'soon'");
        row("/slow/nan", "bad: delay takes a time such as 2s, 500ms or 1m, at most 1 h, not 'nan'");
        row("/slow/61m", "bad: delay takes a time such as 2s, 500ms or 1m, at most 1 h, not '61m'");
        row("/huge/2gb", "bad: bytes takes a size such as 500, 64kb or 50mb, at most 1 GiB, not '2gb'");
        row("/ok?times=0", "bad: times takes a number from 1 to 1000000, not '0'");
        row("/ok?to=a%0d%0ab:c", "bad: Location cannot be sent: ");
    }
    void targets()
    {
        QFETCH(QByteArray, target);
        QFETCH(QString, words);
        const QString got = wordsOf(target);
        QVERIFY2(got == words || (words.endsWith(u": "_s) && got.startsWith(words)), qPrintable(got));
    }

    void theNumberOfTheAttemptDecides()
    {
        QCOMPARE(wordsOf("/flaky/2", 1), u"503"_s);
        QCOMPARE(wordsOf("/flaky/2", 2), u"503"_s);
        QCOMPARE(wordsOf("/flaky/2", 3), u"200"_s);
        QCOMPARE(wordsOf("/flaky/1?status=500", 1), u"500"_s);
        QCOMPARE(wordsOf("/ok?delay=2s&status=500&times=3", 3), u"500 after 2000 ms"_s);
        QCOMPARE(wordsOf("/ok?delay=2s&status=500&times=3", 4), u"200"_s);
    }

    void scriptsNamePaths()
    {
        const auto script = ReceiverScript::read(kScript);
        QVERIFY2(script, script ? "" : qPrintable(script.error().text()));
        const auto words = [&](const QByteArray& path, int attempt) {
            const Behaviours* steps = script->find(path);
            return steps ? behaviourWords(behaviourFor(*steps, attempt)) : QString();
        };
        QCOMPARE(words("/orders", 2), u"500"_s);
        QCOMPARE(words("/orders", 3), u"reset in the answer"_s);
        QCOMPARE(words("/orders", 4), u"201"_s);
        QCOMPARE(words("/orders", 99), u"201"_s);
        QCOMPARE(words("/pay/7", 1), u"503"_s);
        QCOMPARE(words("/pay/7", 2), u"200"_s);
        QCOMPARE(words("/pay/fast/7", 1), u"200"_s);
        QCOMPARE(words("/other", 1), QString());
    }

    void badScriptsSayWhatIsWrong_data()
    {
        QTest::addColumn<QByteArray>("script");
        QTest::addColumn<QString>("words");
        QTest::newRow("no JSON") << QByteArray("{") << u"no JSON"_s;
        QTest::newRow("no object") << QByteArray("[]") << u"object of paths"_s;
        QTest::newRow("no path") << QByteArray(R"({"orders":"/ok"})") << u"orders: a path begins"_s;
        QTest::newRow("control route") << QByteArray(R"({"/_script":"/ok"})") << u"not with"_s;
        QTest::newRow("property") << QByteArray(R"({"/a":{"statsu":1}})")
                                  << u"/a: there is no property 'statsu'"_s;
        QTest::newRow("value") << QByteArray(R"({"/a":{"status":"x"}})") << u"/a: status takes a number"_s;
        QTest::newRow("kind") << QByteArray(R"({"/a":7})") << u"/a: must be a path"_s;
        QTest::newRow("no steps") << QByteArray(R"({"/a":[]})") << u"1 to 100 steps"_s;
        QTest::newRow("list in a list") << QByteArray(R"({"/a":[["/ok"]]})") << u"must be a path"_s;
    }
    void badScriptsSayWhatIsWrong()
    {
        QFETCH(QByteArray, script);
        QFETCH(QString, words);
        const auto read = ReceiverScript::read(script);
        QVERIFY(!read);
        QVERIFY2(read.error().text().contains(words), qPrintable(read.error().text()));
    }

    void aDripIsABytePerInterval()
    {
        Behaviour behaviour;
        behaviour.body = "abc";
        behaviour.dripMs = 100;
        behaviour.delayMs = 50;
        ReceiverAnswer answer(behaviour, false, false, 1'000);
        QVERIFY(answer.output(1'049).isEmpty());
        QCOMPARE(answer.wakeAtMs(), 1'050);
        const QByteArray head = answer.output(1'050);
        QVERIFY(head.startsWith("HTTP/1.1 200 ") && head.endsWith("Content-Length: 3\r\n\r\n"));
        answer.sent(head.size());
        QVERIFY(answer.output(1'149).isEmpty());
        QCOMPARE(answer.wakeAtMs(), 1'150);
        QCOMPARE(answer.output(1'150), QByteArray("a"));
        answer.sent(1);
        QVERIFY(answer.output(1'150).isEmpty());
        QCOMPARE(answer.output(1'250), QByteArray("b"));
        answer.sent(1);
        QCOMPARE(answer.output(1'350), QByteArray("c"));
        QVERIFY(!answer.isFinished());
        answer.sent(1);
        QVERIFY(answer.isFinished());
    }

    void hugeBodiesAreMadeAsTheyAreRead()
    {
        Behaviour behaviour;
        behaviour.bodyBytes = 1'000'000'000;
        ReceiverAnswer answer(behaviour, false, false, 0);
        qint64 most = 0;
        for (int i = 0; i < 100; ++i) {
            const qsizetype size = answer.output(0).size();
            most = std::max<qint64>(most, size);
            answer.sent(size);
        }
        QVERIFY(most < 70'000);
        QVERIFY(!answer.isFinished());
    }
};

QTEST_APPLESS_MAIN(BehaviourTest)
#include "behaviour_test.moc"
