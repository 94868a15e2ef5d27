#include "core/net/resolver.h"

#include <QTest>

#include <atomic>
#include <condition_variable>
#include <future>
#include <map>
#include <mutex>

using namespace redrive;

namespace {

struct Answers
{
    std::mutex mutex; // guards the rest
    std::condition_variable changed;
    std::map<QByteArray, int> counts;

    Resolver::Answer taker()
    {
        return [this](const QByteArray& host, Result<Addresses>) {
            std::lock_guard lock(mutex);
            ++counts[host];
            changed.notify_all();
        };
    }
    bool waitFor(const QByteArray& host)
    {
        std::unique_lock lock(mutex);
        return changed.wait_for(lock, std::chrono::seconds(10), [&] { return counts[host] > 0; });
    }
};

} // namespace

class ResolverTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void systemKnowsLocalhost()
    {
        const auto addresses = resolveWithSystem("localhost");
        QVERIFY(addresses && !addresses->empty());
        for (const IpAddress& address : *addresses)
            QVERIFY(address.toString() == u"127.0.0.1" || address.toString() == u"::1");
    }

    void systemSaysWhatItDoesNotKnow()
    {
        const QByteArray impossible(70, 'a'); // longer than a label may be: no server is asked
        const auto addresses = resolveWithSystem(impossible);
        QVERIFY(!addresses);
        QVERIFY(addresses.error().message.contains(QString::fromLatin1(impossible)));
        QVERIFY(!addresses.error().detail.isEmpty());
    }

    void requestsForTheSameNameShareOneLookUp()
    {
        std::mutex gate;
        std::unique_lock closed(gate);
        std::atomic<int> lookUps = 0;
        Answers answers;
        Resolver resolver(
            [&](const QByteArray&) -> Result<Addresses> {
                ++lookUps;
                std::lock_guard wait(gate);
                return Addresses{IpAddress::v4(1, 1, 1, 1)};
            },
            answers.taker());
        for (int i = 0; i < 20; ++i)
            resolver.lookUp("a.example");
        resolver.lookUp("b.example");
        closed.unlock();
        QVERIFY(answers.waitFor("a.example") && answers.waitFor("b.example"));
        QCOMPARE(lookUps.load(), 2);
        QCOMPARE(answers.counts["a.example"], 1);

        resolver.lookUp("a.example"); // answered before: asked anew
        resolver.lookUp("c.example");
        QVERIFY(answers.waitFor("c.example"));
        resolver.stop();
        QVERIFY(lookUps.load() >= 3);
    }

    void manyNamesAreLookedUpByFewThreads()
    {
        std::atomic<int> inside = 0;
        std::atomic<int> most = 0;
        Answers answers;
        Resolver resolver(
            [&](const QByteArray&) -> Result<Addresses> {
                const int now = ++inside;
                int seen = most.load();
                while (now > seen && !most.compare_exchange_weak(seen, now)) {
                }
                --inside;
                return Addresses{IpAddress::v4(1, 1, 1, 1)};
            },
            answers.taker());
        for (int i = 0; i < 200; ++i)
            resolver.lookUp("host" + QByteArray::number(i));
        for (int i = 0; i < 200; ++i)
            QVERIFY(answers.waitFor("host" + QByteArray::number(i)));
        QVERIFY(most <= 8);
    }

    void nothingIsAnsweredAfterStop()
    {
        const auto gate = std::make_shared<std::mutex>();
        const auto left = std::make_shared<std::promise<void>>();
        std::promise<void> entered;
        std::unique_lock closed(*gate);
        Answers answers;
        Resolver resolver(
            [gate, left, &entered](const QByteArray&) -> Result<Addresses> {
                entered.set_value();
                std::lock_guard wait(*gate);
                left->set_value();
                return Addresses{IpAddress::v4(1, 1, 1, 1)};
            },
            answers.taker());
        resolver.lookUp("a.example");
        entered.get_future().wait();
        resolver.stop();
        resolver.stop();
        resolver.lookUp("b.example");
        closed.unlock();
        QVERIFY(left->get_future().wait_for(std::chrono::seconds(10)) == std::future_status::ready);
        QVERIFY(answers.counts.empty());
    }
};

QTEST_APPLESS_MAIN(ResolverTest)
#include "resolver_test.moc"
