// What the Deliveries page offers for rows in each state.
#include "core/domain/reason.h"
#include "tests/ui/support/page_fixture.h"
#include "tests/ui/support/sample_data.h"
#include "ui/dialogs/bytes_dialog.h"
#include "ui/pages/deliveries_page.h"
#include "ui/widgets/row_table.h"
#include "ui/widgets/theme_controller.h"

#include <QAction>
#include <QPlainTextEdit>
#include <QPushButton>

using namespace redrive;
using namespace redrive::test;

namespace {

DeliveryRow rowWith(DeliveryStatus status, const QString& reason, bool discarded = false)
{
    DeliveryRow row = sampleDeliveries(QDateTime::currentMSecsSinceEpoch(), 1).first();
    row.status = status;
    row.reason = reason;
    row.discarded = discarded;
    return row;
}

} // namespace

class DeliveriesPageTest final : public QObject
{
    Q_OBJECT

    std::unique_ptr<ThemeController> m_themes;
    std::unique_ptr<FakeEngine> m_engine;

    static QAction* replayOf(const DeliveriesPage& page)
    {
        for (auto* action : page.pageActions())
            if (action->text().startsWith(u"Replay"_s) && !action->text().contains(u"options"_s))
                return action;
        return nullptr;
    }

private Q_SLOTS:
    void initTestCase() { m_themes = std::make_unique<ThemeController>(*qApp); }
    void init()
    {
        m_engine = std::make_unique<FakeEngine>();
        fillWithSamples(*m_engine, QDateTime::currentMSecsSinceEpoch());
    }

    void replaysWhatTheEngineReplays_data()
    {
        QTest::addColumn<DeliveryRow>("row");
        QTest::addColumn<QString>("obstacle"); // empty: none
        const QString paused = u"Their endpoint is paused: they go out when it is resumed."_s;
        using S = DeliveryStatus;
        QTest::newRow("failed") << rowWith(S::Failed, reason::kRetry) << QString();
        QTest::newRow("dead") << rowWith(S::Dead, reason::kRetriesUsedUp) << QString();
        QTest::newRow("delivered") << rowWith(S::Delivered, {}) << QString();
        QTest::newRow("cancelled") << rowWith(S::Cancelled, reason::kCancelled) << QString();
        QTest::newRow("held by a 410") << rowWith(S::Held, reason::kEndpointDisabled) << QString();
        QTest::newRow("held by its payload") << rowWith(S::Held, reason::kHeldByPayload) << QString();
        QTest::newRow("held by a pause") << rowWith(S::Held, reason::kEndpointPaused) << paused;
        QTest::newRow("sending") << rowWith(S::Sending, {}) << u"They are being sent right now."_s;
        QTest::newRow("pending") << rowWith(S::Pending, {}) << u"They wait to be sent already."_s;
        QTest::newRow("in the bin") << rowWith(S::Dead, reason::kRetriesUsedUp, true)
                                    << u"They are in the bin: restore them first."_s;
        DeliveryRow other = rowWith(S::Cancelled, {});
        other.otherStatus = u"parked"_s;
        QTest::newRow("in another state") << other << u"They are in a state that Redrive does not know."_s;
    }
    void replaysWhatTheEngineReplays()
    {
        QFETCH(DeliveryRow, row);
        QFETCH(QString, obstacle);
        m_engine->setDeliveries({row});
        PageFixture<DeliveriesPage> at(*m_engine);
        QTRY_VERIFY(at.page->model()->rowAt(0));
        at.clickRow(0);
        QAction* replay = replayOf(*at.page);
        QVERIFY(replay);
        QTRY_COMPARE(replay->statusTip(), obstacle);
        QCOMPARE(replay->isEnabled(), obstacle.isEmpty());
        QTest::keyClick(at.page->table(), Qt::Key_R);
        if (obstacle.isEmpty())
            QTRY_COMPARE(m_engine->actions().size(), 1);
        else
            QVERIFY(m_engine->actions().isEmpty());
    }

    void severalObstaclesAreSaidTogether()
    {
        auto rows = sampleDeliveries(QDateTime::currentMSecsSinceEpoch(), 2);
        rows[0].status = DeliveryStatus::Sending;
        rows[1].status = DeliveryStatus::Held;
        rows[1].reason = reason::kEndpointPaused;
        m_engine->setDeliveries(rows);
        PageFixture<DeliveriesPage> at(*m_engine);
        QTRY_VERIFY(at.page->model()->rowAt(1));
        at.clickRow(0);
        QTest::keyClick(at.page->table(), Qt::Key_A, Qt::ControlModifier);
        QAction* replay = replayOf(*at.page);
        QTRY_VERIFY2(replay->statusTip().startsWith(u"None of them can be sent again"_s),
                     qPrintable(replay->statusTip()));
        QVERIFY(!replay->isEnabled());
    }

    void allThatIsKeptOfAnAnswerCanBeOpened()
    {
        const qint64 nowMs = QDateTime::currentMSecsSinceEpoch();
        DeliveryDetail detail = sampleDeliveryDetail(nowMs);
        detail.delivery = sampleDeliveries(nowMs, 1).first();
        const QByteArray body = QByteArray(65'529, 'a') + "the end";
        detail.attempts.first().responseBody = body;
        detail.attempts.last().responseBody = "short";
        m_engine->setDeliveries({detail.delivery});
        m_engine->setDeliveryDetail(detail);
        PageFixture<DeliveriesPage> at(*m_engine);
        QTRY_VERIFY(at.page->model()->rowAt(0));
        at.clickRow(0);
        const auto allButtons = [&] {
            QList<QPushButton*> found;
            for (auto* button : at.page->detail()->findChildren<QPushButton*>())
                if (button->text() == u"Show all %1 bytes"_s.arg(format::number(qint64(body.size()))))
                    found.append(button);
            return found;
        };
        QTRY_COMPARE(allButtons().size(), 1); // what is shown whole needs none
        allButtons().first()->click();
        BytesDialog* dialog = nullptr;
        for (auto* widget : QApplication::topLevelWidgets())
            if (auto* one = qobject_cast<BytesDialog*>(widget))
                dialog = one;
        QVERIFY(dialog && dialog->isVisible());
        QTRY_VERIFY(dialog->findChild<QPlainTextEdit*>()->toPlainText().contains(u"the end"_s));
        dialog->close();
    }
};

QTEST_MAIN(DeliveriesPageTest)
#include "deliveries_page_test.moc"
