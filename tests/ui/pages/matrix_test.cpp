#include "tests/ui/support/page_fixture.h"
#include "tests/ui/support/sample_data.h"
#include "ui/dialogs/action_dialog.h"
#include "ui/models/matrix_model.h"
#include "ui/pages/deliveries_page.h"
#include "ui/widgets/matrix_view.h"
#include "ui/widgets/row_table.h"
#include "ui/widgets/theme_controller.h"

#include <QAbstractItemModelTester>
#include <QRadioButton>

using namespace redrive;
using namespace redrive::test;

class MatrixTest final : public QObject
{
    Q_OBJECT

    std::unique_ptr<ThemeController> m_themes;
    std::unique_ptr<FakeEngine> m_engine;

    static void choose(MatrixView* view, const QList<QPoint>& cells) // row, column
    {
        view->clearSelection();
        for (const QPoint& cell : cells)
            view->selectionModel()->select(view->model()->index(cell.x(), cell.y()),
                                           QItemSelectionModel::Select);
    }

private Q_SLOTS:
    void initTestCase() { m_themes = std::make_unique<ThemeController>(*qApp); }
    void init()
    {
        m_engine = std::make_unique<FakeEngine>();
        fillWithSamples(*m_engine, QDateTime::currentMSecsSinceEpoch());
    }

    void replaysExactlyTheChosenCells()
    {
        ActionResult result;
        result.total = result.succeeded = 2;
        m_engine->setActionResult(result);
        PageFixture<DeliveriesPage> at(*m_engine);
        QVERIFY(!at.page->matrix()->isVisible());
        at.page->showMatrix(true);
        QTRY_VERIFY(at.page->matrix()->model()->rowCount() > 2);
        QVERIFY(at.page->matrix()->isVisible() && !at.page->table()->isVisible());
        choose(at.page->matrix(), {{0, 0}, {1, 1}, {0, 3}}); // the last one never got it
        const auto keys = at.page->matrix()->chosenKeys();
        QCOMPARE(keys.size(), 2);
        QTRY_VERIFY(at.button(u"Replay 2"_s));
        QTRY_VERIFY2(at.page->scopeText().contains(u"2 selected, 1 chosen without a delivery, left out"_s),
                     qPrintable(at.page->scopeText()));
        at.page->matrix()->setFocus();
        QTest::keyClick(at.page->matrix(), Qt::Key_R);
        QTRY_COMPARE(m_engine->actions().size(), 1);
        QCOMPARE(m_engine->actions().first().verb, ActionVerb::Replay);
        QCOMPARE(m_engine->actions().first().scope.ids.size(), 2);
        at.page->showMatrix(false);
        QVERIFY(at.page->table()->isVisible());
    }

    void deliversExactlyTheChosenCellsThatWereNeverSent()
    {
        ActionResult result;
        result.total = result.succeeded = 2;
        m_engine->setActionResult(result);
        PageFixture<DeliveriesPage> at(*m_engine);
        QVERIFY(!at.button(u"Replay missing"_s)); // the table has rows for deliveries alone
        at.page->showMatrix(true);
        QTRY_VERIFY(at.page->matrix()->model()->rowCount() > 5);
        const auto action = [&]() -> QPushButton* { return at.button(u"Replay missing"_s); };
        QTRY_VERIFY(action() && !action()->isEnabled());
        choose(at.page->matrix(), {{0, 0}, {0, 3}, {1, 3}, {4, 3}}); // the third one's does not take it
        QTRY_VERIFY(at.button(u"Replay missing 2"_s) && action()->isEnabled());
        at.page->matrix()->setFocus();
        QTest::keyClick(at.page->matrix(), Qt::Key_V);
        QTRY_COMPARE(m_engine->actions().size(), 1);
        const DeliveryMatrix matrix = sampleMatrix(1'900'000'000'000);
        const ActionRequest asked = m_engine->actions().first();
        QCOMPARE(asked.verb, ActionVerb::ReplayMissing);
        const QStringList wanted{u"event-0:"_s + matrix.endpoints[3], u"event-4:"_s + matrix.endpoints[3]};
        QCOMPARE(asked.scope.ids, wanted);
        QVERIFY(asked.scope.endpointId.isEmpty() && !asked.scope.sinceMs);

        // With options: the plan is of the same, and only that.
        ActionPlan plan;
        plan.total = plan.willAct = 2;
        m_engine->setPlan(plan);
        QTest::keyClick(at.page->matrix(), Qt::Key_V, Qt::ShiftModifier);
        const auto dialogOf = [&]() -> ActionDialog* {
            return at.page->window()->findChild<ActionDialog*>();
        };
        QTRY_VERIFY(dialogOf() && dialogOf()->actButton()->isEnabled());
        QCOMPARE(m_engine->plans().last().scope.ids, wanted);
        QVERIFY(!dialogOf()->sinceField());
        QCOMPARE(dialogOf()->actButton()->text(), u"Deliver 2 missed events"_s);
        dialogOf()->actButton()->click();
        QTRY_COMPARE(m_engine->actions().size(), 2);
        QCOMPARE(m_engine->actions().last().scope.ids, wanted);
    }

    void deliveredCellsThatAreChosenAreMeant()
    {
        ActionPlan plan;
        plan.total = plan.willAct = 2;
        m_engine->setPlan(plan);
        PageFixture<DeliveriesPage> at(*m_engine);
        at.page->showMatrix(true);
        QTRY_VERIFY(at.page->matrix()->model()->rowCount() > 2);
        QTRY_COMPARE(at.page->model()->phase(), ListPhase::Complete);
        const DeliveryMatrix matrix = sampleMatrix(1'900'000'000'000);
        const auto cellThat = [&](auto is) {
            for (int row = 0; row < matrix.events.size(); ++row)
                for (int column = 0; column < matrix.endpoints.size(); ++column)
                    if (is(matrix.at(row, column)))
                        return QPoint(row, column);
            return QPoint();
        };
        const auto withStatus = [&](DeliveryStatus status) {
            return cellThat([status](const MatrixCell& cell) {
                return cell.kind == MatrixCell::Kind::Delivery && cell.status == status;
            });
        };
        choose(at.page->matrix(), {withStatus(DeliveryStatus::Delivered), withStatus(DeliveryStatus::Dead)});
        at.page->matrix()->setFocus();
        QTest::keyClick(at.page->matrix(), Qt::Key_R, Qt::ShiftModifier);
        const auto dialogOf = [&]() -> ActionDialog* {
            return at.page->window()->findChild<ActionDialog*>();
        };
        QTRY_VERIFY(dialogOf() && !m_engine->plans().isEmpty());
        QCOMPARE(m_engine->plans().last().scope.ids.size(), 2);
        QCOMPARE(m_engine->plans().last().scope.deliveredToo, std::optional(true));
        QStringList scopes;
        for (const auto* choice : dialogOf()->findChildren<QRadioButton*>())
            scopes.append(choice->text());
        QVERIFY2(scopes.contains(u"2 selected, 1 of them delivered"_s), qPrintable(scopes.join(u'|')));
        dialogOf()->chooseScope(ActionQuestion::Scope::Matching); // nobody chose those
        QTRY_VERIFY(m_engine->plans().last().scope.matching);
        QCOMPARE(m_engine->plans().last().scope.deliveredToo, std::optional(false));
        dialogOf()->close();
    }

    void keysAndTheDetailBelongToWhatIsShown()
    {
        const qint64 now = QDateTime::currentMSecsSinceEpoch();
        const DeliveryRow first = sampleDeliveries(now, 300).last(); // key 1, that of the first cell
        DeliveryDetail detail = sampleDeliveryDetail(now);
        detail.delivery = first;
        m_engine->setDeliveryDetail(detail);
        PageFixture<DeliveriesPage> at(*m_engine);
        QTRY_COMPARE(at.page->model()->phase(), ListPhase::Complete);
        at.page->showMatrix(true);
        auto* matrix = at.page->matrix();
        QTRY_VERIFY(matrix->model()->rowCount() > 2);
        QVERIFY(at.page->currentId().isEmpty());
        matrix->setCurrentIndex(matrix->model()->index(0, 0));
        QTRY_COMPARE(at.page->currentId(), first.id);
        QCOMPARE(matrix->chosenKeys().size(), 1);

        // The table behind it is told anew, and has no current row.
        const auto lists = m_engine->listRequests().size();
        at.page->setFilter(u"status:failed"_s);
        QTRY_VERIFY(m_engine->listRequests().size() > lists);
        QTRY_COMPARE(at.page->model()->phase(), ListPhase::Complete);
        QCOMPARE(at.page->currentId(), first.id);

        matrix->setFocus();
        QTest::keyClick(matrix, Qt::Key_Escape);
        QVERIFY(matrix->chosenKeys().empty());
        matrix->setCurrentIndex(matrix->model()->index(0, 3)); // it never got it
        QTRY_VERIFY(at.page->currentId().isEmpty());

        const auto asked = m_engine->matrixFilters().size();
        at.page->setCurrent(false);
        at.page->setCurrent(true);
        QTRY_VERIFY(m_engine->matrixFilters().size() > asked);

        matrix->setCurrentIndex(matrix->model()->index(0, 0));
        at.page->showMatrix(false);
        QCOMPARE(at.page->currentId(), at.page->table()->currentRowId());
        at.clickRow(2);
        QCOMPARE(at.page->currentId(), at.page->table()->currentRowId());
    }

    void theFilterIsAskedForAndTheModeComesBack()
    {
        QByteArray state;
        {
            PageFixture<DeliveriesPage> at(*m_engine);
            at.page->showMatrix(true);
            at.page->setFilter(u"endpoint:acme"_s);
            QTRY_VERIFY(m_engine->matrixFilters().contains(u"endpoint:acme"_s));
            state = at.page->saveState();
        }
        PageFixture<DeliveriesPage> at(*m_engine);
        at.page->restoreState(state);
        QVERIFY(at.page->showsMatrix());
    }

    void saysWhyItCannotBeRead()
    {
        m_engine->setMatrix(fail(ErrorKind::InvalidInput, u"'3x' is not a duration"_s));
        PageFixture<DeliveriesPage> at(*m_engine);
        at.page->showMatrix(true);
        QTRY_COMPARE(at.page->scopeText(), u"'3x' is not a duration"_s);
    }

    void everyCellIsSaidInWords()
    {
        MatrixModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setTime(1'900'000'000'000, format::Zone::Utc);
        model.setMatrix(sampleMatrix(1'900'000'000'000));
        for (int row = 0; row < model.rowCount(); ++row)
            for (int column = 0; column < model.columnCount(); ++column)
                QVERIFY(!model.index(row, column).data(Qt::AccessibleTextRole).toString().isEmpty());
        QVERIFY(model.countsDown());
        model.setMatrix({});
    }
};

QTEST_MAIN(MatrixTest)
#include "matrix_test.moc"
