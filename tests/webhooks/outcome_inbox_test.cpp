#include "core/webhooks/outcome_inbox.h"

#include <QTest>

#include <thread>

using namespace redrive;

namespace {

std::vector<HttpOutcome> outcomes(size_t count)
{
    return std::vector<HttpOutcome>(count);
}

} // namespace

class OutcomeInboxTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void wakesTheReaderOnce()
    {
        OutcomeInbox inbox;
        QVERIFY(!inbox.put({}));
        QVERIFY(inbox.put(outcomes(1)));
        QVERIFY(!inbox.put(outcomes(2)));
        QCOMPARE(taken(inbox), size_t(3));
        QVERIFY(inbox.put(outcomes(1)));
    }

    void keepsWhatItHasWhileGathering()
    {
        OutcomeInbox inbox;
        inbox.gather(40); // nothing is there
        for (const size_t count :
             {1, 40, 1, 1, 3}) { // alone, a crowd, and fewer again while a crowd is expected
            inbox.put(outcomes(count));
            inbox.gather(40);
            QCOMPARE(taken(inbox), count);
        }
    }

    void theOthersNeedNotComeAllAtOnce()
    {
        OutcomeInbox inbox;
        inbox.put(outcomes(40));
        inbox.gather(40);
        size_t all = taken(inbox);
        std::thread sender([&inbox] {
            for (int i = 0; i < 40; ++i)
                inbox.put(outcomes(1));
        });
        while (all < 80) {
            inbox.gather(40);
            all += taken(inbox);
        }
        sender.join();
        QCOMPARE(all, size_t(80));
        QVERIFY(inbox.isEmpty());
    }

private:
    static size_t taken(OutcomeInbox& inbox)
    {
        std::vector<HttpOutcome> out;
        inbox.takeInto(out);
        return out.size();
    }
};

QTEST_APPLESS_MAIN(OutcomeInboxTest)
#include "outcome_inbox_test.moc"
