#include "core/intake/bearer_tokens.h"
#include "core/intake/head_scanner.h"
#include "core/intake/host_rules.h"
#include "core/intake/http_server.h"
#include "core/intake/media_rules.h"

#include <QRandomGenerator>
#include <QTest>

#include <array>
#include <chrono>
#include <cmath>
#include <numeric>

using namespace redrive;

class RulesTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void judgesHosts_data();
    void judgesHosts();
    void judgesOrigins_data();
    void judgesOrigins();
    void judgesTokens();
    void comparesEveryByte();
    void takesTheSameTimeForEveryByte();
    void judgesMedia();
    void keepsHeadLimits_data();
    void keepsHeadLimits();
};

void RulesTest::judgesHosts_data()
{
    QTest::addColumn<QByteArray>("host");
    QTest::addColumn<bool>("good");
    for (const char* host :
         {"localhost", "LocalHost:1", "127.0.0.1:8787", "[::1]", "[::1]:65535", "jobs.example",
          "JOBS.example:99", "fixed.example:8443", "127.0.0.5:80", "localhost:"})
        QTest::newRow(host) << QByteArray(host) << true;
    for (const char* host :
         {"", ":80", "evil", "localhost.", "localhost:123456", "localhost:-1", "127.0.0.2", "::1", "[::1]x",
          "[::2]", "fixed.example", "fixed.example:80", "jobs.example.evil", "xjobs.example", "localhost/",
          "localhost 127.0.0.1", "localhost,evil"})
        QTest::newRow(*host ? host : "(empty)") << QByteArray(host) << false;
}

void RulesTest::judgesHosts()
{
    QFETCH(QByteArray, host);
    QFETCH(bool, good);
    const HostRules rules({u"Jobs.example"_s, u"fixed.example:8443"_s}, {u"127.0.0.5"_s});
    QCOMPARE(rules.accepts(host), good);
}

void RulesTest::judgesOrigins_data()
{
    QTest::addColumn<QByteArray>("origin");
    QTest::addColumn<QByteArray>("site");
    QTest::addColumn<bool>("good");
    QTest::newRow("none") << QByteArray() << QByteArray() << true;
    QTest::newRow("own") << QByteArray("http://localhost:8787") << QByteArray("same-origin") << true;
    QTest::newRow("own behind TLS") << QByteArray("https://LOCALHOST:8787") << QByteArray() << true;
    QTest::newRow("typed") << QByteArray() << QByteArray("none") << true;
    QTest::newRow("cross-site") << QByteArray() << QByteArray("cross-site") << false;
    QTest::newRow("other port") << QByteArray("http://localhost:1") << QByteArray("same-site") << false;
    QTest::newRow("null") << QByteArray("null") << QByteArray() << false;
    QTest::newRow("empty") << QByteArray("") << QByteArray() << false;
    QTest::newRow("other") << QByteArray("https://evil.example") << QByteArray() << false;
}

void RulesTest::judgesOrigins()
{
    QFETCH(QByteArray, origin);
    QFETCH(QByteArray, site);
    QFETCH(bool, good);
    HttpHead head;
    head.fields[std::size_t(HttpField::Host)] = "localhost:8787";
    if (!origin.isNull())
        head.fields[std::size_t(HttpField::Origin)] = origin;
    if (!site.isNull())
        head.fields[std::size_t(HttpField::SecFetchSite)] = site;
    QCOMPARE(HostRules::sameSite(head), good);
}

void RulesTest::judgesTokens()
{
    const BearerTokens tokens({{bearerTokenHash("one"), 1, {}, {}}, {bearerTokenHash("two"), 2, 1'000, {}}});
    QCOMPARE(tokens.find("Bearer one", 5'000)->tokenNo, 1);
    QCOMPARE(tokens.find("bearer  two", 999)->tokenNo, 2);
    QVERIFY(!tokens.find("Bearer two", 1'000));
    for (const char* other : {"", "one", "Bearer", "Bearer ", "Bearer on", "Bearer onee", "Bearer ONE",
                              "Basic one", "Bearer one two", "Bearerone"})
        QVERIFY2(!tokens.find(other, 0), other);
    QVERIFY(!tokens.find({}, 0));
    QVERIFY(!BearerTokens({}).find("Bearer ", 0));
    QVERIFY(!BearerTokens({{bearerTokenHash(""), 1, {}, {}}}).find("Bearer ", 0));
}

void RulesTest::comparesEveryByte()
{
    const QByteArray hash = bearerTokenHash("one");
    QVERIFY(equalInConstantTime(hash, hash));
    for (qsizetype i = 0; i < hash.size(); ++i) {
        for (int bit = 0; bit < 8; ++bit) {
            QByteArray other = hash;
            other[i] = char(other[i] ^ (1 << bit));
            QVERIFY(!equalInConstantTime(hash, other));
        }
    }
}

namespace {

struct TimeDifference
{
    double t = 0;        // Welch's
    double fraction = 0; // of the mean
};

// Times of a first and of a last byte that differs, in mixed order; the slowest tenth is the machine's.
TimeDifference measureComparison(quint32 seed)
{
    constexpr int kSamples = 200'000;
    const QByteArray hash = bearerTokenHash("one");
    QByteArray other = hash; // one place in memory for both
    std::array<std::vector<double>, 2> times;
    QRandomGenerator random(seed);
    for (int i = 0; i < kSamples; ++i) {
        const int which = int(random.bounded(2));
        std::copy(hash.begin(), hash.end(), other.begin());
        const qsizetype at = 31 * which; // without a branch that could be guessed wrong
        other[at] = char(hash[at] ^ 1);
        bool equal = false;
        for (int call = 0; call < 4; ++call)
            equal |= equalInConstantTime(hash, other); // what was just written has settled
        const auto begin = std::chrono::steady_clock::now();
        for (int call = 0; call < 16; ++call)
            equal |= equalInConstantTime(hash, other);
        const auto end = std::chrono::steady_clock::now();
        if (!equal)
            times[std::size_t(which)].push_back(double((end - begin).count()));
    }
    std::array<double, 2> mean{};
    double spread = 0;
    for (const std::size_t which : {0U, 1U}) {
        auto& sample = times[which];
        std::sort(sample.begin(), sample.end());
        sample.resize(sample.size() * 9 / 10);
        const double count = double(sample.size());
        mean[which] = std::accumulate(sample.begin(), sample.end(), 0.0) / count;
        double squares = 0;
        for (const double time : sample)
            squares += (time - mean[which]) * (time - mean[which]);
        spread += squares / (count - 1) / count;
    }
    const double difference = mean[0] - mean[1];
    return {difference / std::sqrt(std::max(spread, 1e-12)), difference / mean[0]};
}

} // namespace

// A busy machine shows differences too, but not the same ones again and again. One byte less to look at would
// be three in a hundred.
void RulesTest::takesTheSameTimeForEveryByte()
{
    constexpr int kRounds = 5;
    TimeDifference last;
    for (quint32 round = 1; round <= kRounds; ++round) {
        last = measureComparison(round);
        if (std::abs(last.t) < 4.5 || std::abs(last.fraction) < 0.005)
            return;
    }
    QFAIL(qPrintable(u"t is %1, the difference %2 of the mean"_s.arg(last.t).arg(last.fraction)));
}

void RulesTest::judgesMedia()
{
    for (const char* type : {"", "application/json", "text/plain", "application/x-www-form-urlencoded",
                             "application/json; charset=utf-8", "application/json;charset=\"UTF-8\"",
                             "a/b; CHARSET = utf8", "a/b; boundary=x"})
        QVERIFY2(isReadableMedia(type, {}), type);
    for (const char* type : {"application/json; charset=latin1", "a/b;x=y;charset=utf-16",
                             "a/b; charset=", "a/b; charset=utf-8; charset=latin1"})
        QVERIFY2(!isReadableMedia(type, {}), type);
    QVERIFY(isReadableMedia({}, "identity"));
    for (const char* coding : {"gzip", "br", "identity, gzip", "deflate"})
        QVERIFY2(!isReadableMedia({}, coding), coding);
}

void RulesTest::keepsHeadLimits_data()
{
    QTest::addColumn<QByteArray>("head");
    QTest::addColumn<int>("status"); // 0: complete
    const auto target = [](int size) {
        return "GET /" + QByteArray(size - 1, 'a') + " HTTP/1.1\r\nHost: a\r\n\r\n";
    };
    const auto count = [](int fields) {
        return "GET / HTTP/1.1\r\nHost: a\r\n" + QByteArray("X: 1\r\n").repeated(fields - 1) + "\r\n";
    };
    const auto size = [](int bytes) {
        return "GET / HTTP/1.1\r\nHost: a\r\nX:" + QByteArray(bytes - 9 - 4, 'a') + "\r\n\r\n";
    };
    const auto spread = [](int bytes) { // over many lines
        const QByteArray line = "X:" + QByteArray(1020, 'a') + "\r\n";
        return "GET / HTTP/1.1\r\nHost: a\r\n" + line.repeated(15) +
               "X:" + QByteArray(bytes - 9 - 15 * 1024 - 4, 'a') + "\r\n\r\n";
    };
    for (const int by : {-1, 0, 1}) {
        QTest::addRow("target %d", by) << target(8192 + by) << (by > 0 ? 414 : 0);
        QTest::addRow("fields %d", by) << count(64 + by) << (by > 0 ? 431 : 0);
        QTest::addRow("bytes %d", by) << size(16384 + by) << (by > 0 ? 431 : 0);
        QTest::addRow("bytes in lines %d", by) << spread(16384 + by) << (by > 0 ? 431 : 0);
    }
}

void RulesTest::keepsHeadLimits()
{
    QFETCH(QByteArray, head);
    QFETCH(int, status);
    const HttpLimits limits;
    HeadScanner scanner(limits);
    const auto state = scanner.scan(head);
    QCOMPARE(int(state), int(status ? HeadScanner::State::Failed : HeadScanner::State::Complete));
    if (status)
        QCOMPARE(scanner.problem().status, status);
    else
        QCOMPARE(scanner.size(), head.size());
    HeadScanner slow(limits);
    HeadScanner::State reached = HeadScanner::State::NeedMore;
    for (qsizetype size = 1; size <= head.size() && reached == HeadScanner::State::NeedMore; ++size)
        reached = slow.scan(QByteArrayView(head).first(size));
    QCOMPARE(int(reached), int(state));
    if (status)
        QCOMPARE(slow.problem().status, status);
}

QTEST_APPLESS_MAIN(RulesTest)
#include "rules_test.moc"
