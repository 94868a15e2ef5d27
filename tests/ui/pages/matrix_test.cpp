#include "tests/ui/support/page_fixture.h"
#include "tests/ui/support/sample_data.h"
#include "ui/models/matrix_model.h"
#include "ui/pages/deliveries_page.h"
#include "ui/widgets/matrix_view.h"
#include "ui/widgets/row_table.h"
#include "ui/widgets/theme_controller.h"

#include <QAbstractItemModelTester>

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
        at.page->matrix()->setFocus();
        QTest::keyClick(at.page->matrix(), Qt::Key_R);
        QTRY_COMPARE(m_engine->actions().size(), 1);
        QCOMPARE(m_engine->actions().first().verb, ActionVerb::Replay);
        QCOMPARE(m_engine->actions().first().scope.ids.size(), 2);
        at.page->showMatrix(false);
        QVERIFY(at.page->table()->isVisible());
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
