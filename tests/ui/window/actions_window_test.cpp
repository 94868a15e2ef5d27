// Cancel, postpone, edit and requeue over a real engine, with the mouse and the keyboard.
#include "core/engine/engine.h"
#include "tests/ui/support/page_fixture.h"
#include "ui/dialogs/action_dialog.h"
#include "ui/dialogs/delay_field.h"
#include "ui/dialogs/edit_dialog.h"
#include "ui/pages/dead_letters_page.h"
#include "ui/pages/jobs_page.h"
#include "ui/pages/timers_page.h"
#include "ui/widgets/row_table.h"
#include "ui/widgets/theme_controller.h"

#include <QPlainTextEdit>
#include <QSpinBox>
#include <QTemporaryDir>

#include <future>

using namespace redrive;
using namespace redrive::test;

namespace {

// Fails for good until its payload says otherwise.
class Picky final : public BlockingHandler
{
public:
    HandlerOutcome run(const ClaimedJob& job, const StopSignal&) override
    {
        HandlerOutcome outcome;
        if (job.payload.contains("good"))
            return outcome;
        outcome.result = job.payload.contains("later") ? HandlerResult::Transient : HandlerResult::Permanent;
        outcome.error = u"not good"_s;
        return outcome;
    }
};

class Endless final : public BlockingHandler
{
public:
    HandlerOutcome run(const ClaimedJob&, const StopSignal& stop) override
    {
        while (!stop.requested)
            std::this_thread::yield();
        HandlerOutcome outcome;
        outcome.result = HandlerResult::Cancelled;
        return outcome;
    }
};

template <typename T>
T answerOf(const std::function<void(Reply<T>)>& ask)
{
    auto promise = std::make_shared<std::promise<Result<T>>>();
    auto future = promise->get_future();
    ask([promise](Result<T> result) { promise->set_value(std::move(result)); });
    auto result = future.get();
    if (!result)
        qFatal("%s", qPrintable(result.error().text()));
    return std::move(*result);
}

} // namespace

class ActionsWindowTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_themes = std::make_unique<ThemeController>(*qApp); }

    void init()
    {
        m_path = m_folder.filePath(u"%1.db"_s.arg(++m_number));
        start({});
    }

    void cleanup() { m_engine.reset(); }

    void aRunningJobIsCancelledWithTheMouse()
    {
        const auto id = submit(u"endless"_s, "{}");
        PageFixture<JobsPage> at(*m_engine);
        clickOnly(at);
        QTRY_COMPARE(detail(id).job.status, JobStatus::Processing);
        click(at, u"Cancel 1"_s);
        auto* dialog = waitFor<ActionDialog>();
        QTRY_VERIFY(dialog->actButton()->isEnabled());
        QCOMPARE(dialog->actButton()->text(), u"Cancel 1 job"_s);
        QCOMPARE(detail(id).job.status, JobStatus::Processing); // not before it is said
        QTest::mouseClick(dialog->actButton(), Qt::LeftButton);
        QTRY_COMPARE(at.messages, QStringList{u"1 of 1 cancelled"_s});
        QTRY_COMPARE(detail(id).job.status, JobStatus::Cancelled);
        QTRY_VERIFY(!at.button(u"Cancel"_s)->isEnabled());
    }

    void aTimerIsPostponedWithTheMouse()
    {
        const auto id = submit(u"picky"_s, "\"later\"");
        PageFixture<TimersPage> at(*m_engine);
        clickOnly(at);
        click(at, u"Postpone 1"_s);
        auto* dialog = waitFor<ActionDialog>();
        QVERIFY(dialog->delayField());
        for (auto* preset : dialog->delayField()->findChildren<QAbstractButton*>())
            if (preset->text() == u"6 h")
                QTest::mouseClick(preset, Qt::LeftButton);
        QCOMPARE(dialog->delayField()->seconds()->value(), 21'600);
        QTRY_VERIFY(dialog->actButton()->isEnabled());
        const qint64 asked = at.bridge.nowMs();
        QTest::mouseClick(dialog->actButton(), Qt::LeftButton);
        QTRY_COMPARE(at.messages, QStringList{u"1 of 1 postponed"_s});
        const auto job = detail(id);
        QVERIFY(job.job.dueAtMs.value_or(0) >= asked + 21'600'000);
        QCOMPARE(job.job.reason, u"retry"_s);
        QCOMPARE(job.job.attempts, 1);
    }

    void aDeadJobIsEditedAndRequeued()
    {
        const auto id = submit(u"picky"_s, "{\"a\":1}");
        QTRY_COMPARE(detail(id).job.status, JobStatus::Dead);
        PageFixture<DeadLettersPage> at(*m_engine);
        clickOnly(at);
        QTRY_VERIFY(at.button(u"Edit"_s) && at.button(u"Edit"_s)->isEnabled());
        QTest::keyClick(at.page->table(), Qt::Key_E);
        auto* dialog = waitFor<EditDialog>();
        QCOMPARE(dialog->text()->toPlainText(), u"{\"a\":1}"_s);
        dialog->text()->setPlainText(u"{\n  \"a\": oops\n}"_s);
        QVERIFY2(dialog->verdict().startsWith(u"Line 2, column 8:"_s), qPrintable(dialog->verdict()));
        QVERIFY(!dialog->actButton()->isEnabled());
        QCOMPARE(dialog->text()->extraSelections().size(), 1);
        dialog->text()->setPlainText(u"{\"a\":\"good\u00a0\u2028one\"}"_s);
        QTRY_VERIFY(dialog->actButton()->isEnabled());
        QTest::mouseClick(dialog->actButton(), Qt::LeftButton);
        QTRY_COMPARE(at.messages.size(), 1);
        QVERIFY2(at.messages[0].startsWith(u"1 of 1 edited and requeued as "_s), qPrintable(at.messages[0]));
        QTRY_COMPARE(at.page->model()->rowCount(), 0);
        const auto former = detail(id);
        QCOMPARE(former.job.status, JobStatus::Cancelled);
        QCOMPARE(former.versions.size(), 2);
        const auto newId = former.job.supersededBy;
        QTRY_COMPARE(detail(newId).job.status, JobStatus::Done);
        const auto payload = answerOf<PayloadPiece>(
            [&](Reply<PayloadPiece> reply) { m_engine->payload(newId, 0, 1000, reply); });
        QCOMPARE(payload.bytes, u"{\"a\":\"good\u00a0\u2028one\"}"_s.toUtf8());
    }

    void theEngineJudgesAnEditBeforeTheButtonDoes()
    {
        submit(u"webhook_fanout"_s, R"({"eventType":1})");
        PageFixture<DeadLettersPage> at(*m_engine);
        clickOnly(at);
        click(at, u"Edit"_s);
        auto* dialog = waitFor<EditDialog>();
        dialog->text()->setPlainText(u"{\"endpoints\":[{\"id\":\"a\",\"url\":\"ftp://x\"}]}"_s);
        QTRY_VERIFY2(dialog->verdict().contains(u"payload.endpoints[0].url"_s),
                     qPrintable(dialog->verdict()));
        QVERIFY(!dialog->actButton()->isEnabled());
    }

    void aProductionProfileIsReadOnly()
    {
        const auto id = submit(u"picky"_s, "\"later\"");
        QTRY_VERIFY(detail(id).job.dueAtMs);
        m_engine.reset();
        start(u"eu"_s);
        PageFixture<TimersPage> at(*m_engine, [](PageContext& context) { context.readOnly = true; });
        clickOnly(at);
        const auto actions = at.page->pageActions();
        for (auto* action : actions) {
            if (action->text().startsWith(u"Run now"_s) || action->text().startsWith(u"Cancel"_s) ||
                action->text().startsWith(u"Postpone"_s) || action->text().startsWith(u"Edit"_s)) {
                QVERIFY2(!action->isEnabled(), qPrintable(action->text()));
                if (!action->text().contains(u"with options"_s))
                    QCOMPARE(action->statusTip(), u"This profile is read-only."_s);
            }
        }
        // And the gate itself holds, whoever asks.
        ActionRequest asked;
        asked.verb = ActionVerb::Cancel;
        asked.scope.ids = {id};
        std::promise<ErrorKind> refused;
        m_engine->act(asked, [&](Result<ActionResult> result) {
            refused.set_value(result ? ErrorKind::Internal : result.error().kind);
        });
        QCOMPARE(refused.get_future().get(), ErrorKind::Refused);
        QCOMPARE(detail(id).job.status, JobStatus::Pending);
    }

private:
    void start(const QString& readOnly)
    {
        EngineOptions options;
        ConsumerSettings consumer;
        consumer.queue = u"jobs"_s;
        consumer.maxBatchTimeoutMs = 0;
        consumer.deadLetterQueue = u"jobs-dead"_s;
        options.settings.consumers = {consumer};
        options.settings.jobsQueue = u"jobs"_s;
        options.settings.listen = u"127.0.0.1:0"_s;
        options.settings.backoff = {600'000, 600'000, 0};
        options.database.path = m_path;
        options.drainMs = 300;
        options.readOnly = readOnly;
        options.addHandlers = [](HandlerRegistry& registry) {
            registry.add(u"picky"_s, std::static_pointer_cast<BlockingHandler>(std::make_shared<Picky>()));
            registry.add(u"endless"_s,
                         std::static_pointer_cast<BlockingHandler>(std::make_shared<Endless>()));
        };
        auto engine = Engine::start(std::move(options));
        if (!engine)
            qFatal("%s", qPrintable(engine.error().text()));
        m_engine = std::move(*engine);
    }

    QString submit(const QString& type, const QByteArray& payload)
    {
        return answerOf<QString>([&](Reply<QString> reply) { m_engine->submit({type, payload, 0}, reply); });
    }

    JobDetail detail(const QString& id)
    {
        return answerOf<JobDetail>([&](Reply<JobDetail> reply) { m_engine->jobDetail(id, reply); });
    }

    template <typename PageT>
    static void clickOnly(PageFixture<PageT>& at)
    {
        QTRY_VERIFY(at.page->model()->rowCount() == 1 && at.page->model()->rowAt(0));
        at.clickRow(0);
        QCOMPARE(at.page->table()->selectedRowCount(), 1);
    }

    template <typename PageT>
    static void click(PageFixture<PageT>& at, const QString& button)
    {
        QTRY_VERIFY2(at.button(button) && at.button(button)->isEnabled(), qPrintable(button));
        QTest::mouseClick(at.button(button), Qt::LeftButton);
    }

    template <typename Dialog>
    static Dialog* waitFor()
    {
        Dialog* found = nullptr;
        [&] {
            QTRY_VERIFY([&] {
                for (auto* widget : QApplication::topLevelWidgets())
                    if (auto* dialog = qobject_cast<Dialog*>(widget); dialog && dialog->isVisible())
                        found = dialog;
                return found != nullptr;
            }());
        }();
        return found;
    }

    std::unique_ptr<ThemeController> m_themes;
    QTemporaryDir m_folder;
    QString m_path;
    int m_number = 0;
    std::unique_ptr<Engine> m_engine;
};

QTEST_MAIN(ActionsWindowTest)
#include "actions_window_test.moc"
