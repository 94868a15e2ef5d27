#include "core/webhooks/endpoint_changes.h"

#include "core/engine/lone_turn.h"
#include "core/store/endpoint_read_store.h"
#include "core/store/endpoint_state_store.h"
#include "core/store/endpoint_store.h"
#include "core/webhooks/endpoint_reader.h"
#include "core/webhooks/endpoint_writer.h"
#include "tests/support/manual_clock.h"
#include "tests/support/test_store.h"

#include <QTest>

using namespace redrive;
using namespace redrive::test;

namespace {

// With ' for ", which is easier to read and which moc takes.
QByteArray json(QByteArray text)
{
    return text.replace('\'', '"');
}

struct Registry
{
    ManualClock clock;
    TestStore store;

    Result<EndpointChanged> change(EndpointChange asked)
    {
        Result<EndpointChanged> changed = fail(ErrorKind::Internal, u"not run"_s);
        asked.actor = u"anna"_s;
        asked.source = u"console"_s;
        const Status done = runLoneTurn(store.db(), clock, [&](Cycle& cycle) -> Status {
            changed = changeEndpoint(cycle, asked);
            return changed ? Status() : fail(changed.error());
        });
        return changed;
    }
    Result<EndpointChanged> change(EndpointVerb verb, const QByteArray& settings,
                                   const QString& id = u"acme"_s)
    {
        EndpointChange asked;
        asked.verb = verb;
        asked.id = id;
        asked.settings = settings;
        return change(asked);
    }
    Status configure(const QList<EndpointSettings>& endpoints)
    {
        return runLoneTurn(store.db(), clock,
                           [&](Cycle& cycle) { return registerConfigured(cycle, endpoints); });
    }
    EndpointDetail detail(const QString& id = u"acme"_s)
    {
        return endpoint_read_store::detail(store.db(), id, clock.wallMs()).value_or(EndpointDetail{});
    }
    EndpointSettings settings(const QString& id = u"acme"_s)
    {
        return readEndpoint(JsonSlice(detail(id).endpoint.settings), u"endpoint"_s)
            .value_or(EndpointSettings{});
    }
};

EndpointSettings configured(const QString& id, const QString& url)
{
    EndpointSettings settings;
    settings.id = id;
    settings.url = url;
    return settings;
}

const QByteArray kAcme =
    json("{'id':'acme','url':'https://acme.example/hook','events':['order.*'],'secret':['FIRST']}");

} // namespace

class EndpointChangesTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void settingsComeBackAsTheyWere()
    {
        EndpointSettings settings = configured(u"a\"b\\c ž"_s, u"https://x.example/?q=1"_s);
        settings.events = {u"order.*"_s, u"user.created"_s};
        settings.secrets = {u"NEW"_s, u"OLD"_s};
        settings.secretUntilMs = {{u"OLD"_s, 1'790'000'000'123}};
        settings.headers = {{u"X-Tenant"_s, u"a\tb"_s}};
        settings.maxInFlight = 17;
        settings.ratePerSecond = 0.25;
        settings.scheduleMs = {0, 5'000, 1'500, 86'400'000};
        settings.paused = true;
        settings.allowOverride = true;
        const QByteArray text = writeEndpoint(settings);
        const auto read = readEndpoint(JsonSlice(text), u"endpoint"_s);
        QVERIFY2(read.has_value(), text.constData());
        QCOMPARE(*read, settings);
    }

    void everyEditIsAVersion()
    {
        Registry r;
        QCOMPARE(r.change(EndpointVerb::Create, kAcme)->version, 1);
        QCOMPARE(r.change(EndpointVerb::Edit, json("{'id':'acme','rate':5,'events':null}"))->version, 2);
        QCOMPARE(r.change(EndpointVerb::Edit, json("{'id':'acme','rate':5}"))->version, 2); // nothing new
        const EndpointSettings now = r.settings();
        QCOMPARE(now.url, u"https://acme.example/hook"_s);
        QCOMPARE(now.ratePerSecond, std::optional(5.0));
        QVERIFY(now.events.isEmpty());
        const EndpointDetail detail = r.detail();
        QCOMPARE(detail.versions.size(), 2);
        QCOMPARE(detail.versions.last().madeBy, u"anna"_s);
        QVERIFY(detail.versions.last().settings.contains("order.*"));
        QCOMPARE(r.store.text(u"SELECT group_concat(verb || ' ' || target, ', ') FROM audit"_s),
                 u"create endpoint acme, edit endpoint acme, edit endpoint acme"_s);
    }

    void twoEditorsDoNotOverwriteEachOther()
    {
        Registry r;
        r.change(EndpointVerb::Create, kAcme);
        EndpointChange asked;
        asked.verb = EndpointVerb::Edit;
        asked.id = u"acme"_s;
        asked.settings = json("{'id':'acme','rate':5}");
        asked.baseVersion = 1;
        QCOMPARE(r.change(asked)->version, 2);
        asked.settings = json("{'id':'acme','rate':6}");
        const auto refused = r.change(asked);
        QVERIFY(!refused);
        QCOMPARE(refused.error().kind, ErrorKind::Conflict);
        QCOMPARE(r.settings().ratePerSecond, std::optional(5.0));
    }

    void refuses_data()
    {
        QTest::addColumn<QByteArray>("settings");
        QTest::addColumn<QString>("words");
        QTest::newRow("no JSON") << QByteArray("{") << u"endpoint: JSON error"_s;
        QTest::newRow("no object") << QByteArray("[]") << u"must be an object"_s;
        QTest::newRow("no url") << json("{'id':'acme'}") << u"endpoint.url: is missing"_s;
        QTest::newRow("bad url") << json("{'id':'acme','url':'file:///etc/passwd'}") << u"endpoint.url"_s;
        QTest::newRow("another id") << json("{'id':'b','url':'http://x'}") << u"endpoint.id"_s;
        QTest::newRow("the secret itself")
            << json("{'id':'acme','url':'http://x','secret':'whsec_AAAA'}") << u"never the secret itself"_s;
        QTest::newRow("reserved header")
            << json("{'id':'acme','url':'http://x','headers':{'Webhook-Id':'1'}}") << u"reserved"_s;
    }
    void refuses()
    {
        QFETCH(QByteArray, settings);
        QFETCH(QString, words);
        Registry r;
        const auto refused = r.change(EndpointVerb::Create, settings);
        QVERIFY(!refused);
        QCOMPARE(refused.error().kind, ErrorKind::InvalidInput);
        QVERIFY2(refused.error().message.contains(words), qPrintable(refused.error().message));
        QVERIFY(!refused.error().message.contains(u"AAAA"_s));
        QCOMPARE(r.store.number(u"SELECT count(*) FROM endpoints"_s), 0);
        QCOMPARE(r.store.number(u"SELECT count(*) FROM audit"_s), 0);
    }

    void aRotationOverlaps()
    {
        Registry r;
        r.change(EndpointVerb::Create, kAcme);
        EndpointChange rotate;
        rotate.verb = EndpointVerb::Rotate;
        rotate.id = u"acme"_s;
        rotate.secretName = u"SECOND"_s;
        rotate.overlapMs = 86'400'000;
        QCOMPARE(r.change(rotate)->version, 2);
        QCOMPARE(r.settings().secrets, (QStringList{u"SECOND"_s, u"FIRST"_s}));
        const qint64 firstEnds = r.clock.wallMs() + 86'400'000;
        QCOMPARE(r.settings().secretUntilMs, (QMap<QString, qint64>{{u"FIRST"_s, firstEnds}}));
        QVERIFY(!r.change(rotate)); // it signs already
        r.clock.advance(3'600'000);
        rotate.secretName = u"THIRD"_s;
        QVERIFY(r.change(rotate));
        QCOMPARE(r.settings().secrets, (QStringList{u"THIRD"_s, u"SECOND"_s, u"FIRST"_s}));
        QCOMPARE(r.settings().secretUntilMs.value(u"FIRST"_s), firstEnds); // as long as it had, not longer
        EndpointChange revoke = rotate;
        revoke.verb = EndpointVerb::RevokeSecret;
        revoke.secretName = u"SECOND"_s;
        QVERIFY(r.change(revoke));
        QCOMPARE(r.settings().secrets, (QStringList{u"THIRD"_s, u"FIRST"_s}));
        revoke.secretName = u"THIRD"_s;
        QVERIFY(r.change(revoke));
        QCOMPARE(r.settings().secrets, QStringList{u"FIRST"_s});
        QVERIFY(r.settings().secretUntilMs.isEmpty()); // it has to go on signing
        revoke.secretName = u"FIRST"_s;
        const auto refused = r.change(revoke);
        QVERIFY(!refused);
        QCOMPARE(refused.error().kind, ErrorKind::Refused);
    }

    void anOverlapOfNothingEndsTheOlderOnes()
    {
        Registry r;
        r.change(EndpointVerb::Create, kAcme);
        EndpointChange rotate;
        rotate.verb = EndpointVerb::Rotate;
        rotate.id = u"acme"_s;
        rotate.secretName = u"SECOND"_s;
        QVERIFY(r.change(rotate));
        QCOMPARE(r.settings().secrets, QStringList{u"SECOND"_s});
    }

    void theConfigurationAloneSaysItsSettings()
    {
        Registry r;
        QVERIFY(r.configure({configured(u"acme"_s, u"https://one.example/"_s)}));
        QCOMPARE(r.detail().endpoint.version, 1);
        QVERIFY(r.configure({configured(u"acme"_s, u"https://one.example/"_s)}));
        QCOMPARE(r.detail().endpoint.version, 1); // nothing new
        QVERIFY(r.configure({configured(u"acme"_s, u"https://two.example/"_s)}));
        QCOMPARE(r.detail().endpoint.version, 2);
        QCOMPARE(r.detail().endpoint.url, u"https://two.example/"_s);
        for (const EndpointVerb verb : {EndpointVerb::Edit, EndpointVerb::Delete}) {
            const auto refused = r.change(verb, json("{'id':'acme','rate':5}"));
            QVERIFY(!refused);
            QCOMPARE(refused.error().kind, ErrorKind::Refused);
            QVERIFY(refused.error().message.contains(u"configuration"_s));
        }
        QVERIFY(r.change(EndpointVerb::Pause, {}));
        QVERIFY(r.detail().endpoint.pausedAtMs.has_value());
    }

    void resumesWhatItsSettingsPause()
    {
        Registry r;
        QVERIFY(r.change(EndpointVerb::Create, json("{'id':'own','url':'http://own.example','paused':true}"),
                         u"own"_s));
        QVERIFY(r.change(EndpointVerb::Pause, {}, u"own"_s));
        const auto resumed = r.change(EndpointVerb::Resume, {}, u"own"_s);
        QVERIFY(resumed);
        QCOMPARE(resumed->version, 2);
        QVERIFY(!r.settings(u"own"_s).paused);
        QCOMPARE(r.settings(u"own"_s).url, u"http://own.example"_s);
        QVERIFY(!r.detail(u"own"_s).endpoint.pausedAtMs);
        QCOMPARE(r.change(EndpointVerb::Resume, {}, u"own"_s)->version, 2); // nothing is left to change

        EndpointSettings fixed = configured(u"acme"_s, u"https://one.example/"_s);
        fixed.paused = true;
        QVERIFY(r.configure({fixed}));
        const auto refused = r.change(EndpointVerb::Resume, {});
        QVERIFY(!refused);
        QVERIFY(refused.error().text().contains(u"stands in the configuration"));
        QVERIFY(r.settings().paused);
    }

    void whatTheConfigurationNamesNoMoreIsDeletedAndComesBack()
    {
        Registry r;
        QVERIFY(r.change(EndpointVerb::Create, json("{'id':'own','url':'http://own.example'}"), u"own"_s));
        QVERIFY(r.configure({configured(u"acme"_s, u"https://one.example/"_s)}));
        QVERIFY(r.configure({}));
        QVERIFY(r.detail().endpoint.deletedAtMs.has_value());
        QCOMPARE(r.detail().endpoint.disabledCause, DisabledCause::Deleted);
        QVERIFY(!r.detail(u"own"_s).endpoint.deletedAtMs);
        QVERIFY(r.configure({configured(u"acme"_s, u"https://one.example/"_s)}));
        QVERIFY(!r.detail().endpoint.deletedAtMs);
        QVERIFY(!r.detail().endpoint.disabledAtMs);
        QCOMPARE(r.detail().endpoint.version, 2);
    }

    void anIdCanBeUsedAgain()
    {
        Registry r;
        r.change(EndpointVerb::Create, kAcme);
        QVERIFY(!r.change(EndpointVerb::Create, kAcme));
        QVERIFY(r.change(EndpointVerb::Delete, {}));
        QVERIFY(!r.change(EndpointVerb::Delete, {}));
        QVERIFY(!r.change(EndpointVerb::Pause, {}));
        QCOMPARE(r.change(EndpointVerb::Create, kAcme)->version, 2);
        QVERIFY(!r.detail().endpoint.disabledAtMs);
        QCOMPARE(r.detail().versions.size(), 2);
    }

    void everyChangeMovesTheRevision()
    {
        Registry r;
        const auto revision = [&] { return endpoint_store::revision(r.store.db()).value_or(0); };
        qint64 before = revision();
        const auto moved = [&] { return revision() > std::exchange(before, revision()); };
        r.change(EndpointVerb::Create, kAcme);
        QVERIFY(moved());
        for (const EndpointVerb verb : {EndpointVerb::Pause, EndpointVerb::Resume, EndpointVerb::Disable,
                                        EndpointVerb::Enable, EndpointVerb::Delete}) {
            r.change(verb, {});
            QVERIFY(moved());
        }
        QVERIFY(!moved());
    }
};

QTEST_GUILESS_MAIN(EndpointChangesTest)
#include "endpoint_changes_test.moc"
