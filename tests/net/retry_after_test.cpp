#include "core/net/retry_after.h"

#include <QTest>

using namespace redrive;

namespace {

constexpr qint64 kNow = 784'111'777'000; // Sun, 06 Nov 1994 08:49:37 GMT
constexpr qint64 kIgnored = -1;

} // namespace

class RetryAfterTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void reads_data();
    void reads();
};

void RetryAfterTest::reads_data()
{
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<qint64>("waitMs");
    const auto row = [](const char* value, qint64 waitMs) {
        QTest::newRow(*value ? value : "empty") << QByteArray(value) << waitMs;
    };
    row("120", 120'000);
    row(" 120 ", 120'000);
    row("0", 0);
    row("0005", 5'000);
    row("86400", kRetryAfterCapMs);
    row("86401", kRetryAfterCapMs);
    row("100000000000000000000", kRetryAfterCapMs);
    row("abc", kIgnored);
    row("-5", kIgnored);
    row("+5", kIgnored);
    row("1.5", kIgnored);
    row("1e3", kIgnored);
    row("", kIgnored);
    row("Sun, 06 Nov 1994 08:51:37 GMT", 120'000);
    row("Sunday, 06-Nov-94 08:51:37 GMT", 120'000);
    row("Sun Nov  6 08:51:37 1994", 120'000);
    row("Sat, 05 Nov 1994 08:49:37 GMT", 0);
    row("Mon, 06 Nov 2094 08:49:37 GMT", kIgnored); // that day is a Saturday
    row("Sat, 06 Nov 2094 08:49:37 GMT", kRetryAfterCapMs);
    row("Sun, 06 Nov 1994 08:51:37 CET", kIgnored);
    row("Sun, 31 Feb 1994 08:51:37 GMT", kIgnored);
}

void RetryAfterTest::reads()
{
    QFETCH(QByteArray, value);
    QFETCH(qint64, waitMs);
    QCOMPARE(retryAfterMs(value, kNow).value_or(kIgnored), waitMs);
}

QTEST_APPLESS_MAIN(RetryAfterTest)
#include "retry_after_test.moc"
