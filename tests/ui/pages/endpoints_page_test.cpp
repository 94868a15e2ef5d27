#include "tests/ui/support/page_fixture.h"
#include "tests/ui/support/sample_data.h"
#include "ui/dialogs/endpoint_delete_dialog.h"
#include "ui/dialogs/endpoint_dialog.h"
#include "ui/models/endpoint_rows.h"
#include "ui/models/queues_model.h"
#include "ui/pages/endpoints_page.h"
#include "ui/widgets/row_table.h"
#include "ui/widgets/theme_controller.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QRadioButton>
#include <QSignalSpy>

using namespace redrive;
using namespace redrive::test;

class EndpointsPageTest final : public QObject
{
    Q_OBJECT

    std::unique_ptr<ThemeController> m_themes;

private Q_SLOTS:
    void initTestCase() { m_themes = std::make_unique<ThemeController>(*qApp); }

    void holdsAndReleasesByKey()
    {
        FakeEngine engine;
        fillWithSamples(engine, QDateTime::currentMSecsSinceEpoch());
        engine.setEndpointChanged(EndpointChanged{u"kestrel-pay"_s, 2});
        PageFixture<EndpointsPage> at(engine);
        QTRY_COMPARE(at.page->table()->model()->rowCount(), 6);
        at.clickRow(0);
        QTRY_VERIFY(at.button(u"Pause"_s)->isEnabled());
        QVERIFY(!at.button(u"Edit"_s)->isEnabled()); // it stands in the configuration
        QTest::keyClick(at.page->table(), Qt::Key_P);
        QTRY_COMPARE(engine.endpointChanges().size(), 1);
        QCOMPARE(engine.endpointChanges().first().verb, EndpointVerb::Pause);
        QCOMPARE(engine.endpointChanges().first().id, u"kestrel-pay"_s);
        QCOMPARE(engine.endpointChanges().first().actor, u"anna"_s);
        at.clickRow(3);
        QTRY_VERIFY(at.button(u"Resume"_s)->isEnabled());
        QTest::keyClick(at.page->table(), Qt::Key_R);
        QTRY_COMPARE(engine.endpointChanges().size(), 2);
        QCOMPARE(engine.endpointChanges().last().verb, EndpointVerb::Resume);
    }

    void anEditSaysWhatItSaw()
    {
        FakeEngine engine;
        fillWithSamples(engine, QDateTime::currentMSecsSinceEpoch());
        engine.setEndpointChanged(fail(ErrorKind::Conflict, u"'orrin-fleet' was changed meanwhile"_s));
        PageFixture<EndpointsPage> at(engine);
        QTRY_COMPARE(at.page->table()->model()->rowCount(), 6);
        at.clickRow(1);
        QTest::mouseClick(at.button(u"Edit"_s), Qt::LeftButton);
        EndpointDialog* dialog = at.page->dialog();
        QVERIFY(dialog);
        QVERIFY(!dialog->id()->isEnabled());
        QCOMPARE(dialog->events()->text(), u"order.*"_s);
        dialog->events()->setText(u"order.paid, user.*"_s);
        QTest::mouseClick(dialog->saveButton(), Qt::LeftButton);
        QTRY_COMPARE(dialog->problem(), u"'orrin-fleet' was changed meanwhile"_s);
        const EndpointChange asked = engine.endpointChanges().first();
        QCOMPARE(asked.verb, EndpointVerb::Edit);
        QCOMPARE(asked.baseVersion, std::optional(2));
        const QJsonObject settings = QJsonDocument::fromJson(asked.settings).object();
        QCOMPARE(settings[u"events"].toArray(), (QJsonArray{u"order.paid"_s, u"user.*"_s}));
        QCOMPARE(settings[u"headers"].toObject()[u"X-Tenant"].toString(), u"***"_s);
        QCOMPARE(settings[u"schedule"].toArray(), (QJsonArray{5, 300, 1800}));
        engine.setEndpointChanged(EndpointChanged{u"orrin-fleet"_s, 3});
        QTest::mouseClick(dialog->saveButton(), Qt::LeftButton);
        QTRY_VERIFY(!at.page->dialog()); // what was taken closes it
    }

    void aNewOneNeedsNameAndUrl()
    {
        FakeEngine engine;
        engine.setEndpointChanged(EndpointChanged{u"acme"_s, 1});
        PageFixture<EndpointsPage> at(engine);
        QTRY_VERIFY(at.button(u"New endpoint"_s) && at.button(u"New endpoint"_s)->isEnabled());
        QTest::mouseClick(at.button(u"New endpoint"_s), Qt::LeftButton);
        EndpointDialog* dialog = at.page->dialog();
        QVERIFY(!dialog->saveButton()->isEnabled());
        dialog->id()->setText(u"acme"_s);
        QVERIFY(!dialog->saveButton()->isEnabled());
        dialog->url()->setText(u"https://acme.example/"_s);
        QTest::mouseClick(dialog->saveButton(), Qt::LeftButton);
        QTRY_COMPARE(engine.endpointChanges().size(), 1);
        QCOMPARE(engine.endpointChanges().first().verb, EndpointVerb::Create);
        QVERIFY(!engine.endpointChanges().first().baseVersion);
    }

    void aNewSecretIsShownOnce()
    {
        FakeEngine engine;
        fillWithSamples(engine, QDateTime::currentMSecsSinceEpoch());
        engine.setEndpointChanged(
            EndpointChanged{u"acme"_s, 3, u"WEBHOOK_ACME_12AB"_s, u"whsec_c2hvd24gb25jZQ=="_s});
        PageFixture<EndpointsPage> at(engine);
        QTRY_COMPARE(at.page->table()->model()->rowCount(), 6);
        at.clickRow(1);
        at.page->pageActions().at(5)->trigger();
        RotateDialog* dialog = at.page->rotateDialog();
        QVERIFY(dialog);
        dialog->actButton()->click();
        QTRY_COMPARE(dialog->said().section(u'\n', 0, 0), u"whsec_c2hvd24gb25jZQ=="_s);
        QCOMPARE(engine.endpointChanges().first().verb, EndpointVerb::Rotate);
        QVERIFY(engine.endpointChanges().first().secretName.isEmpty());
        QCOMPARE(engine.endpointChanges().first().overlapMs, 86'400'000);
    }

    void deletingAsksWhatBecomesOfItsDeliveries()
    {
        FakeEngine engine;
        fillWithSamples(engine, QDateTime::currentMSecsSinceEpoch());
        engine.setEndpointChanged(EndpointChanged{u"acme"_s, 2});
        PageFixture<EndpointsPage> at(engine);
        QTRY_COMPARE(at.page->table()->model()->rowCount(), 6);
        at.clickRow(2);
        at.page->pageActions().last()->trigger();
        EndpointDeleteDialog* dialog = at.page->deleteDialog();
        QVERIFY(dialog);
        QVERIFY(engine.endpointChanges().isEmpty());
        dialog->holdChoice()->setChecked(true);
        QTest::mouseClick(dialog->deleteButton(), Qt::LeftButton);
        QTRY_COMPARE(engine.endpointChanges().size(), 1);
        QCOMPARE(engine.endpointChanges().first().verb, EndpointVerb::Delete);
        QVERIFY(engine.endpointChanges().first().keepOpen);
    }

    void aTestSaysWhatCameOfIt()
    {
        FakeEngine engine;
        fillWithSamples(engine, QDateTime::currentMSecsSinceEpoch());
        DeliveryAttempt attempt;
        attempt.outcome = u"failed"_s;
        attempt.error = u"503 <b>busy</b>"_s;
        engine.setEndpointTested(attempt);
        PageFixture<EndpointsPage> at(engine);
        QTRY_COMPARE(at.page->table()->model()->rowCount(), 6);
        at.clickRow(1);
        QTest::keyClick(at.page->table(), Qt::Key_T, Qt::ShiftModifier);
        QTRY_COMPARE(at.messages.value(1), u"orrin-fleet did not take the test: 503 <b>busy</b>"_s);
        QCOMPARE(engine.endpointTests(), QStringList{u"orrin-fleet"_s});
    }

    void nothingIsChangedReadOnly()
    {
        FakeEngine engine;
        fillWithSamples(engine, QDateTime::currentMSecsSinceEpoch());
        PageFixture<EndpointsPage> at(engine, [](PageContext& context) { context.readOnly = true; });
        QTRY_COMPARE(at.page->table()->model()->rowCount(), 6);
        at.clickRow(1);
        for (QAction* action : at.page->pageActions())
            QCOMPARE(action->isEnabled(), action->text() == u"Show its deliveries"_s);
    }

    void filtersAsTheListsDo_data()
    {
        QTest::addColumn<QString>("filter");
        QTest::addColumn<QStringList>("ids");
        const QStringList all{u"kestrel-pay"_s, u"orrin-fleet"_s, u"acme"_s,
                              u"northwind"_s,   u"inline-7"_s,    u"velo"_s};
        QTest::newRow("everything") << QString() << all;
        QTest::newRow("a part of the name") << u"ORRIN"_s << QStringList{u"orrin-fleet"_s};
        QTest::newRow("a part of the URL") << u"velo.example/webhooks"_s << QStringList{u"velo"_s};
        QTest::newRow("name") << u"endpoint:acme"_s << QStringList{u"acme"_s};
        QTest::newRow("no name has only a part") << u"endpoint:acm"_s << QStringList();
        QTest::newRow("begin of a name") << u"endpoint:n*"_s << QStringList{u"northwind"_s};
        QTest::newRow("status") << u"status:gone"_s << QStringList{u"acme"_s};
        QTest::newRow("status in quotes") << u"status:\"asked to wait\""_s << QStringList{u"velo"_s};
        QTest::newRow("or") << u"acme OR status:paused"_s << QStringList{u"acme"_s, u"northwind"_s};
        QTest::newRow("not") << u"NOT status:enabled -acme"_s << QStringList{u"northwind"_s, u"velo"_s};
        QTest::newRow("hostile") << u"\"'; DROP TABLE endpoints;--\""_s << QStringList();
    }
    void filtersAsTheListsDo()
    {
        QFETCH(QString, filter);
        FakeEngine engine;
        fillWithSamples(engine, QDateTime::currentMSecsSinceEpoch());
        PageFixture<EndpointsPage> at(engine);
        QTRY_COMPARE(at.page->table()->model()->rowCount(), 6);
        at.page->setFilter(filter);
        QStringList ids;
        for (int row = 0; row < at.page->table()->model()->rowCount(); ++row)
            ids.append(at.page->table()->model()->index(row, 0).data(RowIdRole).toString());
        QTEST(ids, "ids");
    }

    void aFilterThatCannotBeSaysWhyAndChangesNothing()
    {
        FakeEngine engine;
        fillWithSamples(engine, QDateTime::currentMSecsSinceEpoch());
        PageFixture<EndpointsPage> at(engine);
        QTRY_COMPARE(at.page->table()->model()->rowCount(), 6);
        at.page->setFilter(u"acme"_s);
        QSignalSpy rejected(at.page.get(), &Page::filterRejected);
        for (const auto& filter : {u"(acme"_s, u"attempt:>3"_s, u"status:pausd"_s})
            at.page->setFilter(filter);
        QCOMPARE(rejected.count(), 3);
        QVERIFY(rejected.at(0).at(1).toInt() >= 0); // where it breaks off
        QVERIFY(rejected.at(2).at(0).toString().contains(u"breaker open"_s));
        QCOMPARE(at.page->table()->model()->rowCount(), 1);
    }

    void linksLeadToItsDeliveries()
    {
        FakeEngine engine;
        fillWithSamples(engine, QDateTime::currentMSecsSinceEpoch());
        PageFixture<EndpointsPage> at(engine);
        QTRY_COMPARE(at.page->table()->model()->rowCount(), 6);
        QSignalSpy wanted(at.page.get(), &Page::pageWanted);
        at.page->pageActions().at(8)->trigger();
        QCOMPARE(wanted.value(0).value(0).toString(), u"deliveries"_s);
        QCOMPARE(endpointFilter(u"a\"b\\c"_s), u"endpoint:\"a\\\"b\\\\c\""_s);
    }

    void aSecretNeverShowsInTheDialogOfAnother()
    {
        FakeEngine engine;
        fillWithSamples(engine, QDateTime::currentMSecsSinceEpoch());
        engine.setEndpointChanged(
            EndpointChanged{u"orrin-fleet"_s, 3, u"WEBHOOK_ORRIN_12AB"_s, u"whsec_c2hvd24gb25jZQ=="_s});
        PageFixture<EndpointsPage> at(engine);
        QTRY_COMPARE(at.page->table()->model()->rowCount(), 6);
        at.clickRow(1);
        at.page->pageActions().at(5)->trigger();
        engine.hold();
        at.page->rotateDialog()->actButton()->click();
        at.page->table()->selectRow(3);
        at.page->pageActions().at(5)->trigger();
        RotateDialog* other = at.page->rotateDialog();
        QVERIFY(other && other->windowTitle().contains(u"northwind"_s));
        engine.release();
        QTRY_COMPARE(at.messages, QStringList{u"orrin-fleet has the new secret WEBHOOK_ORRIN_12AB"_s});
        QVERIFY(other->said().isEmpty() && other->actButton()->isVisible());
    }

    void whatIsOldIsGreyedAsLongAsItIs()
    {
        FakeEngine engine;
        fillWithSamples(engine, QDateTime::currentMSecsSinceEpoch());
        PageFixture<EndpointsPage> at(engine);
        QTRY_COMPARE(at.page->table()->model()->rowCount(), 6);
        QVERIFY(!at.page->table()->isStale());
        EngineHealth health;
        health.running = false;
        engine.setHealth(health);
        at.page->resync(); // the list still comes
        QTRY_VERIFY(at.page->table()->isStale());
        QTRY_VERIFY(at.button(u"Try again"_s));
        QVERIFY(!at.button(u"Pause"_s)->isEnabled());
        health.running = true;
        engine.setHealth(health);
        at.page->resync();
        QTRY_VERIFY(!at.page->table()->isStale() && !at.button(u"Try again"_s));
    }

    void theDetailIsNeverThatOfAnother()
    {
        FakeEngine engine;
        fillWithSamples(engine, QDateTime::currentMSecsSinceEpoch());
        PageFixture<EndpointsPage> at(engine);
        QTRY_COMPARE(at.page->table()->model()->rowCount(), 6);
        const auto says = [&](const QString& text) {
            const auto labels = at.page->detail()->findChildren<QLabel*>();
            return std::any_of(labels.begin(), labels.end(),
                               [&](const QLabel* label) { return label->text() == text; });
        };
        QTRY_VERIFY(says(u"kestrel-pay"_s));
        engine.hold();
        at.clickRow(2);
        QVERIFY(says(u"acme"_s) && !says(u"kestrel-pay"_s));
    }

    void oneThatLeftTheConfigurationIsRegisteredHere()
    {
        FakeEngine engine;
        auto endpoints = sampleEndpoints(QDateTime::currentMSecsSinceEpoch());
        endpoints[0].endpoint.deletedAtMs = QDateTime::currentMSecsSinceEpoch();
        endpoints[0].endpoint.held = 3;
        engine.setEndpoints(endpoints);
        PageFixture<EndpointsPage> at(engine);
        QSignalSpy counted(at.page.get(), &Page::navCountChanged);
        QTRY_COMPARE(at.page->table()->model()->rowCount(), 6);
        QCOMPARE(counted.last().at(1).toInt(), 5); // those that are there
        QVERIFY(!counted.last().at(2).toBool());   // one that is gone is no growth
        at.clickRow(0);
        QTRY_VERIFY(at.button(u"Register"_s) && at.button(u"Register"_s)->isEnabled());
        at.clickRow(1);
        QTRY_VERIFY(at.button(u"Edit"_s) && at.button(u"Edit"_s)->isEnabled());
    }

    void rowsKeepTheRulesOfModels()
    {
        PlainTableModel model(endpointColumns());
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QList<EndpointRow> rows;
        for (const EndpointDetail& detail : sampleEndpoints(1'900'000'000'000))
            rows.append(detail.endpoint);
        model.setRows(endpointRows(rows, 1'900'000'000'000));
        rows.removeFirst();
        model.setRows(endpointRows(rows, 1'900'000'000'000));
        model.setRows({});
    }
};

QTEST_MAIN(EndpointsPageTest)
#include "endpoints_page_test.moc"
