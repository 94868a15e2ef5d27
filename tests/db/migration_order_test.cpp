#include "core/db/migration_order.h"

#include <QTest>

#include <algorithm>
#include <random>

using namespace redrive;

class MigrationOrderTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void orders_data()
    {
        QTest::addColumn<QStringList>("expected");
        QTest::newRow("by number") << QStringList{"1_a.sql", "9_b.sql", "10_c.sql"};
        QTest::newRow("leading zeros") << QStringList{"0001_a.sql", "02_b.sql", "3_c.sql", "0010_d.sql"};
        QTest::newRow("numbered first") << QStringList{"1_z.sql", "200_y.sql", "a.sql", "b1.sql"};
        QTest::newRow("ties by text") << QStringList{"001_a.sql", "01_a.sql", "1_a.sql", "1_b.sql"};
        QTest::newRow("capitals") << QStringList{"1_B.sql", "1_a.sql", "B.sql", "a.sql"};
        QTest::newRow("beyond 64 bits") << QStringList{
            "9223372036854775808.sql", "20260116020812999999999.sql", "20260116020813000000000.sql"};
        QTest::newRow("folders by number")
            << QStringList{"2_x/1.sql", "2_x/10.sql", "10_a/2.sql", "10_a/3/1.sql", "b/1.sql"};
        QTest::newRow("zero") << QStringList{"00_b.sql", "0_a.sql", "1.sql"};
    }

    void orders()
    {
        QFETCH(QStringList, expected);
        std::mt19937 random(7);
        for (int i = 0; i < 20; ++i) {
            QStringList names = expected;
            std::shuffle(names.begin(), names.end(), random);
            std::sort(names.begin(), names.end(), migrationComesBefore);
            QCOMPARE(names, expected);
        }
    }

    void matches_data()
    {
        QTest::addColumn<QString>("pattern");
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("taken");
        QTest::newRow("plain") << "*.sql"
                               << "1_a.sql" << true;
        QTest::newRow("not nested") << "*.sql"
                                    << "x/1_a.sql" << false;
        QTest::newRow("one level") << "*/migration.sql"
                                   << "001/migration.sql" << true;
        QTest::newRow("one level only") << "*/migration.sql"
                                        << "a/001/migration.sql" << false;
        QTest::newRow("any level") << "**/*.sql"
                                   << "a/b/c.sql" << true;
        QTest::newRow("any level, none") << "**/*.sql"
                                         << "c.sql" << true;
        QTest::newRow("either") << "*.{up,do}.sql"
                                << "1.do.sql" << true;
        QTest::newRow("neither") << "*.{up,do}.sql"
                                 << "1.down.sql" << false;
        QTest::newRow("the dot is a dot") << "*.sql"
                                          << "1_asql" << false;
        QTest::newRow("signs of expressions") << "a+(1)?.sql"
                                              << "a+(1)x.sql" << true;
    }

    void matches()
    {
        QFETCH(QString, pattern);
        QFETCH(QString, name);
        QFETCH(bool, taken);
        QCOMPARE(migrationPattern(pattern).match(name).hasMatch(), taken);
    }

    void findsTheInnerPattern()
    {
        QCOMPARE(patternInside("/x/migrations", "migrations/*/migration.sql"), QString("*/migration.sql"));
        QCOMPARE(patternInside("/x/db/migrations", "./db/migrations/*.sql"), QString("*.sql"));
        QCOMPARE(patternInside("/x/migrations", "/x/migrations/*.sql"), QString("*.sql"));
        QCOMPARE(patternInside("/x/migrations", "*/up.sql"), QString("*/up.sql"));
    }
};

QTEST_APPLESS_MAIN(MigrationOrderTest)
#include "migration_order_test.moc"
