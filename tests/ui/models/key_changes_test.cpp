#include "ui/models/key_changes.h"

#include <QRandomGenerator>
#include <QTest>

#include <algorithm>
#include <numeric>

using namespace redrive;

namespace {

using Keys = std::vector<qint64>;

Keys applied(Keys keys, const Keys& after)
{
    const auto changes = keyChanges(keys, after);
    for (const auto& range : changes.removed)
        keys.erase(keys.begin() + range.first, keys.begin() + range.first + range.count);
    if (changes.reordered)
        keys = changes.staying;
    for (const auto& range : changes.inserted)
        keys.insert(keys.begin() + range.first, after.begin() + range.first,
                    after.begin() + range.first + range.count);
    return keys;
}

} // namespace

class KeyChangesTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void steps_data()
    {
        QTest::addColumn<Keys>("before");
        QTest::addColumn<Keys>("after");
        QTest::addColumn<int>("removed");
        QTest::addColumn<int>("inserted");
        QTest::addColumn<bool>("reordered");
        QTest::newRow("nothing") << Keys{1, 2, 3} << Keys{1, 2, 3} << 0 << 0 << false;
        QTest::newRow("empty") << Keys{} << Keys{} << 0 << 0 << false;
        QTest::newRow("first rows") << Keys{} << Keys{1, 2} << 0 << 1 << false;
        QTest::newRow("all gone") << Keys{1, 2} << Keys{} << 1 << 0 << false;
        QTest::newRow("two on top") << Keys{3, 2, 1} << Keys{5, 4, 3, 2, 1} << 0 << 1 << false;
        QTest::newRow("one out of the middle") << Keys{3, 2, 1} << Keys{3, 1} << 1 << 0 << false;
        QTest::newRow("out and in") << Keys{3, 2, 1} << Keys{9, 3, 1, 7} << 1 << 2 << false;
        QTest::newRow("runs") << Keys{1, 2, 3, 4, 5, 6} << Keys{1, 4, 6} << 2 << 0 << false;
        QTest::newRow("swapped") << Keys{1, 2, 3} << Keys{3, 2, 1} << 0 << 0 << true;
        QTest::newRow("moved and new") << Keys{1, 2, 3, 4} << Keys{4, 9, 1, 2} << 1 << 1 << true;
    }

    void steps()
    {
        QFETCH(Keys, before);
        QFETCH(Keys, after);
        const auto changes = keyChanges(before, after);
        QTEST(int(changes.removed.size()), "removed");
        QTEST(int(changes.inserted.size()), "inserted");
        QTEST(changes.reordered, "reordered");
        QCOMPARE(applied(before, after), after);
    }

    void anyListsBecomeEachOther()
    {
        QRandomGenerator random(7);
        for (int round = 0; round < 500; ++round) {
            Keys all(40);
            std::iota(all.begin(), all.end(), 1);
            const auto draw = [&] {
                std::shuffle(all.begin(), all.end(), random);
                Keys drawn(all.begin(), all.begin() + random.bounded(40));
                if (random.bounded(2))
                    std::sort(drawn.begin(), drawn.end());
                return drawn;
            };
            const auto before = draw();
            const auto after = draw();
            QCOMPARE(applied(before, after), after);
        }
    }

    void aMillionRowsWithNewOnesOnTop()
    {
        Keys before(1'000'000);
        std::iota(before.rbegin(), before.rend(), 1);
        Keys after(before);
        after.insert(after.begin(), {1'000'002, 1'000'001});
        QBENCHMARK_ONCE
        {
            const auto changes = keyChanges(before, after);
            QCOMPARE(changes.inserted, (std::vector<KeyRange>{{0, 2}}));
            QVERIFY(changes.removed.empty());
        }
    }
};

QTEST_GUILESS_MAIN(KeyChangesTest)
#include "key_changes_test.moc"
