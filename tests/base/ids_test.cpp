#include "core/base/ids.h"

#include <QSet>
#include <QTest>

using namespace redrive;

class IdsTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void sortsByTheOrderTheyWereMade()
    {
        QString previous;
        for (int i = 0; i < 20'000; ++i) {
            const QString id = newId(1'900'000'000'000 + i / 5'000);
            QVERIFY2(id > previous, qPrintable(previous));
            previous = id;
        }
    }

    void neverStepsBackWithTheClock()
    {
        const QString before = newId(1'950'000'000'000);
        QVERIFY(newId(1'940'000'000'000) > before);
    }

    void carriesVersionVariantAndTime()
    {
        const QString id = newId(1'960'000'000'000);
        QVERIFY(looksLikeId(id));
        QCOMPARE(id[14], u'7');
        QVERIFY(QStringView(u"89ab").contains(id[19]));
        QCOMPARE(idTimeMs(id), 1'960'000'000'000);
    }

    void refusesOtherText_data()
    {
        QTest::addColumn<QString>("text");
        QTest::newRow("empty") << QString();
        QTest::newRow("short") << QStringLiteral("0192f");
        QTest::newRow("letters") << QStringLiteral("zzzzzzzz-zzzz-7zzz-8zzz-zzzzzzzzzzzz");
        QTest::newRow("no dashes") << QString(36, u'a');
    }
    void refusesOtherText()
    {
        QFETCH(QString, text);
        QVERIFY(!looksLikeId(text));
        QCOMPARE(idTimeMs(text), -1);
    }
};

QTEST_APPLESS_MAIN(IdsTest)
#include "ids_test.moc"
