// The pages over a real engine, steered with the mouse: what an operator does to work that failed.
#include "core/engine/engine.h"
#include "tests/support/http_receiver.h"
#include "tests/ui/support/page_fixture.h"
#include "ui/pages/dead_letters_page.h"
#include "ui/pages/deliveries_page.h"
#include "ui/pages/jobs_page.h"
#include "ui/pages/overview_page.h"
#include "ui/pages/timers_page.h"
#include "ui/widgets/row_table.h"
#include "ui/widgets/theme_controller.h"

#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QPlainTextEdit>
#include <QProcess>
#include <QSignalSpy>
#include <QTabBar>
#include <QTemporaryDir>

#include <future>

using namespace redrive;
using namespace redrive::test;

namespace {

// Does what it is told, for all its jobs.
class Told final : public BlockingHandler
{
public:
    HandlerOutcome run(const ClaimedJob&, const StopSignal&) override
    {
        ++runs;
        HandlerOutcome outcome;
        outcome.result = result;
        if (result != HandlerResult::Done)
            outcome.error = u"told to fail"_s;
        else
            outcome.content = "<b>42</b>";
        return outcome;
    }
    std::atomic<int> runs = 0;
    std::atomic<HandlerResult> result = HandlerResult::Done;
};

QByteArray fanOut(const HttpReceiver& receiver, const QStringList& endpoints)
{
    QJsonArray list;
    for (const auto& id : endpoints)
        list.append(QJsonObject{{u"id"_s, id}, {u"url"_s, receiver.url('/' + id.toUtf8())}});
    const QJsonObject payload{
        {u"eventType"_s, u"order.paid"_s}, {u"eventData"_s, QJsonObject{}}, {u"endpoints"_s, list}};
    return QJsonDocument(payload).toJson(QJsonDocument::Compact);
}

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

class EngineWindowTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_themes = std::make_unique<ThemeController>(*qApp); }

    void init()
    {
        m_told = std::make_shared<Told>();
        m_retries = 0;
        m_path = m_folder.filePath(u"%1.db"_s.arg(++m_number));
        start();
    }

    void cleanup() { m_engine.reset(); }

    void aDeadJobRequeuedWithTheMouseRunsAndIsDone()
    {
        const auto id = deadJob();
        PageFixture<DeadLettersPage> at(*m_engine);
        clickOnly(at);
        m_told->result = HandlerResult::Done;
        click(at, u"Requeue 1"_s);
        QTRY_COMPARE(statusOf(id), JobStatus::Done);
        QCOMPARE(m_told->runs.load(), 2);
        QTRY_COMPARE(at.messages, QStringList{u"1 of 1 requeued"_s});
        QTRY_COMPARE(at.page->model()->rowCount(), 0);
        QTRY_VERIFY(at.page->scopeText().startsWith(u"0 in all"_s));
    }

    void aDeadJobIsRequeuedBesideItsOpenDetail()
    {
        const auto id = deadJob();
        PageFixture<JobsPage> at(*m_engine);
        clickOnly(at);
        at.page->detail()->show();
        m_told->result = HandlerResult::Done;
        click(at, u"Requeue 1"_s);
        QTRY_COMPARE(statusOf(id), JobStatus::Done);
        QCOMPARE(m_told->runs.load(), 2);
    }

    void onlyTheFailedEndpointReceivesAReplay()
    {
        HttpReceiver receiver;
        receiver.answer("/b", ReceiverAnswer::status(500));
        submit(u"webhook_fanout"_s, fanOut(receiver, {u"a"_s, u"b"_s, u"c"_s}));
        PageFixture<DeliveriesPage> at(*m_engine);
        at.page->setFilter(u"status:dead"_s);
        clickOnly(at);
        QCOMPARE(receiver.arrivalCount(), 3);
        receiver.answer("/b", ReceiverAnswer::status(200));
        click(at, u"Replay 1"_s);
        QTRY_COMPARE(receiver.arrivalCount("/b"), 2); // the window goes on meanwhile
        QTRY_COMPARE(at.page->model()->rowCount(), 0);
        at.page->setFilter(u"status:delivered"_s);
        QTRY_COMPARE(at.page->model()->rowCount(), 3);
        QCOMPARE(receiver.arrivalCount("/a"), 1);
        QCOMPARE(receiver.arrivalCount("/b"), 2);
        QCOMPARE(receiver.arrivalCount("/c"), 1);
    }

    void aTimerIsRunNow()
    {
        m_told->result = HandlerResult::Transient;
        m_retries = 3;
        restart();
        const auto id = submit(u"told"_s, "{}");
        PageFixture<TimersPage> at(*m_engine);
        clickOnly(at);
        QCOMPARE(m_told->runs.load(), 1);
        m_told->result = HandlerResult::Done;
        click(at, u"Run now 1"_s);
        QTRY_COMPARE(statusOf(id), JobStatus::Done);
        QTRY_COMPARE(at.page->model()->rowCount(), 0);
    }

    void aLetterIsDiscardedAndComesBack()
    {
        deadJob();
        PageFixture<DeadLettersPage> at(*m_engine);
        clickOnly(at);
        click(at, u"Discard 1"_s);
        QTRY_COMPARE(at.page->model()->rowCount(), 0);
        clickChoice(at, u"Bin"_s);
        clickOnly(at);
        click(at, u"Restore 1"_s);
        QTRY_COMPARE(at.page->model()->rowCount(), 0);
        clickChoice(at, u"Dead letters"_s);
        QTRY_COMPARE(at.page->model()->rowCount(), 1);
        QCOMPARE(at.messages, (QStringList{u"1 of 1 discarded"_s, u"1 of 1 restored"_s}));
    }

    void aPauseSurvivesARestart()
    {
        {
            PageFixture<OverviewPage> at(*m_engine);
            chooseQueue(at);
            click(at, u"Pause jobs"_s);
            QTRY_COMPARE(at.messages, QStringList{u"1 of 1 paused"_s});
        }
        restart();
        const auto id = submit(u"told"_s, "{}");
        PageFixture<OverviewPage> at(*m_engine);
        chooseQueue(at);
        QTRY_VERIFY(at.button(u"Resume jobs"_s)->isEnabled());
        QTRY_COMPARE(at.page->table()->currentIndex().siblingAtColumn(0).data().toString(), u"Paused"_s);
        QCOMPARE(m_told->runs.load(), 0);
        QCOMPARE(statusOf(id), JobStatus::Pending);
        click(at, u"Resume jobs"_s);
        QTRY_COMPARE(statusOf(id), JobStatus::Done);
    }

    void aCommandInATerminalShowsWithinASecond()
    {
        const auto id = deadJob();
        m_told->result = HandlerResult::Done;
        PageFixture<DeadLettersPage> at(*m_engine);
        QTRY_COMPARE(at.page->model()->rowCount(), 1);
        QProcess terminal;
        terminal.start(QString::fromUtf8(REDRIVE_PROGRAM),
                       {u"requeue"_s, id, u"--database"_s, m_path, u"--data"_s, m_folder.path()});
        QSignalSpy ended(&terminal, &QProcess::finished);
        QTRY_COMPARE_WITH_TIMEOUT(ended.count(), 1, 30'000);
        QVERIFY2(terminal.exitCode() == 0, terminal.readAllStandardError());
        QElapsedTimer seen;
        seen.start();
        QTRY_COMPARE(at.page->model()->rowCount(), 0);
        QVERIFY2(seen.elapsed() < 1000, qPrintable(QString::number(seen.elapsed())));
        QTRY_COMPARE(statusOf(id), JobStatus::Done);
    }

    void hostileNamesAreShownAsTheyAre()
    {
        const auto name = u"<img src=/dev/zero>"_s;
        submit(name, "{}");
        PageFixture<JobsPage> at(*m_engine);
        QTRY_VERIFY(at.page->model()->rowAt(0));
        bool shown = false;
        for (int column = 0; column < at.page->model()->columnCount(); ++column)
            shown |= at.page->model()->index(0, column).data().toString() == name;
        QVERIFY(shown);
        clickOnly(at);
        at.page->detail()->show();
        QTRY_VERIFY([&] {
            for (const auto* label : at.page->detail()->findChildren<QLabel*>())
                if (label->text() == name)
                    return label->textFormat() == Qt::PlainText;
            return false;
        }());
        QVERIFY(!at.page->grab().isNull());
    }

    void theResultOfAJobIsShownAsItIs()
    {
        submit(u"told"_s, "{}");
        PageFixture<JobsPage> at(*m_engine);
        clickOnly(at);
        at.page->detail()->show();
        const auto tab = [&]() -> QTabBar* { return at.page->detail()->findChild<QTabBar*>(); };
        QTRY_VERIFY(tab() && tab()->count() == 4 && tab()->isTabVisible(3));
        QCOMPARE(tab()->tabText(3), u"Result"_s);
        tab()->setCurrentIndex(3);
        const auto texts = at.page->detail()->findChildren<QPlainTextEdit*>();
        QVERIFY(std::any_of(texts.begin(), texts.end(),
                            [](const QPlainTextEdit* text) { return text->toPlainText() == u"<b>42</b>"; }));
    }

private:
    void start()
    {
        EngineOptions options;
        ConsumerSettings consumer;
        consumer.queue = u"jobs"_s;
        consumer.maxBatchTimeoutMs = 0;
        consumer.maxRetries = m_retries;
        consumer.deadLetterQueue = u"jobs-dead"_s;
        options.settings.consumers = {consumer};
        options.settings.jobsQueue = u"jobs"_s;
        options.settings.listen = u"127.0.0.1:0"_s;
        options.database.path = m_path;
        options.drainMs = 300;
        options.addHandlers = [told = m_told](HandlerRegistry& registry) {
            registry.add(u"told"_s, std::static_pointer_cast<BlockingHandler>(told));
        };
        auto engine = Engine::start(std::move(options));
        if (!engine)
            qFatal("%s", qPrintable(engine.error().text()));
        m_engine = std::move(*engine);
    }

    void restart()
    {
        m_engine.reset();
        start();
    }

    QString submit(const QString& type, const QByteArray& payload)
    {
        return answerOf<QString>([&](Reply<QString> reply) { m_engine->submit({type, payload, 0}, reply); });
    }

    JobStatus statusOf(const QString& id)
    {
        return answerOf<JobDetail>([&](Reply<JobDetail> reply) { m_engine->jobDetail(id, reply); })
            .job.status;
    }

    QString deadJob()
    {
        m_told->result = HandlerResult::Permanent;
        const auto id = submit(u"told"_s, "{}");
        [&] { QTRY_COMPARE(statusOf(id), JobStatus::Dead); }();
        return id;
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

    static void clickChoice(PageFixture<DeadLettersPage>& at, const QString& text)
    {
        const auto buttons = at.page->findChildren<QAbstractButton*>();
        for (auto* button : buttons)
            if (button->isVisible() && button->text() == text)
                QTest::mouseClick(button, Qt::LeftButton);
    }

    static void chooseQueue(PageFixture<OverviewPage>& at)
    {
        const auto* model = at.page->table()->model();
        const auto find = [&] {
            for (int row = 0; row < model->rowCount(); ++row)
                if (model->index(row, 0).data(RowIdRole).toString() == u"jobs")
                    return row;
            return -1;
        };
        QTRY_VERIFY(find() >= 0);
        at.clickRow(find());
    }

    std::unique_ptr<ThemeController> m_themes;
    QTemporaryDir m_folder;
    QString m_path;
    int m_number = 0;
    int m_retries = 0;
    std::shared_ptr<Told> m_told;
    std::unique_ptr<Engine> m_engine;
};

QTEST_MAIN(EngineWindowTest)
#include "engine_window_test.moc"
