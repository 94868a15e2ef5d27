#include "tests/config/config_support.h"

#include "core/base/result.h"

#include <QTest>

using namespace redrive;

namespace {

const QByteArray twoEnvironments = R"(name = "x"
[vars]
A = 1
[[d1_databases]]
binding = "DB"
[[queues.producers]]
binding = "JOBS"
queue = "jobs"
[[queues.consumers]]
queue = "jobs"
dead_letter_queue = "dead"
[[queues.consumers]]
queue = "dead"
[triggers]
crons = ["*/5 * * * *"]
[env.staging]
name = "x-staging"
[env.production]
vars = { A = 2 }
d1_databases = []
queues.producers = [{ binding = "JOBS", queue = "prod" }]
queues.consumers = [{ queue = "prod", dead_letter_queue = "prod-dead" }, { queue = "prod-dead" }]
triggers.crons = ["0 * * * *"]
)";

LoadResult load(const QByteArray& text, const QString& environment, const ProcessEnvironment& process = {})
{
    TextRequest request = tomlRequest(text);
    request.environmentName = environment;
    request.processEnvironment = process;
    return loadSettingsFromText(request);
}

} // namespace

class EnvironmentsTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void topLevelWithoutAName()
    {
        const LoadResult result = load(twoEnvironments, {});
        QCOMPARE(result.text(), QString());
        QCOMPARE(result.settings.jobsQueue, u"jobs"_s);
        QCOMPARE(result.settings.environment, QString());
    }

    void queuesAreNotInherited()
    {
        const LoadResult result = load(twoEnvironments, u"staging"_s);
        QVERIFY(result.ok);
        QVERIFY(result.settings.consumers.isEmpty());
        QVERIFY(result.settings.producers.isEmpty());
        QVERIFY(result.settings.databases.isEmpty());
        QCOMPARE(result.settings.crons, QStringList{u"*/5 * * * *"_s});
        QCOMPARE(result.settings.environment, u"staging"_s);
        const QStringList warnings = warningsOf(result);
        QCOMPARE(warnings.size(), 4);
        QVERIFY(warnings[0].contains(u"no queue takes jobs"_s));
        QCOMPARE(
            warnings[1],
            u"wrangler.toml:2:2: warning: vars: is not inherited by the environment \"staging\", which has none of its own: add env.staging.vars"_s);
        QCOMPARE(
            warnings[2],
            u"wrangler.toml:4:3: warning: d1_databases: is not inherited by the environment \"staging\", which has none of its own: add env.staging.d1_databases"_s);
        QCOMPARE(
            warnings[3],
            u"wrangler.toml:6:3: warning: queues: is not inherited by the environment \"staging\", which has none of its own: add env.staging.queues"_s);
    }

    void anEnvironmentReplacesTheWholeObject()
    {
        const LoadResult result = load(twoEnvironments, u"production"_s);
        QCOMPARE(result.text(), QString());
        QCOMPARE(result.settings.queueNames(), (QStringList{u"prod"_s, u"prod-dead"_s}));
        QVERIFY(result.settings.databases.isEmpty());
        QCOMPARE(result.settings.crons, QStringList{u"0 * * * *"_s});
    }

    void unknownNameListsTheKnownOnes()
    {
        const LoadResult result = load(twoEnvironments, u"nope"_s);
        QVERIFY(!result.ok);
        QCOMPARE(
            errorsOf(result),
            QStringList{
                u"wrangler.toml:16:1: error: env: there is no environment \"nope\"; this file has \"staging\", \"production\""_s});
        const LoadResult none = load("name = \"x\"\n", u"nope"_s);
        QCOMPARE(
            errorsOf(none),
            QStringList{
                u"wrangler.toml:1:1: error: there is no environment \"nope\"; this file has no environments"_s});
    }

    void environmentVariableNamesIt()
    {
        const ProcessEnvironment process{{u"CLOUDFLARE_ENV"_s, "production"}};
        QCOMPARE(load(twoEnvironments, {}, process).settings.jobsQueue, u"prod"_s);
        QCOMPARE(load(twoEnvironments, u"staging"_s, process).settings.environment, u"staging"_s);

        TextRequest request;
        request.processEnvironment = process;
        const LoadResult builtIn = loadSettingsFromText(request);
        QVERIFY(builtIn.ok);
        QCOMPARE(builtIn.text(), u"warning: CLOUDFLARE_ENV is ignored: no configuration file was found"_s);
        request.environmentName = u"staging"_s;
        QVERIFY(!loadSettingsFromText(request).ok);
    }

    void otherEnvironmentsAreCheckedToo()
    {
        const LoadResult result = load(
            twoEnvironments + "[env.bad]\nqueues = []\nquues = 1\nredrive = {}\n[env]\n", u"production"_s);
        QVERIFY(!result.ok);
        const LoadResult bad =
            load(twoEnvironments + "[env.bad]\nqueues = []\nquues = 1\nredrive = {}\n", u"production"_s);
        QCOMPARE(errorsOf(bad).size(), 1);
        QVERIFY(
            errorsOf(bad)[0].startsWith(u"wrangler.toml:25:10: error: env.bad.queues: must be a table"_s));
        QCOMPARE(warningsOf(bad).size(), 2);
        QVERIFY(warningsOf(bad)[0].startsWith(u"wrangler.toml:26:1: warning: env.bad.quues: unknown key"_s));
        QVERIFY(warningsOf(bad)[1].startsWith(
            u"wrangler.toml:27:1: warning: env.bad.redrive: is ignored here"_s));
    }

    void environmentsMustBeTables()
    {
        const LoadResult result = load("env = { a = 1 }\n", u"a"_s);
        QVERIFY(errorsOf(result).join(u' ').contains(u"env.a: must be a table, not an integer"_s));
        QVERIFY(!load("env = 3\n", {}).ok);
    }
};

QTEST_APPLESS_MAIN(EnvironmentsTest)
#include "environments_test.moc"
