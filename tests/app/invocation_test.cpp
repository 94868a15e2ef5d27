#include "app/command_line/command_table.h"
#include "app/command_line/invocation.h"

#include <QTest>

using namespace redrive;

class InvocationTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void reads()
    {
        const auto read = parseInvocation({u"--data"_s, u"/d"_s, u"requeue"_s, u"a"_s, u"--to=my/ Queue"_s,
                                           u"b"_s, u"--reason"_s, u"-x"_s, u"--json"_s});
        QVERIFY(read.has_value());
        QCOMPARE(read->command, u"requeue"_s);
        QCOMPARE(read->names, (QStringList{u"a"_s, u"b"_s}));
        QCOMPARE(read->dataFolder, u"/d"_s);
        QCOMPARE(read->toQueue, u"my/ Queue"_s);
        QCOMPARE(read->reason, u"-x"_s);
        QVERIFY(read->json);
        QVERIFY(!read->where);
    }

    void readsAPace()
    {
        const auto read = parseInvocation({u"replay"_s, u"--endpoint"_s, u"acme"_s, u"--since"_s, u"2h"_s,
                                           u"--rate"_s, u"0.5"_s, u"--in-flight=3"_s, u"--brake"_s, u"20"_s,
                                           u"--canary"_s, u"5"_s, u"--after-canary"_s, u"stop"_s});
        QVERIFY(read.has_value());
        QCOMPARE(read->endpointId, u"acme"_s);
        QCOMPARE(read->sinceAgoMs, std::optional<qint64>(7'200'000));
        QCOMPARE(read->ratePerSecond, std::optional(0.5));
        QCOMPARE(read->pace.inFlight, 3);
        QCOMPARE(read->pace.brakePercent, 20);
        QCOMPARE(read->pace.canary, 5);
        QVERIFY(read->pace.afterCanary == CanaryEnd::Stop);
        const auto since = parseInvocation(
            {u"replay-missing"_s, u"--endpoint"_s, u"e"_s, u"--since"_s, u"2031-05-02T14:05:10Z"_s});
        QVERIFY(since.has_value());
        QCOMPARE(since->sinceMs, std::optional<qint64>(1'935'497'110'000));
    }

    void readsAnEmptyQueryAsEverything()
    {
        const auto read = parseInvocation({u"discard"_s, u"--where"_s, u""_s});
        QVERIFY(read.has_value());
        QCOMPARE(read->where, std::optional(QString(u""_s)));
    }

    void takesWhatFollowsTwoDashesAsNames()
    {
        const auto read = parseInvocation({u"pause"_s, u"--"_s, u"-odd"_s});
        QVERIFY(read.has_value());
        QCOMPARE(read->names, QStringList{u"-odd"_s});
    }

    void opensTheConsoleWithoutACommand()
    {
        const auto read = parseInvocation({u"--demo"_s});
        QVERIFY(read.has_value());
        QVERIFY(read->command.isEmpty() && read->demo);
    }

    void refuses_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QString>("says");
        const auto row = [](const QStringList& words, const char* says) {
            QTest::addRow("%s", qPrintable(words.join(u' '))) << words << QString::fromLatin1(says);
        };
        row({u"requeu"_s}, "no command 'requeu'");
        row({u"jobs"_s, u"--nope"_s}, "jobs has no option '--nope'");
        row({u"--nope"_s}, "no option '--nope'");
        row({u"jobs"_s, u"-l"_s}, "jobs has no option '-l'");
        row({u"jobs"_s, u"extra"_s}, "does not know what to do with 'extra'");
        row({u"jobs"_s, u"--limit"_s}, "--limit needs N");
        row({u"jobs"_s, u"--limit"_s, u"many"_s}, "whole number");
        row({u"jobs"_s, u"--limit"_s, u"-1"_s}, "whole number");
        row({u"jobs"_s, u"--json=yes"_s}, "--json takes no value");
        row({u"enqueue"_s}, "enqueue needs TYPE");
        row({u"enqueue"_s, u"a"_s, u"b"_s}, "does not know what to do with 'b'");
        row({u"enqueue"_s, u"a"_s, u"--delay"_s, u"86401"_s}, "from 0 to 86400");
        row({u"postpone"_s, u"a"_s}, "either --delay SECONDS or --until TIME");
        row({u"postpone"_s, u"a"_s, u"--delay"_s, u"86401"_s}, "from 0 to 86400");
        row({u"postpone"_s, u"a"_s, u"--delay"_s, u"-1"_s}, "whole number");
        row({u"postpone"_s, u"a"_s, u"--delay"_s, u"x"_s}, "whole number");
        row({u"postpone"_s, u"a"_s, u"--delay"_s, u"NaN"_s}, "whole number");
        row({u"postpone"_s, u"a"_s, u"--until"_s, u"soon"_s}, "a time with its zone");
        row({u"postpone"_s, u"a"_s, u"--until"_s, u"2031-05-02T14:05:10"_s}, "a time with its zone");
        row({u"postpone"_s, u"--delay"_s, u"1"_s}, "either ids or --where");
        row({u"edit"_s, u"a"_s}, "edit needs --payload");
        row({u"edit"_s, u"a"_s, u"b"_s, u"--payload"_s, u"1"_s}, "does not know what to do with 'b'");
        row({u"cancel"_s}, "either ids or --where");
        row({u"requeue"_s}, "either ids or --where");
        row({u"requeue"_s, u"a"_s, u"--where"_s, u"x"_s}, "either ids or --where");
        row({u"requeue"_s, u""_s}, "an empty name");
        row({u"replay"_s, u"a"_s, u"--endpoint"_s, u"e"_s}, "either ids, --where QUERY");
        row({u"replay"_s, u"a"_s, u"--since"_s, u"2h"_s}, "--since goes with --endpoint");
        row({u"replay"_s, u"--endpoint"_s, u"e"_s, u"--since"_s, u"soon"_s}, "a duration such as 90s");
        row({u"replay"_s, u"a"_s, u"--canary"_s, u"0"_s}, "from 1 to 1000");
        row({u"replay"_s, u"a"_s, u"--brake"_s, u"101"_s}, "from 0 to 100");
        row({u"replay"_s, u"a"_s, u"--after-canary"_s, u"cry"_s}, "ask, go-on or stop");
        row({u"discard"_s, u"a"_s, u"--rate"_s, u"1"_s}, "discard has no option '--rate'");
        row({u"replay-missing"_s}, "replay-missing needs --endpoint");
        row({u"replay-missing"_s, u"e:acme"_s, u"--endpoint"_s, u"acme"_s},
            "or what to deliver as EVENT:ENDPOINT");
        row({u"replay-missing"_s, u"e:acme"_s, u"--since"_s, u"2h"_s}, "--since goes with --endpoint");
        row({u"publish"_s}, "an event's id or --job ID");
        row({u"pause"_s}, "pause needs QUEUE");
        row({u"serve"_s, u"--where"_s, u"x"_s}, "serve has no option '--where'");
    }

    void refuses()
    {
        QFETCH(QStringList, words);
        QFETCH(QString, says);
        const auto read = parseInvocation(words);
        QVERIFY(!read.has_value());
        QVERIFY2(read.error().message.contains(says), qPrintable(read.error().message));
    }

    void readsTimes()
    {
        const auto read =
            parseInvocation({u"postpone"_s, u"a"_s, u"--until"_s, u"2031-05-02T16:05:10+02:00"_s});
        QVERIFY(read.has_value());
        QCOMPARE(read->untilMs, std::optional<qint64>(1'935'497'110'000));
    }

    void helpNamesEveryOption()
    {
        for (const CommandEntry& command : commandTable()) {
            const QString help = helpText(command.name);
            for (const QString& option : command.options) {
                QVERIFY2(findOption(option), qPrintable(option));
                QVERIFY2(help.contains(u"--"_s + option), qPrintable(command.name + u' ' + option));
            }
        }
    }

    void helpIsNoUsageError()
    {
        QVERIFY(parseInvocation({u"enqueue"_s, u"--help"_s}).has_value());
        QVERIFY(parseInvocation({u"requeue"_s, u"-h"_s})->help);
    }
};

QTEST_APPLESS_MAIN(InvocationTest)
#include "invocation_test.moc"
