// What the four lists show in their cells, each under the model tester.
#include "core/domain/reason.h"
#include "tests/support/manual_clock.h"
#include "tests/ui/support/fake_engine.h"
#include "ui/models/dead_letters_model.h"
#include "ui/models/deliveries_model.h"
#include "ui/models/format.h"
#include "ui/models/jobs_model.h"
#include "ui/models/telemetry_model.h"
#include "ui/models/timers_model.h"

#include <QAbstractItemModelTester>
#include <QTest>

using namespace redrive;
using redrive::test::FakeEngine;

class ListModelsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void jobs()
    {
        JobRow row;
        row.key = 1;
        row.id = u"01a22cd3-9b11-7c3e-a4f0-2d8e61b09e41"_s;
        row.type = u"<img src=/dev/zero>"_s;
        row.queue = u"mail"_s;
        row.error = u"first line\nsecond line"_s;
        row.reason = reason::kRetry;
        row.attempts = 2;
        row.maxAttempts = 4;
        row.dueAtMs = m_clock.wallMs() + 5000;
        m_engine.setJobs({row});
        JobsModel model(m_bridge);
        load(model);
        QCOMPARE(text(model, u"state"_s), u"Retrying"_s);
        QCOMPARE(cell(model, u"state"_s).data(GlyphRole).toString(), u"retrying"_s);
        QCOMPARE(text(model, u"id"_s), row.id);
        QCOMPARE(text(model, u"type"_s), row.type); // literally
        QCOMPARE(text(model, u"error"_s), u"first line"_s);
        QCOMPARE(cell(model, u"error"_s).data(ErrorTextRole).toString(), row.error);
        QCOMPARE(text(model, u"attempt"_s), u"2/4"_s);
        QCOMPARE(cell(model, u"next"_s).data(KindRole).toInt(), int(CellKind::Countdown));
        QCOMPARE(cell(model, u"next"_s).data(InstantRole).toLongLong(), *row.dueAtMs);
        QCOMPARE(cell(model, u"next"_s).data(RowIdRole).toString(), row.id);
    }

    void timers()
    {
        TimerRow row;
        row.key = 3;
        row.isDelivery = true;
        row.id = u"d-1"_s;
        row.endpointId = u"acme"_s;
        row.dueAtMs = m_clock.wallMs() + 5000;
        m_engine.setTimers({row});
        TimersModel model(m_bridge);
        load(model);
        QCOMPARE(m_engine.listRequests().back().sort, SortField::Due);
        QVERIFY(m_engine.listRequests().back().ascending);
        QCOMPARE(text(model, u"where"_s), u"acme"_s);
        QCOMPARE(cell(model, u"due"_s).data(InstantRole).toLongLong(), row.dueAtMs);
    }

    void deadLettersAndBin()
    {
        LetterRow row;
        row.key = 8;
        row.subjectId = u"job-8"_s;
        row.sourceQueue = u"mail"_s;
        row.reason = reason::kRetriesUsedUp;
        row.attempts = row.maxAttempts = 4;
        m_engine.setLetters(ListKind::DeadLetters, {row});
        auto binned = row;
        binned.key = 9;
        binned.state = LetterState::Discarded;
        m_engine.setLetters(ListKind::Bin, {binned});
        DeadLettersModel model(m_bridge);
        load(model);
        QCOMPARE(text(model, u"state"_s), u"Retries used up"_s);
        QCOMPARE(text(model, u"where"_s), u"queue mail"_s);
        QCOMPARE(text(model, u"attempt"_s), u"4/4"_s);
        model.setKind(ListKind::Bin);
        QTRY_VERIFY(model.rowCount() == 1 && model.rowAt(0) && model.keyAt(0) == 9);
        QCOMPARE(text(model, u"state"_s), u"Discarded"_s);
    }

    void deliveries()
    {
        DeliveryRow row;
        row.key = 5;
        row.id = u"d-5"_s;
        row.eventId = u"evt-1"_s;
        row.endpointId = u"acme"_s;
        row.status = DeliveryStatus::Dead;
        row.error = QString(500, u'x');
        row.attempts = 5;
        row.spent = row.budget = 4;
        m_engine.setDeliveries({row});
        DeliveriesModel model(m_bridge);
        load(model);
        QCOMPARE(text(model, u"state"_s), u"Dead"_s);
        QCOMPARE(text(model, u"error"_s).size(), 300);
        QCOMPARE(text(model, u"attempt"_s), u"5/5"_s);
        QCOMPARE(cell(model, u"next"_s).data(KindRole).toInt(), int(CellKind::Age));
    }

    void telemetry()
    {
        TelemetryRow row;
        row.key = 7;
        row.id = u"01a22cd3-9b11-7c3e-a4f0-2d8e61b09e41"_s;
        row.tenantId = u"<b>acme</b>"_s;
        row.source = u"audit"_s;
        row.payload = u"{\n  \"a\":\t1\n}"_s;
        row.payloadBytes = 2'048;
        row.createdAtMs = m_clock.wallMs() - 5000;
        m_engine.setTelemetry({row});
        TelemetryModel model(m_bridge);
        load(model);
        QCOMPARE(text(model, u"tenant"_s), row.tenantId); // literally
        QCOMPARE(text(model, u"payload"_s), u"{ \"a\": 1 }"_s);
        QCOMPARE(text(model, u"size"_s), format::size(2'048));
        QCOMPARE(cell(model, u"time"_s).data(KindRole).toInt(), int(CellKind::Instant));
        QCOMPARE(cell(model, u"time"_s).data(InstantRole).toLongLong(), row.createdAtMs);
        QCOMPARE(cell(model, u"time"_s).data(RowIdRole).toString(), row.id);
    }

private:
    void load(PagedTableModel& model)
    {
        new QAbstractItemModelTester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal, &model);
        model.setActive(true);
        model.setVisibleRows(0, 20);
        QTRY_VERIFY(model.rowCount() == 1 && model.rowAt(0));
    }

    static QModelIndex cell(const PagedTableModel& model, const QString& column)
    {
        for (int i = 0; i < model.columnCount(); ++i)
            if (model.columns()[i].name == column)
                return model.index(0, i);
        return {};
    }

    static QString text(const PagedTableModel& model, const QString& column)
    {
        return cell(model, column).data(Qt::DisplayRole).toString();
    }

    test::ManualClock m_clock;
    FakeEngine m_engine;
    EngineBridge m_bridge{m_engine, m_clock};
};

QTEST_GUILESS_MAIN(ListModelsTest)
#include "list_models_test.moc"
