#include "core/db/query.h"

#include "core/db/checkpoint.h"
#include "tests/support/test_store.h"

#include <QTest>

#include <limits>

using namespace redrive;

namespace {

constexpr char kInsert[] = "INSERT INTO kept (number, real_number, words, bytes) VALUES (?, ?, ?, {exact:?})";
constexpr char kAll[] = "SELECT number, real_number, words, {bytes:bytes} FROM kept ORDER BY rowid";
constexpr char kOne[] = "SELECT words FROM kept WHERE number = ?";
constexpr char kListed[] = "SELECT count(*) FROM kept WHERE number IN {numbers:?}";

} // namespace

class QueryTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        m_store = std::make_unique<test::TestStore>();
        m_store->execute(
            u"CREATE TABLE kept (number INTEGER UNIQUE, real_number REAL, words TEXT, bytes TEXT)"_s);
    }

    void valuesComeBack_data()
    {
        QTest::addColumn<qint64>("number");
        QTest::addColumn<QString>("words");
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("plain") << qint64(7) << u"words"_s << QByteArray("bytes");
        QTest::newRow("least") << std::numeric_limits<qint64>::min() << u"a"_s << QByteArray("b");
        QTest::newRow("most") << std::numeric_limits<qint64>::max() << u"a"_s << QByteArray("b");
        QTest::newRow("other letters")
            << qint64(1) << u"Zürich 東京 🦊"_s << QByteArray("\xf0\x9f\xa6\x8a");
        QTest::newRow("a zero within") << qint64(1) << QString(u"a\0b"_s) << QByteArray("a\0b", 3);
        QTest::newRow("not UTF-8") << qint64(1) << u"a"_s << QByteArray("\xff\xfe");
        QTest::newRow("empty") << qint64(1) << QString(u""_s) << QByteArray("");
        QTest::newRow("null becomes empty") << qint64(1) << QString() << QByteArray();
        QTest::newRow("large") << qint64(1) << QString(100'000, u'x') << QByteArray(100'000, 'y');
    }

    void valuesComeBack()
    {
        QFETCH(qint64, number);
        QFETCH(QString, words);
        QFETCH(QByteArray, bytes);
        const auto changed = db().query(kInsert).bind(number).bind(0.5).bind(words).bind(bytes).run();
        QVERIFY(changed);
        QCOMPARE(*changed, 1);

        auto query = db().query(kAll);
        QVERIFY(query.next());
        QCOMPARE(query.int64(0), number);
        QCOMPARE(query.real(1), 0.5);
        QCOMPARE(query.text(2), words);
        QCOMPARE(query.bytes(3), bytes);
        for (int column = 0; column < 4; ++column)
            QVERIFY(!query.isNull(column));
        QVERIFY(!query.next());
        QVERIFY(query.status());
    }

    void nothingIsNull()
    {
        QVERIFY(
            db().query(kInsert).bind(std::optional<qint64>()).bindNull().bindTextOrNull({}).bindNull().run());
        auto query = db().query(kAll);
        QVERIFY(query.next());
        for (int column = 0; column < 4; ++column)
            QVERIFY(query.isNull(column));
        QVERIFY(!query.optInt64(0));
        QVERIFY(query.text(2).isNull());
    }

    void besidesARowThereIsNothing()
    {
        auto query = db().query(kAll);
        QCOMPARE(query.int64(0), 0); // before the first
        QVERIFY(!query.next());
        QCOMPARE(query.text(2), QString());
        QVERIFY(query.isNull(0));
    }

    void asManyValuesAsParameters_data()
    {
        QTest::addColumn<int>("count");
        QTest::newRow("none") << 0;
        QTest::newRow("too few") << 3;
        QTest::newRow("too many") << 5;
    }

    void asManyValuesAsParameters()
    {
        QFETCH(int, count);
        {
            auto query = db().query(kInsert);
            for (int i = 0; i < count; ++i)
                query.bind(i);
            QVERIFY(!query.run());
            QVERIFY(!query.status());
        }
        QCOMPARE(m_store->number(u"SELECT count(*) FROM kept"_s), 0);
        QVERIFY(insert(1, u"as if nothing had been"_s));
    }

    void oneStatementAtATime()
    {
        QVERIFY(!db().execute(u"DELETE FROM kept; DELETE FROM jobs"_s));
        QVERIFY(!db().execute(u"-- nothing"_s));
        QVERIFY(!db().execute(u"SELEC 1"_s));
        QVERIFY(db().execute(u" DELETE FROM kept;\n"_s));
    }

    void aKeptStatementBeginsAnew()
    {
        QVERIFY(insert(1, u"one"_s) && insert(2, u"two"_s));
        auto first = db().query(kOne);
        QVERIFY(first.bind(1).next());
        QCOMPARE(first.text(0), u"one"_s);
        auto second = db().query(kOne); // the first is still there
        QVERIFY(second.bind(2).next());
        QCOMPARE(second.text(0), u"two"_s);
    }

    void movesWithWhatItHasBound()
    {
        QVERIFY(insert(1, u"one"_s));
        auto first = db().query(kOne);
        first.bind(1);
        Query moved = std::move(first);
        QVERIFY(moved.next());
        QCOMPARE(moved.text(0), u"one"_s);
    }

    void leavesNoSnapshotOpen()
    {
        QVERIFY(insert(1, u"one"_s) && insert(2, u"two"_s));
        const auto reader = m_store->openReader();
        {
            auto rows = reader->query(kAll);
            QVERIFY(rows.next()); // and one more that nobody asks for
        }
        QVERIFY(insert(3, u"three"_s));
        QVERIFY(checkpoint(db(), CheckpointMode::Truncate));
        QCOMPARE(walBytes(db().target()), 0);
    }

    void saysWhatTheDatabaseSays()
    {
        QVERIFY(insert(1, u"one"_s));
        const auto again = insert(1, u"again"_s);
        QVERIFY(!again);
        QCOMPARE(again.error().kind, ErrorKind::Constraint);
        QVERIFY2(again.error().text().contains(u"kept.number"), qPrintable(again.error().text()));
        const auto gone = db().query("SELECT 1 FROM nowhere").run();
        QVERIFY(!gone);
        QVERIFY2(gone.error().text().contains(u"nowhere"), qPrintable(gone.error().text()));
    }

    void listsOfNumbers()
    {
        for (int i = -2; i <= 2; ++i)
            QVERIFY(insert(i, u"listed"_s));
        const auto count = [this](const std::vector<qint64>& numbers) {
            auto query = db().query(kListed);
            return query.bindNumbers(numbers).next() ? query.int64(0) : -1;
        };
        QCOMPARE(count({}), 0);
        QCOMPARE(count({2}), 1);
        QCOMPARE(count({-2, 0, 2, 99, std::numeric_limits<qint64>::max()}), 3);
    }

private:
    Connection& db() { return m_store->db(); }
    Result<qint64> insert(qint64 number, const QString& words)
    {
        return db().query(kInsert).bind(number).bind(0.0).bind(words).bind(QByteArray("b")).run();
    }

    std::unique_ptr<test::TestStore> m_store;
};

QTEST_GUILESS_MAIN(QueryTest)
#include "query_test.moc"
