// What alerts look like, which failures are one, and what an answer means. Pure.
#include "core/deadletter/alert_form.h"
#include "core/deadletter/alert_verdict.h"
#include "core/domain/failure_signature.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace redrive;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qint64 kNowMs = 1'900'000'000'000;

Alert sample()
{
    Alert alert;
    alert.no = 7;
    alert.signature = u"5a5a"_s;
    alert.title = u"HTTP 503 (acme)"_s;
    alert.count = 12;
    alert.firstAtMs = kNowMs;
    alert.lastAtMs = kNowMs + 1'500;
    alert.examples = {{u"delivery"_s, u"0192"_s, u"order.paid"_s, {}, u"acme"_s, u"HTTP 503"_s}};
    return alert;
}

PostTarget target(AlertForm form)
{
    Settings settings;
    settings.secrets = {{u"KEY"_s, "sesame-1234"}, {u"HOOK"_s, "https://hooks.example/T0/B0/secretpath"}};
    AlertTarget one{form, {}, u"HOOK"_s, form == AlertForm::Slack ? QString() : u"KEY"_s};
    settings.alerts.webhooks = {one};
    return postTargets(settings).first();
}

QJsonObject bodyOf(AlertForm form, const Alert& alert, const QString& environment = {})
{
    return QJsonDocument::fromJson(alertBody(target(form), alert, {u"host-1"_s, environment})).object();
}

LetterRow letter(LetterKind kind, const QString& error, const QString& endpoint = {})
{
    LetterRow row;
    row.kind = kind;
    row.reason = u"retries_used_up"_s;
    row.error = error;
    row.endpointId = endpoint;
    return row;
}

} // namespace

class AlertFormTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void normalises_data()
    {
        QTest::addColumn<QString>("error");
        QTest::addColumn<QString>("plain");
        const auto row = [](const char* name, const QString& error, const QString& plain) {
            QTest::newRow(name) << error << plain;
        };
        row("numbers", u"timeout after 31 ms"_s, u"timeout after # ms"_s);
        row("a status stays", u"HTTP 503"_s, u"HTTP 503"_s);
        row("an exit code stays", u"exit code 12: 12 rows"_s, u"exit code 12: # rows"_s);
        row("what is no status", u"code 123456"_s, u"code #"_s);
        row("quoted", u"no user 'anna' in \"Users\""_s, u"no user '\u2026' in \"\u2026\""_s);
        row("an apostrophe", u"can't reach host7"_s, u"can't reach host#"_s);
        row("uuid", u"job 0192f0c4-7b1c-7d6e-9b5a-0f7e1c2d3b4a failed"_s, u"job # failed"_s);
        row("hash", u"blob deadbeef01 missing"_s, u"blob # missing"_s);
        row("hex", u"at 0x7ffe12ab"_s, u"at #"_s);
        row("time and address", u"2026-12-01T08:12:26Z from 10.0.0.7:8443"_s, u"# from #"_s);
        row("joined words", u"well-known in row-12 of v1.2"_s, u"well-known in row-# of #"_s);
        row("first line", u"\n  broken pipe\n  at line 12"_s, u"broken pipe"_s);
        row("spaces", u"a \t  b"_s, u"a b"_s);
        row("units", u"took 30s, 5MB"_s, u"took #s, #MB"_s);
        row("controls", u"a\u0007b\u007f"_s, u"ab"_s);
        row("a quote that ends nowhere", u"it 'never ends 5"_s, u"it 'never ends #"_s);
        row("empty", {}, {});
    }
    void normalises()
    {
        QFETCH(QString, error);
        QTEST(normalisedError(error), "plain");
    }

    void normalisesLongTexts()
    {
        QCOMPARE(normalisedError(QString(100'000, u'x')).size(), 200);
        QCOMPARE(normalisedError(QString(u"'x "_s).repeated(50'000)).size() <= 200, true);
    }

    void groups()
    {
        const auto signature = [](const LetterRow& row) { return failureGroup(row).signature; };
        const auto acme = letter(LetterKind::Delivery, u"HTTP 503"_s, u"acme"_s);
        QCOMPARE(failureGroup(acme).title, u"HTTP 503 (acme)"_s);
        QCOMPARE(signature(acme).size(), 32);
        QVERIFY(signature(acme) != signature(letter(LetterKind::Delivery, u"HTTP 500"_s, u"acme"_s)));
        QVERIFY(signature(acme) != signature(letter(LetterKind::Delivery, u"HTTP 503"_s, u"other"_s)));
        QVERIFY(signature(acme) != signature(letter(LetterKind::Job, u"HTTP 503"_s)));
        const auto job = letter(LetterKind::Job, u"row 12 is bad"_s);
        QCOMPARE(signature(job), signature(letter(LetterKind::Message, u"row 13 is bad"_s)));
        auto crashed = job;
        crashed.reason = u"crashed"_s;
        QVERIFY(signature(job) != signature(crashed));
        QCOMPARE(failureGroup(letter(LetterKind::Job, {})).title, u"retries_used_up"_s);
    }

    void slack()
    {
        Alert alert = sample();
        alert.title = u"<!channel> & <http://evil|click>"_s;
        alert.examples[0].error = u"<@U123>\u202e\ntwo"_s;
        const QJsonObject body = bodyOf(AlertForm::Slack, alert, u"prod"_s);
        QCOMPARE(body.keys(), QStringList{u"text"_s});
        const QString text = body[u"text"].toString();
        QVERIFY2(
            text.startsWith(u"[prod] 12 dead letters: &lt;!channel&gt; &amp; &lt;http://evil|click&gt;\n"),
            qPrintable(text));
        QVERIFY(!text.contains(u'<') && !text.contains(QChar(0x202e)));
        alert.examples = QList<AlertExample>(200, alert.examples[0]);
        QVERIFY(bodyOf(AlertForm::Slack, alert)[u"text"].toString().size() <= 3'000);
    }

    void pagerDuty()
    {
        const QJsonObject body = bodyOf(AlertForm::PagerDuty, sample());
        QCOMPARE(body[u"routing_key"].toString(), u"sesame-1234"_s);
        QCOMPARE(body[u"event_action"].toString(), u"trigger"_s);
        QCOMPARE(body[u"dedup_key"].toString(), u"redrive-5a5a"_s);
        const QJsonObject payload = body[u"payload"].toObject();
        QCOMPARE(payload[u"summary"].toString(), u"12 dead letters: HTTP 503 (acme)"_s);
        QCOMPARE(payload[u"source"].toString(), u"host-1"_s);
        QCOMPARE(payload[u"severity"].toString(), u"error"_s);
        QCOMPARE(payload[u"timestamp"].toString(), u"2030-03-17T17:46:41.500Z"_s);
        QCOMPARE(payload[u"custom_details"].toObject()[u"count"].toInt(), 12);
        Alert open = sample();
        open.kind = AlertKind::BreakerOpen;
        QCOMPARE(bodyOf(AlertForm::PagerDuty, open)[u"payload"].toObject()[u"severity"].toString(),
                 u"warning"_s);
    }

    void json()
    {
        Alert alert = sample();
        alert.isDigest = true;
        const QJsonObject body = bodyOf(AlertForm::Json, alert, u"prod"_s);
        QCOMPARE(body[u"kind"].toString(), u"dead_letters"_s);
        QCOMPARE(body[u"alert"].toInt(), 7);
        QCOMPARE(body[u"group"].toString(), u"5a5a"_s);
        QCOMPARE(body[u"summary"].toString(), u"[prod] 12 more dead letters: HTTP 503 (acme)"_s);
        QCOMPARE(body[u"firstAt"].toInteger(), kNowMs);
        QCOMPARE(body[u"lastAt"].toInteger(), kNowMs + 1'500);
        const QJsonObject example = body[u"examples"].toArray()[0].toObject();
        QCOMPARE(example[u"endpoint"].toString(), u"acme"_s);
        QVERIFY(!example.contains(u"queue"));
        const HttpRequest request = alertRequest(target(AlertForm::Json), alert, {});
        QVERIFY(request.headers.contains({"Authorization", "Bearer sesame-1234"}));
        QVERIFY(!request.body->contains("sesame"));
    }

    void placesHoldNoSecrets()
    {
        QCOMPARE(target(AlertForm::Slack).place, u"secret HOOK"_s);
        Settings settings;
        settings.alerts.webhooks = {
            {AlertForm::Slack, u"https://hooks.example:444/T0/B0/secretpath"_s, {}, {}},
            {AlertForm::PagerDuty, {}, {}, u"KEY"_s},
            {AlertForm::Json, {}, u"HOOK"_s, {}}};
        settings.secrets = {{u"HOOK"_s, "ftp://nowhere"}};
        const QList<PostTarget> targets = postTargets(settings);
        QCOMPARE(targets[0].place, u"https://hooks.example:444/\u2026"_s);
        QCOMPARE(targets[1].url, u"https://events.pagerduty.com/v2/enqueue"_s);
        QCOMPARE(targets[1].problem, u"the secret KEY is not set"_s);
        QCOMPARE(targets[2].problem, u"the secret HOOK holds no http or https URL"_s);
        QVERIFY(targets[0].id != targets[1].id);
        settings.alerts.webhooks.append(settings.alerts.webhooks[0]);
        QCOMPARE(postTargets(settings).size(), 3);
    }

    void judgesAnswers()
    {
        const PostTarget slack = target(AlertForm::Json);
        HttpOutcome outcome;
        outcome.outcome = HttpOutcome::Class::Answered;
        outcome.status = 202;
        QCOMPARE(postVerdict(outcome, slack, 0, kNowMs).kind, PostVerdict::Arrived);
        outcome.status = 302;
        QCOMPARE(postVerdict(outcome, slack, 0, kNowMs).kind, PostVerdict::Again);
        outcome.status = 401;
        outcome.responseBody = "bad key sesame-1234 at /T0/B0/secretpath\nx";
        QCOMPARE(postVerdict(outcome, slack, 0, kNowMs).words, u"HTTP 401: bad key *** at *** x"_s);
        qint64 waited = 0;
        for (int failed = 0; failed < 19; ++failed) {
            const PostVerdict verdict = postVerdict(outcome, slack, failed, kNowMs);
            QCOMPARE(verdict.kind, PostVerdict::Again);
            waited += verdict.waitMs;
        }
        QVERIFY(waited > 8 * 3'600'000 && waited < 24 * 3'600'000);
        QCOMPARE(postVerdict(outcome, slack, 19, kNowMs).kind, PostVerdict::Never);
        outcome.retryAfter = "999999";
        QCOMPARE(postVerdict(outcome, slack, 0, kNowMs).waitMs, 3'600'000);
        outcome.status = 410;
        QCOMPARE(postVerdict(outcome, slack, 0, kNowMs).kind, PostVerdict::Never);
        HttpOutcome cancelled;
        cancelled.errorCode = u"cancelled"_s;
        QCOMPARE(postVerdict(cancelled, slack, 0, kNowMs).kind, PostVerdict::Interrupted);
    }
};

QTEST_GUILESS_MAIN(AlertFormTest)
#include "alert_form_test.moc"
