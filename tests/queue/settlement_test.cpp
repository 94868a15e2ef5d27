#include "core/queue/settlement.h"

#include <QTest>

using namespace redrive;

// Calls are written as words: a0 = ack(0), r1 = retry(1), r1+2 = retry(1, delay 2), A = ackAll, R = retryAll,
// R+9 = retryAll(delay 9). Outcomes: "a" acked, "r" retried by the queue's delay, "r5" with a delay of 5.
class SettlementTest : public QObject
{
    Q_OBJECT

    static void play(Settlement& settlement, const QString& call)
    {
        const QStringList parts = call.split(u'+');
        const std::optional<qint64> delay =
            parts.size() > 1 ? std::optional(parts[1].toLongLong()) : std::nullopt;
        const int index = QStringView(parts[0]).mid(1).toInt();
        switch (parts[0][0].unicode()) {
        case u'a':
            settlement.ack(index);
            break;
        case u'r':
            settlement.retry(index, delay);
            break;
        case u'A':
            settlement.ackAll();
            break;
        case u'R':
            settlement.retryAll(delay);
            break;
        default:
            QFAIL("unknown call");
        }
    }

    static QString shown(const std::vector<Decision>& decisions)
    {
        QStringList words;
        for (const Decision& decision : decisions)
            words.append(decision.ack       ? QStringLiteral("a")
                         : decision.delayMs ? u'r' + QString::number(*decision.delayMs)
                                            : QStringLiteral("r"));
        return words.join(u' ');
    }

private Q_SLOTS:
    void decides_data()
    {
        QTest::addColumn<QString>("calls");
        QTest::addColumn<bool>("returned");
        QTest::addColumn<QString>("expected");

        QTest::newRow("returns without calls") << "" << true << "a a a";
        QTest::newRow("fails without calls") << "" << false << "r r r";
        QTest::newRow("ack then retry: acked") << "a0 r0" << true << "a a a";
        QTest::newRow("retry then ack: retried") << "r0 a0" << true << "r a a";
        QTest::newRow("second retry replaces the first") << "r0+2 r0" << true << "r a a";
        QTest::newRow("second retry brings its delay") << "r0 r0+2" << true << "r2 a a";
        QTest::newRow("ack one, then retryAll") << "a1 R" << true << "r a r";
        QTest::newRow("retryAll then ack: retried") << "R a1" << true << "r r r";
        QTest::newRow("ackAll then retry: acked") << "A r1" << true << "a a a";
        QTest::newRow("retry one, then ackAll") << "r1 A" << true << "a r a";
        QTest::newRow("retryAll then ackAll") << "R A" << true << "r r r";
        QTest::newRow("ackAll then retryAll") << "A R" << true << "a a a";
        QTest::newRow("retryAll with a delay") << "R+9" << true << "r9 r9 r9";
        QTest::newRow("the message's own delay wins") << "r1+3 R+9" << true << "r9 r3 r9";
        QTest::newRow("an explicit 0 is a delay") << "r1+0 R+9" << true << "r9 r0 r9";
        QTest::newRow("a retry without delay takes the call's") << "r1 R+9" << true << "r9 r9 r9";
        QTest::newRow("retryAll twice: the later delay") << "R+9 R+4" << true << "r4 r4 r4";
        QTest::newRow("fails after acks of two") << "a0 a1" << false << "a a r";
        QTest::newRow("fails after ackAll") << "A" << false << "a a a";
        QTest::newRow("fails after an explicit retry") << "r0+7" << false << "r7 r r";
        QTest::newRow("fails after retryAll with a delay") << "R+7" << false << "r7 r7 r7";
        QTest::newRow("fails after ack, retry and nothing") << "a0 r1+5" << false << "a r5 r";
    }

    void decides()
    {
        QFETCH(QString, calls);
        QFETCH(bool, returned);
        QFETCH(QString, expected);
        Settlement settlement(3);
        for (const QString& call : calls.split(u' ', Qt::SkipEmptyParts))
            play(settlement, call);
        QCOMPARE(shown(settlement.decisions(returned ? HandlerEnd::Returned : HandlerEnd::Failed)), expected);
    }
};

QTEST_APPLESS_MAIN(SettlementTest)
#include "settlement_test.moc"
