// A window that only looks at what an engine elsewhere does: it tells of what that one cannot do.
#include "core/engine/engine.h"
#include "tests/support/http_receiver.h"
#include "tests/support/plain_client.h"
#include "ui/models/standing_notices.h"
#include "ui/shell/failing_targets.h"

#include <QTemporaryDir>
#include <QTest>

using namespace redrive;
using namespace redrive::test;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr char kPath[] = "/alerts";
constexpr int kPostedAgainMs = 20'000; // the second attempt comes after 5 s

} // namespace

class ViewWindowTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void itTellsOfAlertsThatDoNotArrive()
    {
        const QTemporaryDir folder;
        HttpReceiver receiver;
        receiver.answer(kPath, ReceiverAnswer::status(500, "not now"));
        EngineOptions options;
        ConsumerSettings jobs;
        jobs.queue = u"jobs"_s;
        jobs.maxBatchTimeoutMs = 0;
        jobs.deadLetterQueue = u"jobs-dlq"_s;
        AlertTarget target;
        target.url = receiver.url(kPath);
        AlertTarget withSecret; // which the viewer does not have
        withSecret.url = receiver.url("/works");
        withSecret.keySecret = u"KEY"_s;
        options.settings.consumers = {jobs};
        options.settings.jobsQueue = jobs.queue;
        options.settings.listen = u"127.0.0.1:0"_s;
        options.settings.alerts.webhooks = {target, withSecret};
        options.settings.secrets.insert(u"KEY"_s, "sesame");
        options.database.path = folder.filePath(u"redrive.db"_s);
        const auto working = Engine::start(options);
        QVERIFY2(working, working ? "" : qPrintable(working.error().text()));

        options.consume = options.listen = false;
        options.settings.secrets.clear();
        const auto viewing = Engine::start(options);
        QVERIFY2(viewing, viewing ? "" : qPrintable(viewing.error().text()));
        SystemClock clock;
        EngineBridge bridge(**viewing, clock);
        const FailingTargets elsewhere(bridge);
        const auto bars = [&] { return standingNotices(elsewhere.addedTo(bridge.health()), bridge.nowMs()); };
        QCOMPARE(bars(), QStringList());

        const PlainClient client((*working)->health().listenUrl);
        QCOMPARE(client.post("/jobs", R"({"type":"nobody knows it"})").status, 202);
        QTRY_COMPARE(bars().size(), 1);
        const QString bar = bars().first();
        QVERIFY2(bar.startsWith(u"Alerts have not arrived at http://127.0.0.1:%1/"_s.arg(receiver.port())) &&
                     bar.contains(u"HTTP 500"_s),
                 qPrintable(bar));
        receiver.answer(kPath, ReceiverAnswer::status(200));
        QTRY_COMPARE_WITH_TIMEOUT(bars(), QStringList(), kPostedAgainMs);
    }
};

QTEST_MAIN(ViewWindowTest)
#include "view_window_test.moc"
