#include "core/config/cron_expression.h"

#include <QDateTime>
#include <QTest>
#include <QTimeZone>

using namespace redrive;

namespace {

qint64 ms(const QString& utc)
{
    return QDateTime::fromString(utc + u":00Z"_s, Qt::ISODate).toMSecsSinceEpoch();
}

QString text(qint64 wallMs)
{
    return wallMs < 0 ? u"never"_s
                      : QDateTime::fromMSecsSinceEpoch(wallMs, Qt::UTC).toString(u"ddd yyyy-MM-ddThh:mm"_s);
}

} // namespace

class CronExpressionTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void nextAfter_data()
    {
        QTest::addColumn<QString>("cron");
        QTest::addColumn<QString>("after");
        QTest::addColumn<QStringList>("times");
        const auto row = [](const char* cron, const char* after, const QStringList& times) {
            QTest::addRow("%s after %s", cron, after)
                << QString::fromLatin1(cron) << QString::fromLatin1(after) << times;
        };
        // 2026-11-01 is a Sunday.
        row("*/5 * * * *", "2026-11-01T10:03", {u"Sun 2026-11-01T10:05"_s, u"Sun 2026-11-01T10:10"_s});
        row("*/5 * * * *", "2026-11-01T10:05", {u"Sun 2026-11-01T10:10"_s});
        row("* * * * *", "2026-12-31T23:59", {u"Fri 2027-01-01T00:00"_s});
        row("0 17 * * 1", "2026-11-02T00:00", {u"Sun 2026-11-08T17:00"_s, u"Sun 2026-11-15T17:00"_s});
        row("0 22 * * SUN", "2026-11-01T22:00", {u"Sun 2026-11-08T22:00"_s});
        row("10 7 * * 2-6", "2026-11-06T07:10", {u"Mon 2026-11-09T07:10"_s, u"Tue 2026-11-10T07:10"_s});
        row("10 7 * * mon-fri", "2026-11-05T08:00", {u"Fri 2026-11-06T07:10"_s, u"Mon 2026-11-09T07:10"_s});
        row("0 0 * * FRI-MON", "2026-11-02T00:00",
            {u"Fri 2026-11-06T00:00"_s, u"Sat 2026-11-07T00:00"_s, u"Sun 2026-11-08T00:00"_s,
             u"Mon 2026-11-09T00:00"_s, u"Fri 2026-11-13T00:00"_s});
        row("0 0 * * L", "2026-11-01T00:00", {u"Sat 2026-11-07T00:00"_s});
        // the month's last workday
        row("59 23 LW * *", "2026-10-01T00:00",
            {u"Fri 2026-10-30T23:59"_s, u"Mon 2026-11-30T23:59"_s, u"Thu 2026-12-31T23:59"_s,
             u"Fri 2027-01-29T23:59"_s, u"Fri 2027-02-26T23:59"_s});
        // the month's last Friday
        row("0 18 * * 6L", "2026-10-30T18:00", {u"Fri 2026-11-27T18:00"_s, u"Fri 2026-12-25T18:00"_s});
        row("0 18 * * FRIL", "2026-11-27T18:00", {u"Fri 2026-12-25T18:00"_s});
        row("0 9 * * SUN#2", "2026-11-01T00:00", {u"Sun 2026-11-08T09:00"_s, u"Sun 2026-12-13T09:00"_s});
        row("0 9 * * 1#5", "2026-11-30T00:00", {u"Sun 2027-01-31T09:00"_s, u"Sun 2027-05-30T09:00"_s});
        row("0 0 L * *", "2028-01-31T00:00",
            {u"Tue 2028-02-29T00:00"_s, u"Fri 2028-03-31T00:00"_s, u"Sun 2028-04-30T00:00"_s});
        row("0 0 L 2 *", "2098-12-31T00:00", {u"Sat 2099-02-28T00:00"_s, u"Sun 2100-02-28T00:00"_s});
        row("0 0 L-3 * *", "2026-02-01T00:00", {u"Wed 2026-02-25T00:00"_s, u"Sat 2026-03-28T00:00"_s});
        row("0 0 L-1W * *", "2026-10-31T00:00", {u"Mon 2026-11-30T00:00"_s, u"Wed 2026-12-30T00:00"_s});
        row("0 0 29 2 *", "2026-01-01T00:00", {u"Tue 2028-02-29T00:00"_s, u"Sun 2032-02-29T00:00"_s});
        row("0 0 29 2 *", "2096-02-29T00:00", {u"Fri 2104-02-29T00:00"_s});
        row("0 0 31 * *", "2026-03-31T00:00", {u"Sun 2026-05-31T00:00"_s, u"Fri 2026-07-31T00:00"_s});
        row("0 0 30 2 *", "2026-01-01T00:00", {u"never"_s});
        row("0 0 31 4,6,9,11 *", "2026-01-01T00:00", {u"never"_s});
        // nearest workday, never in another month: the 1st a Sunday or Saturday, the 31st a Sunday
        row("0 0 1W * *", "2026-10-31T00:00", {u"Mon 2026-11-02T00:00"_s, u"Tue 2026-12-01T00:00"_s});
        row("0 0 1W 8 *", "2026-01-01T00:00", {u"Mon 2026-08-03T00:00"_s});
        row("0 0 15W * *", "2026-11-01T00:00", {u"Mon 2026-11-16T00:00"_s, u"Tue 2026-12-15T00:00"_s});
        row("0 0 14W * *", "2026-11-01T00:00", {u"Fri 2026-11-13T00:00"_s});
        row("0 0 31W * *", "2026-05-01T00:00", {u"Fri 2026-05-29T00:00"_s, u"Fri 2026-07-31T00:00"_s});
        // either matches where both are restricted; */2 counts as a restriction, * does not
        row("0 0 13 * FRI", "2026-11-07T00:00",
            {u"Fri 2026-11-13T00:00"_s, u"Fri 2026-11-20T00:00"_s, u"Fri 2026-11-27T00:00"_s,
             u"Fri 2026-12-04T00:00"_s, u"Fri 2026-12-11T00:00"_s, u"Sun 2026-12-13T00:00"_s});
        row("0 0 13 * *", "2026-11-01T00:00", {u"Fri 2026-11-13T00:00"_s, u"Sun 2026-12-13T00:00"_s});
        row("0 0 */10 * SUN", "2026-11-02T00:00",
            {u"Sun 2026-11-08T00:00"_s, u"Wed 2026-11-11T00:00"_s, u"Sun 2026-11-15T00:00"_s,
             u"Sat 2026-11-21T00:00"_s});
        row("0 0 1 JAN *", "2026-01-01T00:00", {u"Fri 2027-01-01T00:00"_s});
        row("0 0 1 nov-FEB *", "2026-11-01T00:00",
            {u"Tue 2026-12-01T00:00"_s, u"Fri 2027-01-01T00:00"_s, u"Mon 2027-02-01T00:00"_s,
             u"Mon 2027-11-01T00:00"_s});
        row("50-10/10 3 * * *", "2026-11-01T03:10", {u"Sun 2026-11-01T03:50"_s, u"Mon 2026-11-02T03:00"_s});
        row("0 22-2 * * *", "2026-11-01T22:00", {u"Sun 2026-11-01T23:00"_s, u"Mon 2026-11-02T00:00"_s});
        row("5/20 0 * * *", "2026-11-01T00:05",
            {u"Sun 2026-11-01T00:25"_s, u"Sun 2026-11-01T00:45"_s, u"Mon 2026-11-02T00:05"_s});
        row("1,30-32,59 12 * * *", "2026-11-01T12:01",
            {u"Sun 2026-11-01T12:30"_s, u"Sun 2026-11-01T12:31"_s, u"Sun 2026-11-01T12:32"_s,
             u"Sun 2026-11-01T12:59"_s});
        row("0 0 * * *", "1969-12-30T12:00", {u"Wed 1969-12-31T00:00"_s, u"Thu 1970-01-01T00:00"_s});
    }

    void nextAfter()
    {
        QFETCH(QString, cron);
        QFETCH(QString, after);
        QFETCH(QStringList, times);
        const auto parsed = CronExpression::parse(cron);
        QVERIFY2(parsed, parsed ? "" : qPrintable(parsed.error().message));
        qint64 now = ms(after);
        for (const QString& expected : times) {
            const qint64 next = parsed->nextAfter(now);
            QVERIFY(next == -1 || next > now || now < 0);
            QCOMPARE(text(next),
                     expected == u"Wed 1969-12-31T00:00"_s ? text(ms(u"1969-12-31T00:00"_s)) : expected);
            now = next;
        }
    }

    void isStrictlyLater()
    {
        const auto cron = CronExpression::parse(u"0 12 * * *"_s);
        const qint64 noon = ms(u"2026-11-01T12:00"_s);
        QCOMPARE(cron->nextAfter(noon - 1), noon);
        QCOMPARE(cron->nextAfter(noon), noon + 86'400'000);
        QCOMPARE(cron->nextAfter(noon + 59'999), noon + 86'400'000);
    }

    void mondayToFridayIsNeverSunday()
    {
        const auto cron = CronExpression::parse(u"30 */6 * * MON-FRI"_s);
        qint64 now = ms(u"2024-01-01T00:00"_s);
        for (int i = 0; i < 4'000; ++i) {
            now = cron->nextAfter(now);
            const int day = QDateTime::fromMSecsSinceEpoch(now, Qt::UTC).date().dayOfWeek();
            QVERIFY(day >= 1 && day <= 5);
        }
    }

    void survivesAbsurdTimes()
    {
        const auto cron = CronExpression::parse(u"* * * * *"_s);
        QCOMPARE(cron->nextAfter(std::numeric_limits<qint64>::max()), -1);
        QCOMPARE(cron->nextAfter(std::numeric_limits<qint64>::min()), -62'135'596'740'000);
    }

    void refuses_data()
    {
        QTest::addColumn<QString>("cron");
        QTest::addColumn<QString>("reason");
        const auto row = [](const char* cron, const char* reason) {
            QTest::addRow("%s", cron) << QString::fromLatin1(cron) << QString::fromLatin1(reason);
        };
        row("0 22 * * 0",
            "weekday: 0 is not allowed: weekdays are 1 to 7 and Sunday is 1 (or SUN), as on Cloudflare");
        row("0 22 * * 0-4",
            "weekday: 0 is not allowed: weekdays are 1 to 7 and Sunday is 1 (or SUN), as on Cloudflare");
        row("0 22 * * 0L",
            "weekday: 0 is not allowed: weekdays are 1 to 7 and Sunday is 1 (or SUN), as on Cloudflare");
        row("0 22 * * 8", "weekday: 8 is out of range, allowed are 1 to 7 or SUN to SAT");
        row("60 * * * *", "minute: 60 is out of range, allowed are 0 to 59");
        row("* 24 * * *", "hour: 24 is out of range, allowed are 0 to 23");
        row("* * 0 * *", "day of month: 0 is out of range, allowed are 1 to 31");
        row("* * 32W * *", "day of month: 32 is out of range, allowed are 1 to 31");
        row("* * L-31 * *", "L-1 to L-30");
        row("* * * 13 *", "month: 13 is out of range, allowed are 1 to 12 or JAN to DEC");
        row("* * * FOO *", "month: \"FOO\" is not a value, allowed are 1 to 12 or JAN to DEC");
        row("* * * *", "\"* * * *\" has 4 fields, a cron expression has five: minute, hour, day of month, "
                       "month, weekday");
        row("* * * * * *", "has 6 fields");
        row("", "has 0 fields");
        row("@daily", "has 1 fields");
        row("*/0 * * * *", "minute: the step \"0\" is not allowed, it must be 1 to 59");
        row("*/60 * * * *", "minute: the step \"60\" is not allowed, it must be 1 to 59");
        row("*/ * * * *", "minute: the step \"\" is not allowed");
        row("1,,2 * * * *", "minute: \"\" is not a value");
        row("-1 * * * *", "minute: \"\" is not a value");
        row("+1 * * * *", "minute: \"+1\" is not a value");
        row("1-2-3 * * * *", "minute: \"2-3\" is not a value");
        row("99999999999 * * * *", "minute: \"99999999999\" is not a value");
        row("* * * * SUN#6", "weekday: \"6\" after # is not allowed, it must be 1 to 5");
        row("* * * * #2", "weekday: \"\" is not a value");
        row("* * ? * *", "day of month: \"?\" is not a value");
        row("? * * * W", "minute: \"?\" is not a value");
    }

    void refuses()
    {
        QFETCH(QString, cron);
        QFETCH(QString, reason);
        const auto parsed = CronExpression::parse(cron);
        QVERIFY(!parsed);
        QCOMPARE(parsed.error().kind, ErrorKind::InvalidInput);
        QVERIFY2(parsed.error().message.contains(reason), qPrintable(parsed.error().message));
    }

    void keepsItsText() { QCOMPARE(CronExpression::parse(u"  */5  *\t* * * "_s)->text(), u"*/5 * * * *"_s); }
};

QTEST_APPLESS_MAIN(CronExpressionTest)
#include "cron_expression_test.moc"
