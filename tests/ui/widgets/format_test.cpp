#include "core/base/result.h"
#include "ui/models/english_plurals.h"
#include "ui/models/format.h"

#include <QTest>

#include <cmath>

using namespace redrive;

class FormatTest final : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { QCoreApplication::installTranslator(new EnglishPlurals(this)); }

    void numbers_data()
    {
        QTest::addColumn<qint64>("value");
        QTest::addColumn<QString>("text");
        QTest::newRow("zero") << qint64(0) << u"0"_s;
        QTest::newRow("three digits") << qint64(999) << u"999"_s;
        QTest::newRow("four digits") << qint64(1204) << u"1\u202F204"_s;
        QTest::newRow("a million") << qint64(1'000'000) << u"1\u202F000\u202F000"_s;
        QTest::newRow("negative") << qint64(-12'345) << u"\u221212\u202F345"_s;
        QTest::newRow("smallest") << std::numeric_limits<qint64>::min()
                                  << u"\u22129\u202F223\u202F372\u202F036\u202F854\u202F775\u202F808"_s;
    }
    void numbers()
    {
        QFETCH(qint64, value);
        QTEST(format::number(value), "text");
    }

    void decimals()
    {
        QCOMPARE(format::number(1234.56, 1), u"1\u202F234.6"_s);
        QCOMPARE(format::number(-0.01, 1), u"0.0"_s);
        QCOMPARE(format::number(std::nan(""), 1), format::unknown());
        QCOMPARE(format::percent(0.6610), u"66.10\u202F%"_s);
    }

    void sizes()
    {
        QCOMPARE(format::bytes(1), u"1 byte"_s);
        QCOMPARE(format::bytes(1412), u"1\u202F412 bytes"_s);
        QCOMPARE(format::bytes(52'428'800), u"52\u202F428\u202F800 bytes"_s);
        QCOMPARE(format::size(52'428'800), u"50 MiB"_s);
        QCOMPARE(format::size(1536), u"1.5 KiB"_s);
    }

    void durations_data()
    {
        QTest::addColumn<qint64>("ms");
        QTest::addColumn<QString>("age");
        QTest::addColumn<QString>("duration");
        QTest::addColumn<QString>("elapsed");
        QTest::addColumn<QString>("countdown");
        QTest::newRow("past") << qint64(-5) << u"0 s"_s << u"0 s"_s << u"0 ms"_s << u"0:00"_s;
        QTest::newRow("412 ms") << qint64(412) << u"0 s"_s << u"0 s"_s << u"412 ms"_s << u"0:01"_s;
        QTest::newRow("42 s") << qint64(42'000) << u"42 s"_s << u"42 s"_s << u"42 s"_s << u"0:42"_s;
        QTest::newRow("3.2 s") << qint64(3'200) << u"3 s"_s << u"3 s"_s << u"3.2 s"_s << u"0:04"_s;
        QTest::newRow("2:31") << qint64(151'000) << u"2 min"_s << u"2 min 31 s"_s << u"2 min 31 s"_s
                              << u"2:31"_s;
        QTest::newRow("hours") << qint64(51'660'000) << u"14 h"_s << u"14 h 21 min"_s << u"14 h 21 min"_s
                               << u"14:21:00"_s;
        QTest::newRow("days") << qint64(180'183'000) << u"2 d"_s << u"2 d 2 h"_s << u"2 d 2 h"_s
                              << u"2 d 02:03:03"_s;
        QTest::newRow("whole hour") << qint64(3'600'000) << u"1 h"_s << u"1 h"_s << u"1 h"_s << u"1:00:00"_s;
    }
    void durations()
    {
        QFETCH(qint64, ms);
        QTEST(format::age(ms), "age");
        QTEST(format::duration(ms), "duration");
        QTEST(format::elapsed(ms), "elapsed");
        QTEST(format::countdown(ms), "countdown");
    }

    void times()
    {
        const qint64 now = 1'796'048'482'000; // 2026-11-30 14:21:22 UTC
        QCOMPARE(format::clockTime(now - 13'000, format::Zone::Utc, now), u"14:21:09"_s);
        QCOMPARE(format::clockTime(now - 86'400'000, format::Zone::Utc, now), u"29 Nov 14:21:22"_s);
        QCOMPARE(format::clockTime(now - 370 * 86'400'000LL, format::Zone::Utc, now),
                 u"2025-11-25 14:21:22"_s);
        QCOMPARE(format::clockTime(0, format::Zone::Utc, now), format::unknown());
        QCOMPARE(format::fullTime(now + 123, format::Zone::Utc), u"Mon 30 Nov 2026, 14:21:22.123 UTC"_s);
    }

    void ids()
    {
        QCOMPARE(format::shortId(u"01a22cd4-1b11-7c3e-a4f0-2d8e61b03346"_s), u"01a22cd4\u20263346"_s);
        QCOMPARE(format::shortId(u"kestrel-pay"_s), u"kestrel-pay"_s);
    }

    void outsideText()
    {
        QCOMPARE(format::firstLine(u"one \r\ntwo"_s), u"one"_s);
        QCOMPARE(format::firstLine(u"a\tb\u202Ec"_s), u"a b c"_s);
        const auto tip = format::plainToolTip(u"<img src=\"/dev/zero\">\nsecond"_s);
        QVERIFY(!tip.contains(u"<img"));
        QVERIFY(tip.contains(u"&lt;img"));
        QVERIFY(format::plainToolTip({}).isEmpty());
    }
};

QTEST_GUILESS_MAIN(FormatTest)
#include "format_test.moc"
