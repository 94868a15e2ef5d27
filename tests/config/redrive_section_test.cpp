#include "tests/config/config_support.h"

#include "core/base/result.h"

#include <QTest>

using namespace redrive;

namespace {

const QByteArray goodSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const QByteArray shortSecret = "whsec_" + QByteArray(16, 'k').toBase64();

// A file without problems of its own; `redrive` begins in line 14.
LoadResult load(const QByteArray& redrive, const ProcessEnvironment& environment = {})
{
    TextRequest request = tomlRequest(R"(queues.producers = [{ binding = "JOBS", queue = "jobs" }]
queues.consumers = [
  { queue = "jobs", dead_letter_queue = "dead" },
  { queue = "dead" },
  { queue = "telemetry-ingest", dead_letter_queue = "dead" },
]
# the settings under test






)" + redrive);
    request.processEnvironment = environment;
    return loadSettingsFromText(request);
}

const ProcessEnvironment secrets{{u"HOOK"_s, goodSecret},     {u"OLD"_s, goodSecret},
                                 {u"SHORT"_s, shortSecret},   {u"WEAK"_s, "whsec_YWJj"},
                                 {u"TOKEN"_s, "t0ken-value"}, {u"EMPTY"_s, ""}};

} // namespace

class RedriveSectionTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void readsEveryKey()
    {
        const LoadResult result = load(R"([redrive]
listen = "[::1]:0"
listen_tls = "0.0.0.0:8788"
tls = { cert = "tls/cert.pem", key = "/etc/key.pem" }
hosts = ["console.local", "10.0.0.1:8787"]
database = "data/redrive.db"
workers = 9
intake_token = "TOKEN"
ingest_token = "TOKEN"
allow_private_targets = ["10.0.0.7/32:8443"]
[redrive.queues.jobs]
retention = 60
delivery_delay = 1.5
paused = true
[redrive.smtp]
url = "smtps://mail.example.com:465"
from = "a@example.com"
[redrive.process_file]
roots = ["in", "/srv/in/../out/"]
[redrive.commands]
size = ["/usr/bin/wc", "-c", ""]
[redrive.handlers.resize]
command = ["./bin/resize", "--fast"]
timeout = 0
concurrency = 4
queue = "jobs"
[redrive.handlers.notify]
url = "https://example.com/notify"
timeout = 2.5
[redrive.handlers.webhook_fanout]
concurrency = 2
[redrive.backoff]
base = 1
cap = 2.5
jitter = 0
[redrive.sweep]
publish_lost_after = 60
stuck_after = 90
[redrive.limits]
backlog = { messages = 5, bytes = 6 }
rate = 2.5
[redrive.retention]
jobs = 60
deliveries = 61
bodies = 62
telemetry = 63
audit = 64
letters = 65
bin = 66.5
telemetry_bytes = 5000000
[redrive.alerts]
window = 60
webhooks = [
  { form = "slack", url_secret = "TOKEN" },
  { form = "pagerduty", key = "TOKEN" },
  { url = "https://example.com/alert", key = "HOOK" },
]
[redrive.archive]
dir = "old"
keep = 864000
s3 = { url = "https://s3.example.com", bucket = "letters", prefix = "redrive/eu/", access_key = "TOKEN", secret_key = "HOOK" }
[[redrive.endpoints]]
id = "crm"
url = "https://example.com/hook"
events = ["order.created", "user.*"]
secret = ["HOOK", "OLD"]
headers = { X-Api-Key = "k", Accept = "a" }
max_in_flight = 7
rate = 0.5
schedule = [0, 5, 3600.25]
paused = true
allow_override = true
[[redrive.endpoints]]
id = "plain"
url = "http://127.0.0.1:9/"
secret = "HOOK"
schedule = "standard"
)",
                                       secrets);
        QVERIFY2(result.ok, qPrintable(result.text()));
        QVERIFY2(result.diagnostics.isEmpty(), qPrintable(result.text()));
        const Settings& settings = result.settings;
        QCOMPARE(settings.listen, u"[::1]:0"_s);
        QCOMPARE(settings.listenTls, u"0.0.0.0:8788"_s);
        QCOMPARE(settings.tlsCertificate, u"/srv/app/tls/cert.pem"_s);
        QCOMPARE(settings.tlsKey, u"/etc/key.pem"_s);
        QVERIFY(!settings.insecureListen);
        QVERIFY2(settings.places.of.value(u"retention.bin"_s).contains(u".toml:"_s),
                 qPrintable(settings.places.of.value(u"retention.bin"_s)));
        QCOMPARE(settings.hosts, (QStringList{u"console.local"_s, u"10.0.0.1:8787"_s}));
        QCOMPARE(settings.database, u"/srv/app/data/redrive.db"_s);
        QCOMPARE(settings.workers, 9);
        QCOMPARE(settings.intakeTokenSecret, u"TOKEN"_s);
        QCOMPARE(settings.ingestTokenSecret, u"TOKEN"_s);
        QCOMPARE(settings.allowPrivateTargets, QStringList{u"10.0.0.7/32:8443"_s});
        QVERIFY((settings.queues[u"jobs"_s] == QueueSettings{60'000, 1'500, true}));
        QCOMPARE(settings.messageRetentionMs(u"jobs"_s), 60'000);
        QCOMPARE(settings.messageRetentionMs(u"dead"_s), 4 * 86'400'000LL);
        QCOMPARE(settings.deliveryDelayMs(u"jobs"_s), 1'500);
        QCOMPARE(settings.smtpUrl, u"smtps://mail.example.com:465"_s);
        QCOMPARE(settings.smtpFrom, u"a@example.com"_s);
        QCOMPARE(settings.processFileRoots, (QStringList{u"/srv/app/in"_s, u"/srv/out"_s}));
        QCOMPARE(settings.commands[u"size"_s], (QStringList{u"/usr/bin/wc"_s, u"-c"_s, QString()}));
        const HandlerSettings resize{{u"/srv/app/bin/resize"_s, u"--fast"_s}, {}, u"jobs"_s, 4, 0};
        QVERIFY(settings.handlers[u"resize"_s] == resize);
        QVERIFY((settings.handlers[u"notify"_s] ==
                 HandlerSettings{{}, u"https://example.com/notify"_s, {}, {}, 2'500}));
        QVERIFY((settings.handlers[u"webhook_fanout"_s] == HandlerSettings{{}, {}, {}, 2, {}}));
        QVERIFY((settings.backoff == BackoffSettings{1'000, 2'500, 0}));
        QVERIFY((settings.sweep == SweepSettings{60'000, 90'000}));
        QVERIFY((settings.limits == LimitSettings{5, 6, 2.5}));
        QVERIFY((settings.retention ==
                 RetentionSettings{60'000, 61'000, 62'000, 63'000, 64'000, 65'000, 66'500, 5'000'000}));
        const QList<AlertTarget> targets{
            {AlertForm::Slack, {}, u"TOKEN"_s, {}},
            {AlertForm::PagerDuty, {}, {}, u"TOKEN"_s},
            {AlertForm::Json, u"https://example.com/alert"_s, {}, u"HOOK"_s},
        };
        QVERIFY((settings.alerts == AlertSettings{targets, 60'000}));
        const ArchiveBucket bucket{
            u"https://s3.example.com"_s, u"letters"_s, u"auto"_s, u"redrive/eu/"_s, u"TOKEN"_s, u"HOOK"_s};
        QVERIFY((settings.archive == ArchiveSettings{u"/srv/app/old"_s, 864'000'000, bucket}));
        const EndpointSettings crm{u"crm"_s,
                                   u"https://example.com/hook"_s,
                                   {u"order.created"_s, u"user.*"_s},
                                   {u"HOOK"_s, u"OLD"_s},
                                   {},
                                   {{u"X-Api-Key"_s, u"k"_s}, {u"Accept"_s, u"a"_s}},
                                   7,
                                   0.5,
                                   {0, 5'000, 3'600'250},
                                   true,
                                   true};
        QVERIFY(settings.endpoints[0] == crm);
        QCOMPARE(settings.endpoints[1].secrets, QStringList{u"HOOK"_s});
        QCOMPARE(settings.endpoints[1].maxInFlight, 4);
        QCOMPARE(settings.endpoints[1].scheduleMs,
                 (QList<qint64>{5'000, 300'000, 1'800'000, 7'200'000, 18'000'000, 36'000'000, 50'400'000,
                                72'000'000, 86'400'000}));
        QCOMPARE(settings.telemetryQueue, u"telemetry-ingest"_s);
        QCOMPARE(settings.secrets.value(u"TOKEN"_s), QByteArray("t0ken-value"));
    }

    void defaultsWithoutTheTable()
    {
        const LoadResult result = load({});
        QCOMPARE(result.text(), QString());
        QVERIFY(result.settings.retention == RetentionSettings());
        QVERIFY(result.settings.backoff == BackoffSettings());
        QCOMPARE(result.settings.limits.backlogMessages, 1'000'000);
        QCOMPARE(result.settings.limits.backlogBytes, 1LL << 30);
        QCOMPARE(result.settings.ingestTokenSecret, QString());
        QCOMPARE(load({}, {{u"AUTH_SECRET"_s, "x"}}).settings.ingestTokenSecret, u"AUTH_SECRET"_s);
        const LoadResult empty = load({}, {{u"AUTH_SECRET"_s, ""}});
        QCOMPARE(empty.settings.ingestTokenSecret, QString());
        QVERIFY2(!empty.ok && empty.text().contains(u"AUTH_SECRET, the token of POST /ingest, is empty"_s),
                 qPrintable(empty.text()));
    }

    void reports_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("diagnostic"); // behind the file's name; the only one
        const auto row = [](const char* text, const char* diagnostic) {
            QTest::addRow("%s", text) << QByteArray(text) << QString::fromUtf8(diagnostic);
        };
        row("redrive = 1", "14:11: error: redrive: must be a table, not an integer");
        row("redrive.listen = \"10.1.2.3:8787\"", "14:18: error: redrive.listen: \"10.1.2.3:8787\" is not a "
                                                  "loopback address, and HTTP without TLS is "
                                                  "served there with");
        row("redrive = { listen = \"10.1.2.3:8787\", insecure_listen = true }",
            "14:39: warning: redrive.insecure_listen: lets everybody who reaches this machine in");
        row("redrive = { listen_tls = \"[::]:1\", tls = { cert = \"a\", key = \"b\" } }",
            "14:26: warning: redrive.listen_tls: is every address, but requests are answered for localhost "
            "only");
        row("redrive.listen = \"8787\"", "14:18: error: redrive.listen: \"8787\" does not end in :PORT");
        row("redrive.listen_tls = \"127.0.0.1:8788\"",
            "14:22: error: redrive.listen_tls: needs tls.cert and tls.key, the files with the certificate");
        row("redrive = { listen_tls = \"x\", tls = { cert = \"a\", key = \"b\" } }",
            "14:26: error: redrive.listen_tls: \"x\" does not end in :PORT");
        row("redrive.tls.cert = \"x\"", "14:9: warning: redrive.tls: does nothing without listen_tls");
        row("redrive.insecure_listen = true",
            "14:9: warning: redrive.insecure_listen: does nothing: no listener leaves this machine");
        row("redrive.limits.rate = 0", "14:23: error: redrive.limits.rate: 0 is out of range");
        row("redrive.alerts.window = 9", "14:25: error: redrive.alerts.window: 9 is out of range");
        row("redrive.alerts.webhooks = 1",
            "14:27: error: redrive.alerts.webhooks: must be an array of tables");
        row("redrive.alerts.webhooks = [{ form = \"mail\", url = \"https://a.example\" }]",
            "14:37: error: redrive.alerts.webhooks[0].form: \"mail\" is no form, allowed are");
        row("redrive.alerts.webhooks = [{ form = \"slack\" }]",
            "14:28: error: redrive.alerts.webhooks[0].url: is missing; it, or url_secret");
        row("redrive.alerts.webhooks = [{ form = \"pagerduty\" }]",
            "14:28: error: redrive.alerts.webhooks[0].key: is missing; PagerDuty needs");
        row("redrive.alerts.webhooks = [{ url = \"https://a.example\", url_secret = \"TOKEN\" }]",
            "14:70: error: redrive.alerts.webhooks[0].url_secret: url stands there too");
        row("redrive.alerts.webhooks = [{ url = \"ftp://a.example\" }]",
            "14:36: error: redrive.alerts.webhooks[0].url: ");
        row("redrive.archive = { keep = 86400 }", "14:19: error: redrive.archive.dir: is missing");
        row("redrive.archive = { dir = \"x\", keep = 1 }",
            "14:39: error: redrive.archive.keep: 1 is out of range");
        row("redrive.archive = { dir = \"x\", s3 = { access_key = \"TOKEN\", secret_key = \"HOOK\", url = "
            "\"https://a.example\", bucket = \"B\" } }",
            "14:118: error: redrive.archive.s3.bucket: is no name of a bucket");
        row("redrive.archive = { dir = \"x\", s3 = { access_key = \"TOKEN\", url = \"https://a.example\", "
            "bucket = "
            "\"bbb\" } }",
            "14:37: error: redrive.archive.s3.secret_key: is missing");
        row("redrive.archive = { dir = \"x\", s3 = { access_key = \"TOKEN\", secret_key = \"HOOK\", url = "
            "\"https://a.example\", bucket = \"bbb\", prefix = \"../x\" } }",
            "14:134: error: redrive.archive.s3.prefix: must be folders");
        row("redrive.lisen = \"x\"",
            "14:9: warning: redrive.lisen: unknown key, it is ignored; known here are listen, listen_tls,");
        row("redrive.hosts = [\"a b\"]", "14:18: error: redrive.hosts[0]: \"a b\" is no host name");
        row("redrive.hosts = \"a\"", "14:17: error: redrive.hosts: must be an array of texts, not text");
        row("redrive.workers = 0", "14:19: error: redrive.workers: 0 is out of range, allowed are 1 to 1000");
        row("redrive.intake_token = \"NOWHERE\"",
            "14:24: error: redrive.intake_token: names a secret that "
            "is neither in the environment nor in .dev.vars nor kept by "
            "`redrive secrets`");
        row("redrive.intake_token = \"EMPTY\"",
            "14:24: error: redrive.intake_token: names a secret that is empty");
        row("redrive.ingest_token = \"a b\"", "14:24: error: redrive.ingest_token: must be the name of a "
                                              "secret (letters, digits and _), never the secret itself");
        row("redrive.ingest_token = 5",
            "14:24: error: redrive.ingest_token: must be the name of a secret, not an integer");
        row("redrive.jobs.queue = \"dead\"",
            "14:22: error: redrive.jobs.queue: \"dead\" is a dead-letter queue, jobs need another one");
        row("redrive.jobs.queue = \"telemetry-ingest\"",
            "14:22: error: redrive.jobs.queue: \"telemetry-ingest\" is the telemetry queue, jobs need "
            "another one");
        row("redrive.jobs = \"jobs\"", "14:16: error: redrive.jobs: must be a table, not text");
        row("redrive.telemetry.queue = \"dead\"", "14:27: error: redrive.telemetry.queue: \"dead\" is a "
                                                  "dead-letter queue, telemetry needs a queue of its own");
        row("redrive.handlers.a = { command = [\"x\"], queue = \"dead\" }",
            "14:49: error: redrive.handlers.a.queue: \"dead\" is a dead-letter queue, jobs need another one");
        row("redrive.handlers.a = { command = [\"x\"], queue = \"else\" }",
            "14:49: warning: redrive.handlers.a.queue: the queue \"else\" has no consumer");
        row("redrive.handlers.a = { command = [] }",
            "14:34: error: redrive.handlers.a.command: is empty, the program is missing");
        row("redrive.handlers.a = { command = \"ls -l\" }",
            "14:34: error: redrive.handlers.a.command: must be an array of program and arguments, not text");
        row("redrive.handlers.a = { command = [\"x\"], url = \"http://h/\" }",
            "14:22: error: redrive.handlers.a: has a command and a url, only one of them is allowed");
        row("redrive.handlers.a = { url = \"http://u:hunter2@h/\" }",
            "14:30: error: redrive.handlers.a.url: holds user information; allowed are");
        row("redrive.handlers.a = { timeout = 5 }",
            "14:22: warning: redrive.handlers.a: has neither command nor url");
        row("redrive.handlers.send_email = { command = [\"x\"] }",
            "14:31: error: redrive.handlers.send_email: Redrive runs this type itself");
        row("redrive.handlers.a = { command = [\"x\"], timeout = -1 }",
            "14:51: error: redrive.handlers.a.timeout: -1 is out of range");
        row("redrive.consumers.dead = { url = \"http://h/\" }",
            "14:19: warning: redrive.consumers.dead: is not used: \"dead\" is a dead-letter queue");
        row("redrive.consumers.\"a b\" = { url = \"http://h/\" }",
            "14:19: warning: redrive.consumers.\"a b\": is not used: no entry of queues.consumers consumes "
            "the queue \"a b\"");
        row("redrive.queues.nobody = { paused = true }",
            "14:16: warning: redrive.queues.nobody: no producer, consumer or dead_letter_queue names this "
            "queue");
        row("redrive.queues.jobs = { retention = 59 }", "14:37: error: redrive.queues.jobs.retention: 59 is "
                                                        "out of range, allowed are 60 to 1209600 seconds");
        row("redrive.queues.jobs = { delivery_delay = 86401 }",
            "14:42: error: redrive.queues.jobs.delivery_delay: 86401 is out of range");
        row("redrive.backoff = { base = 10, cap = 5 }",
            "14:19: error: redrive.backoff: the cap is smaller than the base");
        row("redrive.backoff.jitter = 1.5",
            "14:26: error: redrive.backoff.jitter: 1.5 is out of range, allowed are 0 to 1");
        row("redrive.limits.backlog = 0", "14:26: error: redrive.limits.backlog: 0 is out of range");
        row("redrive.retention.jobs = 1", "14:26: error: redrive.retention.jobs: 1 is out of range");
        row("redrive.retention.job = 60", "14:19: warning: redrive.retention.job: unknown key");
        row("redrive.smtp.url = \"http://mail/\"", "14:20: error: redrive.smtp.url: is no mail server");
        row("redrive.smtp.url = \"smtp://u:hunter2@mail/\"",
            "14:20: warning: redrive.smtp.url: holds a password; everybody");
        row("redrive.database = \"postgresql://u:hunter2@db/x\"",
            "14:20: warning: redrive.database: holds a password; everybody");
        row("redrive.smtp.url = \"smtp://mail/?tls=maybe\"",
            "14:20: error: redrive.smtp.url: has something behind the ?; allowed are ?tls=required");
        row("redrive.smtp.url = \"smtps://mail/?tls=none\"",
            "14:20: error: redrive.smtp.url: has something behind the ?");
        row("redrive.smtp.url = \"smtp://hunter2@mail/?tls=none\"",
            "14:20: error: redrive.smtp.url: would send a password in the clear");
        row("redrive.smtp.from = \"hunter2\"", "14:21: error: redrive.smtp.from: is no mail address");
        row("redrive.smtp.from = \"a@b.c\\r\\nBcc: hunter2@b.c\"",
            "14:21: error: redrive.smtp.from: holds control characters");
        row("redrive.smtp = { url = \"smtp://mail/\", password = \"TOKEN\" }",
            "14:51: warning: redrive.smtp.password: is not used: smtp.url names no user");
        row("redrive.smtp.password = \"NOWHERE\"",
            "14:25: error: redrive.smtp.password: names a secret that is neither");
        row("redrive.process_file.roots = [1]",
            "14:31: error: redrive.process_file.roots[0]: must be text, not an integer");
        row("redrive.allow_private_targets = [\"10.0.0.7/8\"]",
            "14:34: error: redrive.allow_private_targets[0]: \"10.0.0.7/8\" has address bits set behind its "
            "prefix");
        row("redrive.endpoints = [{ url = \"http://h/\" }]",
            "14:22: error: redrive.endpoints[0].id: is missing, it is required");
        row("redrive.endpoints = [{ id = \"a\" }]",
            "14:22: error: redrive.endpoints[0].url: is missing, it is required");
        row("redrive.endpoints = [{ id = \"a\", url = \"ftp://h/\" }]",
            "14:40: error: redrive.endpoints[0].url: is not http or https");
        row("redrive.endpoints = [{ id = \"a\", url = \"http://u:hunter2@h/\" }]",
            "14:40: error: redrive.endpoints[0].url: holds user information");
        row("redrive.endpoints = [{ id = \"a\", url = \"http://h/\" }, { id = \"a\", url = \"http://h/\" }]",
            "14:62: error: redrive.endpoints[1].id: the endpoint \"a\" stands at wrangler.toml:14:29 "
            "already");
        row("redrive.endpoints = [{ id = \"a\", url = \"http://h/\", headers = { Host = \"x\" } }]",
            "14:72: error: redrive.endpoints[0].headers.Host: \"Host\" is reserved");
        row("redrive.endpoints = [{ id = \"a\", url = \"http://h/\", headers = { X = \"hunter2\\r\\nY: z\" } "
            "}]",
            "14:69: error: redrive.endpoints[0].headers.X: the value holds a line break");
        row("redrive.endpoints = [{ id = \"a\", url = \"http://h/\", headers = { x = \"a\", X = \"a\" } }]",
            "14:78: error: redrive.endpoints[0].headers.X: the header stands here twice");
        row("redrive.endpoints = [{ id = \"a\", url = \"http://h/\", secret = \"NOWHERE\" }]",
            "14:62: error: redrive.endpoints[0].secret: names a secret that is neither");
        row("redrive.endpoints = [{ id = \"a\", url = \"http://h/\", secret = \"whsec_hunter2\" }]",
            "14:62: error: redrive.endpoints[0].secret: must be the name of a secret");
        row("redrive.endpoints = [{ id = \"a\", url = \"http://h/\", secret = \"WEAK\" }]",
            "14:62: error: redrive.endpoints[0].secret: names a secret that cannot sign: it holds 3 bytes");
        row("redrive.endpoints = [{ id = \"a\", url = \"http://h/\", secret = \"SHORT\" }]",
            "14:62: warning: redrive.endpoints[0].secret: names a signing secret of only 16 bytes; 24 to 64 "
            "are recommended");
        row("redrive.endpoints = [{ id = \"a\", url = \"http://h/\", secret = [] }]",
            "14:62: error: redrive.endpoints[0].secret: is empty");
        row("redrive.endpoints = [{ id = \"a\", url = \"http://h/\", events = [\"a*\"] }]",
            "14:63: error: redrive.endpoints[0].events[0]: \"a*\" is no event pattern");
        row("redrive.endpoints = [{ id = \"a\", url = \"http://h/\", schedule = [] }]",
            "14:64: error: redrive.endpoints[0].schedule: has 0 entries, allowed are 1 to 100");
        row("redrive.endpoints = [{ id = \"a\", url = \"http://h/\", schedule = [-1] }]",
            "14:65: error: redrive.endpoints[0].schedule[0]: -1 is out of range");
        row("redrive.endpoints = [{ id = \"a\", url = \"http://h/\", schedule = \"slow\" }]",
            "14:64: error: redrive.endpoints[0].schedule: \"slow\" is no schedule");
        row("redrive.endpoints = [{ id = \"a\", url = \"http://h/\", rate = 0 }]",
            "14:60: error: redrive.endpoints[0].rate: 0 is out of range");
        row("redrive.endpoints = [{ id = \"a\", url = \"http://h/\", max_in_flight = 0 }]",
            "14:69: error: redrive.endpoints[0].max_in_flight: 0 is out of range");
        row("redrive.endpoints = { id = \"a\" }",
            "14:21: error: redrive.endpoints: must be an array of tables, not a table");
    }

    void reports()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, diagnostic);
        const LoadResult result = load(text + '\n', secrets);

        QStringList lines;
        for (const Diagnostic& each : result.diagnostics) {
            if (each.line > 0) // what follows for queues that lost their role has no place
                lines.append(each.text());
        }
        QVERIFY2(lines.size() == 1, qPrintable(result.text()));
        QVERIFY2(lines[0].startsWith(u"wrangler.toml:"_s + diagnostic), qPrintable(result.text()));
        QCOMPARE(result.ok, !diagnostic.contains(u": error: "_s));
        QVERIFY(!result.text().contains(u"hunter2"_s));
    }

    void aHandlerOfAQueueNeedsAProgram()
    {
        const LoadResult result = load("redrive.consumers.x = {}\n");
        QCOMPARE(errorsOf(result),
                 QStringList{u"wrangler.toml:14:23: error: redrive.consumers.x: needs a command or a url"_s});
    }

    void queuesGetTheirRoles()
    {
        const LoadResult result = load("[redrive]\njobs.queue = \"fast\"\ntelemetry.queue = \"events\"\n"
                                       "handlers.big = { command = [\"/bin/x\"], queue = \"slow\" }\n"
                                       "consumers.telemetry-ingest = { command = [\"/bin/y\"] }\n"
                                       "consumers.jobs = { url = \"http://localhost/\" }\n");
        QVERIFY(result.ok);
        QCOMPARE(warningsOf(result).size(), 3); // fast, events, slow: no consumer
        QCOMPARE(result.settings.jobsQueue, u"fast"_s);
        QCOMPARE(result.settings.telemetryQueue, u"events"_s);
        QCOMPARE(result.settings.queueForType(u"big"_s), u"slow"_s);
        QCOMPARE(result.settings.queueForType(u"other"_s), u"fast"_s);
        QCOMPARE(result.settings.queueNames(), (QStringList{u"jobs"_s, u"dead"_s, u"telemetry-ingest"_s,
                                                            u"fast"_s, u"events"_s, u"slow"_s}));
    }

    // Its plain messages go there; its jobs do not.
    void aConsumerOfTheQueueOfJobsIsUsed()
    {
        const LoadResult result = load("redrive.consumers.jobs = { url = \"http://localhost/\" }\n");
        QVERIFY(result.ok);
        QVERIFY2(!result.text().contains(u"is not used"_s), qPrintable(result.text()));
        QVERIFY(result.settings.consumerHandlers.contains(u"jobs"_s));
    }

    void secretsComeFromTheEnvironmentFirst()
    {
        TextRequest request = tomlRequest("[redrive]\nintake_token = \"A\"\ningest_token = \"B\"\n");
        request.devVars = SourceFile{u".dev.vars"_s, "A=\"file-a\"\nB=\"file-b\"\nC=x\nbroken s3cret\n"};
        request.processEnvironment = {{u"A"_s, "environment-a"}};
        const LoadResult result = loadSettingsFromText(request);
        QCOMPARE(result.settings.secrets.value(u"A"_s), QByteArray("environment-a"));
        QCOMPARE(result.settings.secrets.value(u"B"_s), QByteArray("file-b"));
        QCOMPARE(result.settings.intakeTokenSecret, u"A"_s);
        QVERIFY(result.text().contains(u".dev.vars:4:1: warning: "_s));
        for (const QString& value : {u"file-a"_s, u"file-b"_s, u"environment-a"_s, u"s3cret"_s})
            QVERIFY(!result.text().contains(value));
    }

    void redriveTomlBeside()
    {
        TextRequest request = tomlRequest("name = \"x\"\n");
        request.redrive = SourceFile{u"redrive.toml"_s, "other = 1\n[redrive]\nworkers = 5\nworker = 6\n"};
        const LoadResult inTable = loadSettingsFromText(request);
        QCOMPARE(inTable.settings.workers, 5);
        QVERIFY(inTable.text().contains(u"redrive.toml:1:1: warning: other: is ignored"_s));
        QVERIFY(inTable.text().contains(u"redrive.toml:4:1: warning: redrive.worker: unknown key"_s));

        request.redrive->text = "workers = 6\nlisten = 5\n";
        const LoadResult atTop = loadSettingsFromText(request);
        QCOMPARE(atTop.settings.workers, 6);
        QVERIFY(atTop.text().contains(u"redrive.toml:2:10: error: listen: must be text"_s));

        request.wrangler->text = "[redrive]\nworkers = 7\n";
        const LoadResult twice = loadSettingsFromText(request);
        QVERIFY(twice.text().contains(
            u"wrangler.toml:1:1: error: redrive: stands here and in redrive.toml:1:1"_s));
    }

    void redriveTomlOverTheBuiltInDefault()
    {
        TextRequest request;
        request.redrive = SourceFile{u"redrive.toml"_s, "workers = 6\n"};
        const LoadResult result = loadSettingsFromText(request);
        QCOMPARE(result.text(), QString());
        QCOMPARE(result.settings.workers, 6);
        QCOMPARE(result.settings.jobsQueue, u"jobs"_s);
    }

    void tomlAndJsoncGiveTheSame()
    {
        TextRequest toml = tomlRequest("[redrive]\nworkers = 5\nlimits = { backlog = 10 }\n"
                                       "queues.\"my/ Queue\" = { retention = 60.5 }\n"
                                       "endpoints = [{ id = \"ä\", url = \"http://h/\", schedule = [1, 2], "
                                       "headers = { X = \"y\" } }]\n");
        TextRequest jsonc =
            jsoncRequest("{ \"redrive\": { \"workers\": 5, \"limits\": { \"backlog\": 1e1 }, // ten\n"
                         "  \"queues\": { \"my/ Queue\": { \"retention\": 60.5 } },\n"
                         "  \"endpoints\": [{ \"id\": \"\\u00e4\", \"url\": \"http://h/\", \"schedule\": [1, "
                         "2.0,], \"headers\": { \"X\": \"y\" } }] } }");
        const LoadResult a = loadSettingsFromText(toml);
        const LoadResult b = loadSettingsFromText(jsonc);
        QVERIFY2(a.ok && b.ok, qPrintable(a.text() + b.text()));
        QVERIFY(a.settings == b.settings);
    }
};

QTEST_APPLESS_MAIN(RedriveSectionTest)
#include "redrive_section_test.moc"
