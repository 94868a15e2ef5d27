#include "tests/ui/gallery/samples.h"
#include "ui/widgets/row_delegate.h"
#include "ui/widgets/theme_controller.h"

#include <QAction>
#include <QHeaderView>
#include <QSignalSpy>
#include <QTest>

using namespace redrive;

namespace {

// A million rows that count how often they are asked.
class Counting final : public QAbstractTableModel
{
public:
    using QAbstractTableModel::QAbstractTableModel;
    int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : 1'000'000; }
    int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : 8; }
    QVariant data(const QModelIndex& index, int role) const override
    {
        ++asked;
        return role == Qt::DisplayRole ? QVariant(qint64(index.row())) : QVariant();
    }
    Qt::ItemFlags flags(const QModelIndex& index) const override
    {
        ++judged;
        return QAbstractTableModel::flags(index);
    }
    mutable qint64 asked = 0;
    mutable qint64 judged = 0;
};

} // namespace

class RowTableTest final : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { m_themes = std::make_unique<ThemeController>(*qApp); }
    void cleanupTestCase() { m_themes.reset(); }

    void asksOnlyForVisibleRows()
    {
        Counting model;
        RowTable table(u"Jobs"_s);
        table.setModel(&model);
        table.resize(900, 520);
        table.show();
        QVERIFY(QTest::qWaitForWindowExposed(&table));
        table.grab();
        table.scrollTo(model.index(700'000, 0));
        table.grab();
        QVERIFY2(model.asked < 20'000, qPrintable(QString::number(model.asked)));
        const auto [first, last] = table.visibleRows();
        QVERIFY(first > 699'000 && last - first < 30);
        table.selectAll();
        QCOMPARE(table.selectedRowCount(), 1'000'000);
        table.grab();
        QVERIFY2(model.judged < 20'000, qPrintable(QString::number(model.judged)));
    }

    void computesTimes()
    {
        const samples::FixedClock clock;
        RowTable table(u"Timers"_s);
        table.setClock(&clock);
        table.setModel(samples::timers(&table));
        const auto* delegate = static_cast<RowDelegate*>(table.itemDelegate());
        const auto text = [&](int row, int column) {
            return delegate->cellText(table.model()->index(row, column));
        };
        QCOMPARE(text(0, 6), u"due"_s);
        QCOMPARE(text(2, 6), u"0:42"_s);
        QCOMPARE(text(6, 6), u"1:07:01"_s);
        QCOMPARE(text(0, 1), u"01a22cd4\u20263340"_s);
        QCOMPARE(text(2, 5), u"14:22:04"_s);
    }

    void movesByKeys()
    {
        RowTable table(u"Dead letters"_s);
        table.setModel(samples::deadLetters(&table));
        table.resize(900, 400);
        table.show();
        table.setCurrentIndex(table.model()->index(0, 0));
        QTest::keyClick(&table, Qt::Key_J);
        QTest::keyClick(&table, Qt::Key_J);
        QCOMPARE(table.currentIndex().row(), 2);
        QTest::keyClick(&table, Qt::Key_K);
        QCOMPARE(table.currentIndex().row(), 1);
        QCOMPARE(table.selectedRowCount(), 1);
        QTest::keyClick(&table, Qt::Key_J, Qt::ShiftModifier);
        QCOMPARE(table.selectedRowCount(), 2);
        QTest::keyClick(&table, Qt::Key_End);
        QCOMPARE(table.currentIndex().row(), table.model()->rowCount() - 1);
        QTest::keyClick(&table, Qt::Key_Home);
        QCOMPARE(table.currentIndex().row(), 0);
        QCOMPARE(table.currentRowId(), u"01a22cd4-1b11-7c3e-a4f0-2d8e61b03346"_s);
        QSignalSpy activated(&table, &RowTable::rowActivated);
        QTest::keyClick(&table, Qt::Key_Return);
        QCOMPARE(activated.count(), 1);
    }

    void lettersActOnlyWithFocus()
    {
        QWidget window;
        RowTable table(u"Dead letters"_s, &window);
        QWidget other(&window);
        other.setFocusPolicy(Qt::StrongFocus);
        QAction action;
        action.setShortcut(QKeySequence(u"R"_s));
        table.addLetterAction(&action);
        QSignalSpy triggered(&action, &QAction::triggered);
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        other.setFocus();
        QTest::keyClick(&other, Qt::Key_R);
        QCOMPARE(triggered.count(), 0);
        table.setFocus();
        QTest::keyClick(&table, Qt::Key_R);
        QCOMPARE(triggered.count(), 1);
    }

    void remembersColumns()
    {
        RowTable table(u"Dead letters"_s);
        table.setModel(samples::deadLetters(&table));
        table.resize(1000, 300);
        table.setColumnWidth(1, 222);
        table.setColumnHidden(3, true);
        table.horizontalHeader()->moveSection(0, 2);
        const auto state = table.saveColumns();

        RowTable again(u"Dead letters"_s);
        again.setModel(samples::deadLetters(&again));
        again.resize(1000, 300);
        again.restoreColumns(state);
        QCOMPARE(again.columnWidth(1), 222);
        QVERIFY(again.isColumnHidden(3));
        QCOMPARE(again.horizontalHeader()->visualIndex(0), 2);
        again.restoreColumns("not json");
        QCOMPARE(again.columnWidth(1), 222);
    }

    void givesUpSpareColumnsWhereItIsNarrow()
    {
        class Narrow final : public QAbstractTableModel
        {
        public:
            int rowCount(const QModelIndex& = {}) const override { return 1; }
            int columnCount(const QModelIndex& = {}) const override { return 3; }
            QVariant data(const QModelIndex&, int) const override { return {}; }
            QVariant headerData(int section, Qt::Orientation, int role) const override
            {
                switch (role) {
                case HeaderNameRole:
                    return QString::number(section);
                case HeaderWidthRole:
                    return 20;
                case HeaderStretchRole:
                    return section == 0;
                case HeaderSpareRole:
                    return section == 2;
                default:
                    return {};
                }
            }
        } model;
        RowTable table(u"Narrow"_s);
        table.setModel(&model);
        table.resize(900, 300);
        table.show();
        QVERIFY(QTest::qWaitForWindowExposed(&table));
        QVERIFY(!table.isColumnHidden(2));
        table.resize(340, 300);
        QVERIFY(table.isColumnHidden(2));
        QVERIFY(!table.saveColumns().contains("true")); // not hidden by anybody's wish
        table.resize(900, 300);
        QVERIFY(!table.isColumnHidden(2));
        table.setColumnShown(2, true);
        table.resize(340, 300);
        QVERIFY(!table.isColumnHidden(2));
    }

    void keepsWidthsWhileDataStreams()
    {
        RowTable table(u"Dead letters"_s);
        auto* model = samples::deadLetters(&table);
        table.setModel(model);
        table.resize(1000, 300);
        table.show();
        QList<int> before;
        for (int column = 0; column < model->columnCount(); ++column)
            before.append(table.columnWidth(column));
        model->item(0, 1)->setText(QString(4000, u'w'));
        model->insertRow(0, new QStandardItem(QString(500, u'x')));
        table.grab();
        for (int column = 0; column < model->columnCount(); ++column)
            QCOMPARE(table.columnWidth(column), before[column]);
    }

    void unsortableHeaderKeepsTheOrder()
    {
        RowTable table(u"Dead letters"_s);
        auto* model = samples::deadLetters(&table);
        model->setHeaderData(2, Qt::Horizontal, false, HeaderSortsRole);
        table.setModel(model);
        table.showSort(6, Qt::DescendingOrder);
        table.horizontalHeader()->setSortIndicator(2, Qt::AscendingOrder); // what a click does
        QCOMPARE(table.horizontalHeader()->sortIndicatorSection(), 6);
        QCOMPARE(table.horizontalHeader()->sortIndicatorOrder(), Qt::DescendingOrder);
    }

private:
    std::unique_ptr<ThemeController> m_themes;
};

QTEST_MAIN(RowTableTest)
#include "row_table_test.moc"
