#include "core/intake/access_rules.h"
#include "tests/intake/session_rig.h"

#include <QTest>

using namespace redrive;
using namespace redrive::test;

namespace {

constexpr ClientAddress kHere{0, 1, true};
constexpr ClientAddress kThere{0x2001'0db8'0000'0001, 0, false};

// Rules and a clock of their own.
struct Rig
{
    explicit Rig(std::shared_ptr<TokenBook> book = bookOf({"one", "two"}), AccessLimits limits = {})
        : tokens(std::move(book)), rules(tokens, limits)
    {
    }
    // The status; 0: may come in.
    int admit(const QByteArray& token, const ClientAddress& client = kHere,
              TokenScope door = TokenScope::Everything)
    {
        problem = rules.admit(token.isNull() ? QByteArray() : "Bearer " + token, client, 1'000'000 + nowMs,
                              nowMs, name, door);
        return problem ? problem->status : 0;
    }
    std::shared_ptr<TokenBook> tokens;
    AccessRules rules;
    qint64 nowMs = 5'000;
    QString name;
    std::optional<HttpProblem> problem;
};

} // namespace

class AccessRulesTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void needsNothingWithoutTokens()
    {
        Rig rig(nullptr);
        QCOMPARE(rig.admit({}), 0);
        QVERIFY(rig.name.isEmpty());
        Rig none(std::make_shared<TokenBook>());
        QCOMPARE(none.admit({}), 0);
        QCOMPARE(none.admit("anything"), 0);
    }

    // The last token is gone: that opens nothing.
    void staysShutWithoutTokens()
    {
        Rig rig(bookOf({}));
        QCOMPARE(rig.admit({}), 401);
        QCOMPARE(rig.admit("one"), 401);
    }

    // Events always need a token, and one that is for them alone opens nothing else.
    void eventsHaveADoorOfTheirOwn()
    {
        const auto events = [](Rig& rig, const QByteArray& token) {
            return rig.admit(token, kHere, TokenScope::Ingest);
        };
        Rig without(nullptr);
        QCOMPARE(events(without, {}), 401);
        Rig empty(std::make_shared<TokenBook>());
        QCOMPARE(events(empty, "one"), 401);
        QCOMPARE(empty.admit({}), 0);

        Rig rig;
        const TokenSecret app{bearerTokenHash("app"), 7, {}, {}, TokenScope::Ingest};
        rig.tokens->replace({app}, false);
        QCOMPARE(rig.admit({}), 0);
        QCOMPARE(events(rig, {}), 401);
        QCOMPARE(events(rig, "app"), 0);
        QCOMPARE(rig.name, u"7"_s);
        const TokenSecret both{bearerTokenHash("app"), 8, {}, {}};
        rig.tokens->replace({{bearerTokenHash("one"), 1, {}, {}}, app}, true);
        QCOMPARE(rig.admit("app"), 401);
        QCOMPARE(events(rig, "one"), 0);
        for (const QList<TokenSecret>& secrets : {QList{app, both}, QList{both, app}}) {
            rig.tokens->replace(secrets, true); // one secret under two names
            QCOMPARE(rig.admit("app"), 0);
            QCOMPARE(events(rig, "app"), 0);
        }
        rig.tokens->replace(
            {{bearerTokenHash("c"), TokenBook::kConfiguredIngest, {}, {}, TokenScope::Ingest}}, false);
        QCOMPARE(events(rig, "c"), 0);
        QCOMPARE(rig.name, u"ingest configuration"_s);
    }

    void namesTheToken()
    {
        Rig rig;
        QCOMPARE(rig.admit("two"), 0);
        QCOMPARE(rig.name, u"2"_s);
        rig.tokens->replace({{bearerTokenHash("secret"), TokenBook::kConfigured, {}, {}}}, true);
        QCOMPARE(rig.admit("two"), 401);
        QCOMPARE(rig.admit("secret"), 0);
        QCOMPARE(rig.name, u"configuration"_s);
    }

    void tenFailuresAMinuteAndAddress()
    {
        Rig rig;
        for (int i = 0; i < 10; ++i, rig.nowMs += 1'000)
            QCOMPARE(rig.admit(i % 2 ? QByteArray() : QByteArray("wrong")), 401);
        QCOMPARE(rig.admit("wrong"), 429);
        QCOMPARE(rig.problem->retryAfterSeconds, 50);
        QCOMPARE(QByteArray(rig.problem->code), "too_many_requests");
        QCOMPARE(rig.admit("one"), 0); // a valid one is never refused for it
        QCOMPARE(rig.admit("wrong", kThere), 401);
        rig.nowMs += 49'999;
        QCOMPARE(rig.admit("wrong"), 429);
        rig.nowMs += 1;
        QCOMPARE(rig.admit("wrong"), 401);
        QCOMPARE(rig.admit("wrong"), 429);
    }

    void manyAddressesTakeNoMoreThanTheirPlace()
    {
        Rig rig;
        for (quint64 i = 0; i < 20'000; ++i)
            QCOMPARE(rig.admit("wrong", {i, 0, false}), 401);
        QCOMPARE(rig.admit("one", {5, 0, false}), 0);
    }

    void countsRequestsPerToken()
    {
        Rig rig(bookOf({"one", "two"}), {.ratePerSecond = 4});
        for (int i = 0; i < 4; ++i)
            QCOMPARE(rig.admit("one"), 0);
        QCOMPARE(rig.admit("one"), 429);
        QCOMPARE(rig.problem->retryAfterSeconds, 1);
        QCOMPARE(rig.admit("two"), 0);
        rig.nowMs += 250;
        QCOMPARE(rig.admit("one"), 0);
        QCOMPARE(rig.admit("one"), 429);
        rig.nowMs += 3'600'000; // no more than a second's worth is saved up
        for (int i = 0; i < 4; ++i)
            QCOMPARE(rig.admit("one"), 0);
        QCOMPARE(rig.admit("one"), 429);
    }

    void aTokensOwnRateWins()
    {
        Rig rig(nullptr, {.ratePerSecond = 1});
        QCOMPARE(rig.admit({}), 0);
        QCOMPARE(rig.admit({}), 429);

        auto book = std::make_shared<TokenBook>();
        book->replace({{bearerTokenHash("slow"), 1, {}, 0.1}}, true);
        Rig own(book, {.ratePerSecond = 1'000});
        QCOMPARE(own.admit("slow"), 0);
        QCOMPARE(own.admit("slow"), 429);
        QCOMPARE(own.problem->retryAfterSeconds, 10);
    }

    void tellsTheLastUseCoarsely()
    {
        Rig rig;
        QCOMPARE(rig.admit("wrong"), 401);
        QVERIFY(!rig.tokens->hasUses());
        QCOMPARE(rig.admit("two"), 0);
        auto uses = rig.tokens->takeUses();
        QCOMPARE(uses.size(), 1U);
        QCOMPARE(uses[2], 1'000'000 + rig.nowMs);
        rig.nowMs += 299'999;
        QCOMPARE(rig.admit("two"), 0);
        QVERIFY(!rig.tokens->hasUses());
        rig.nowMs += 1;
        QCOMPARE(rig.admit("two"), 0);
        QVERIFY(rig.tokens->hasUses());
    }

    // Every request of a connection is judged anew, so a revocation holds from the next one on.
    void revokesWithinAConnection()
    {
        HttpOptions options;
        options.tokens = bookOf({"one"});
        SessionRig rig(options);
        const QByteArray request =
            "GET /metrics HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer one\r\n\r\n";
        rig.feed(request);
        QCOMPARE(rig.replies().last().status, 200);
        options.tokens->replace({}, true);
        rig.feed(request);
        QCOMPARE(rig.replies().last().status, 401);
    }
};

QTEST_GUILESS_MAIN(AccessRulesTest)
#include "access_rules_test.moc"
