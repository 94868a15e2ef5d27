// Tokens of the HTTP interface, through a whole engine.
#include "core/engine/engine.h"
#include "core/engine/lone_turn.h"
#include "core/intake/token_changes.h"
#include "core/store/token_store.h"
#include "tests/support/plain_client.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QTemporaryDir>
#include <QTest>

#include <future>

using namespace redrive;
using namespace Qt::Literals::StringLiterals;

namespace {

const QByteArray kBody = R"({"type":"nobody"})";

} // namespace

class TokensTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Engine> m_engine;
    std::unique_ptr<test::PlainClient> m_client;
    EngineOptions m_options;

    void start()
    {
        auto engine = Engine::start(m_options);
        QVERIFY2(engine, engine ? "" : qPrintable(engine.error().text()));
        m_engine = std::move(*engine);
        m_client = std::make_unique<test::PlainClient>(m_engine->health().listenUrl);
    }
    Result<TokenChanged> change(TokenVerb verb, const QString& name, qint64 overlapMs = 0) const
    {
        std::promise<Result<TokenChanged>> answer;
        m_engine->changeToken({verb, name, {}, overlapMs, u"anna"_s, u"console"_s},
                              [&](Result<TokenChanged> result) { answer.set_value(std::move(result)); });
        return answer.get_future().get();
    }
    // By a process of its own, as far as the engine can tell.
    Result<TokenChanged> changeOutside(TokenVerb verb, const QString& name) const
    {
        REDRIVE_ASSIGN(db, Connection::open(m_options.database, Access::Writer));
        TokenChanged changed;
        REDRIVE_TRY(runLoneTurn(*db, SystemClock(), [&](Cycle& cycle) -> Status {
            REDRIVE_ASSIGN(done, changeToken(cycle, {verb, name, {}, 0, u"bob"_s, u"command line"_s}));
            changed = std::move(done);
            return {};
        }));
        return changed;
    }
    int post(const QString& secret, const QByteArray& key = {}) const { return answer(secret, key).status; }
    test::PlainAnswer answer(const QString& secret, const QByteArray& key = {}) const
    {
        test::PlainClient::Headers headers;
        if (!secret.isEmpty())
            headers.append({"Authorization", "Bearer " + secret.toLatin1()});
        if (!key.isEmpty())
            headers.append({"Idempotency-Key", key});
        return m_client->post("/jobs", kBody, headers);
    }
    QList<TokenRow> rows() const
    {
        std::promise<Result<QList<TokenRow>>> answer;
        m_engine->tokens([&](Result<QList<TokenRow>> result) { answer.set_value(std::move(result)); });
        return *answer.get_future().get();
    }

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_options = {};
        ConsumerSettings consumer;
        consumer.queue = u"jobs"_s;
        m_options.settings.consumers = {consumer};
        m_options.settings.jobsQueue = u"jobs"_s;
        m_options.settings.listen = u"127.0.0.1:0"_s;
        m_options.database.path = m_folder->filePath(u"redrive.db"_s);
    }
    void cleanup() { m_engine.reset(); }

    void theFirstTokenShutsTheDoor()
    {
        start();
        QCOMPARE(post({}), 202);
        const auto made = change(TokenVerb::Create, u"shop"_s);
        QVERIFY(made);
        QVERIFY(made->secret.startsWith(u"rdv_"_s) && made->secret.size() == 47);
        QCOMPARE(post({}), 401);
        QCOMPARE(post(u"wrong"_s), 401);
        QCOMPARE(post(made->secret), 202);
        for (const char* path : {"/metrics", "/jobs/019a0000-0000-7000-8000-000000000000"})
            QCOMPARE(m_client->get(path).status, 401);
        QCOMPARE(m_client->get("/healthz").status, 200);
    }

    void revocationHoldsAtOnceAndForGood()
    {
        start();
        const auto one = change(TokenVerb::Create, u"one"_s);
        const auto two = change(TokenVerb::Create, u"two"_s);
        QCOMPARE(post(one->secret), 202);
        QVERIFY(change(TokenVerb::Revoke, u"one"_s));
        QCOMPARE(post(one->secret), 401);
        QCOMPARE(post(two->secret), 202);
        QVERIFY(change(TokenVerb::Revoke, u"two"_s));
        QCOMPARE(post({}), 401); // without any token the door does not open again
        m_engine.reset();
        start();
        QCOMPARE(post({}), 401);
        QCOMPARE(post(two->secret), 401);
        const auto again = change(TokenVerb::Create, u"one"_s);
        QCOMPARE(post(again->secret), 202);
        QCOMPARE(post(one->secret), 401);
    }

    void anotherProcessChangesTokens()
    {
        start();
        const auto made = changeOutside(TokenVerb::Create, u"cli"_s);
        QVERIFY(made);
        QTRY_COMPARE(post({}), 401);
        QCOMPARE(post(made->secret), 202);
        QVERIFY(changeOutside(TokenVerb::Revoke, u"cli"_s));
        QTRY_COMPARE_WITH_TIMEOUT(post(made->secret), 401, 2'000);
    }

    void rotationLeavesTheOlderSecretItsTime()
    {
        start();
        const auto first = change(TokenVerb::Create, u"shop"_s);
        const auto second = change(TokenVerb::Rotate, u"shop"_s, 3'600'000);
        QVERIFY(second && second->secret != first->secret);
        QCOMPARE(post(first->secret), 202);
        QCOMPARE(post(second->secret), 202);
        QVERIFY(rows().first().oldSecretUntilMs);
        const auto third = change(TokenVerb::Rotate, u"shop"_s, 0);
        QCOMPARE(post(first->secret), 401);
        QCOMPARE(post(second->secret), 401);
        QCOMPARE(post(third->secret), 202);
    }

    void theOverlapEndsByItself()
    {
        start();
        const auto first = change(TokenVerb::Create, u"shop"_s);
        const auto second = change(TokenVerb::Rotate, u"shop"_s, 1'500);
        QCOMPARE(post(first->secret), 202);
        QTRY_COMPARE(post(first->secret), 401);
        QCOMPARE(post(second->secret), 202);
    }

    void keysBelongToTheirToken()
    {
        start();
        const auto idOf = [](const test::PlainAnswer& answer) {
            return QJsonDocument::fromJson(answer.body)[u"jobId"_s].toString();
        };
        const auto one = change(TokenVerb::Create, u"one"_s);
        const auto two = change(TokenVerb::Create, u"two"_s);
        const QString id = idOf(answer(one->secret, "k"));
        QVERIFY(idOf(answer(two->secret, "k")) != id);
        QCOMPARE(idOf(answer(one->secret, "k")), id);
        const auto rotated = change(TokenVerb::Rotate, u"one"_s, 0);
        QCOMPARE(idOf(answer(rotated->secret, "k")), id);
    }

    void theConfiguredSecretIsAccepted()
    {
        m_options.settings.intakeTokenSecret = u"INTAKE"_s;
        m_options.settings.secrets.insert(u"INTAKE"_s, "from-the-environment");
        start();
        QCOMPARE(post({}), 401);
        QCOMPARE(post(u"from-the-environment"_s), 202);
        const auto made = change(TokenVerb::Create, u"more"_s);
        QCOMPARE(post(made->secret), 202);
        QVERIFY(change(TokenVerb::Revoke, u"more"_s));
        QCOMPARE(post(u"from-the-environment"_s), 202);
    }

    void anEmptyConfiguredSecretIsAnError()
    {
        m_options.settings.intakeTokenSecret = u"INTAKE"_s;
        QCOMPARE(Engine::start(m_options).error().field, u"intake_token"_s);
        m_options.settings.secrets.insert(u"INTAKE"_s, "");
        QCOMPARE(Engine::start(m_options).error().field, u"intake_token"_s);
    }

    void refusesWhatCannotBe()
    {
        start();
        for (const QString& name : {u""_s, u" a"_s, u"a\nb"_s, QString(65, u'x')})
            QCOMPARE(int(change(TokenVerb::Create, name).error().kind), int(ErrorKind::InvalidInput));
        QVERIFY(change(TokenVerb::Create, u"a"_s));
        QCOMPARE(int(change(TokenVerb::Create, u"a"_s).error().kind), int(ErrorKind::Conflict));
        QCOMPARE(int(change(TokenVerb::Rotate, u"b"_s).error().kind), int(ErrorKind::NotFound));
        QCOMPARE(int(change(TokenVerb::Revoke, u"b"_s).error().kind), int(ErrorKind::NotFound));
        QCOMPARE(int(change(TokenVerb::Rotate, u"a"_s, kLongestOverlapMs + 1).error().kind),
                 int(ErrorKind::InvalidInput));
    }

    void noSecretIsWrittenAnywhere()
    {
        start();
        const auto made = change(TokenVerb::Create, u"shop"_s);
        QCOMPARE(post(made->secret), 202);
        QTRY_VERIFY(rows().first().lastUsedAtMs.has_value());
        QCOMPARE(rows().first().createdBy, u"anna"_s);
        m_engine.reset();
        for (const QFileInfo& info : QDir(m_folder->path()).entryInfoList(QDir::Files)) {
            QFile file(info.filePath());
            QVERIFY(file.open(QIODevice::ReadOnly));
            QVERIFY2(!file.readAll().contains(made->secret.toLatin1()), qPrintable(info.fileName()));
        }
        const auto db = Connection::open(m_options.database, Access::Reader);
        auto audit = (*db)->dynamicQuery(u"SELECT actor, source, verb, target FROM audit"_s);
        QVERIFY(audit.next());
        QCOMPARE(audit.text(0) + u' ' + audit.text(1) + u' ' + audit.text(2) + u' ' + audit.text(3),
                 u"anna console create token shop"_s);
    }

    void theRateOfTheConfigurationHolds()
    {
        m_options.settings.limits.ratePerSecond = 0.001;
        start();
        QCOMPARE(post({}), 202);
        const test::PlainAnswer refused = answer({});
        QCOMPARE(refused.status, 429);
        QVERIFY2(refused.head.contains("Retry-After: "), refused.head);
        QCOMPARE(QJsonDocument::fromJson(refused.body)[u"code"_s].toString(), u"too_many_requests"_s);
        QCOMPARE(m_client->get("/healthz").status, 200);
    }
};

QTEST_GUILESS_MAIN(TokensTest)
#include "tokens_test.moc"
