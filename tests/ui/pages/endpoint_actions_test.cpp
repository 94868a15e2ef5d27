// What is asked of an endpoint from the Endpoints page beyond its plain settings.
#include "tests/ui/support/page_fixture.h"
#include "tests/ui/support/sample_data.h"
#include "ui/dialogs/action_dialog.h"
#include "ui/dialogs/since_field.h"
#include "ui/pages/endpoints_page.h"
#include "ui/pages/secret_rows.h"
#include "ui/widgets/row_table.h"
#include "ui/widgets/theme_controller.h"

#include <QAction>
#include <QCheckBox>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPushButton>
#include <QSpinBox>

using namespace redrive;
using namespace redrive::test;

class EndpointActionsTest final : public QObject
{
    Q_OBJECT

    std::unique_ptr<ThemeController> m_themes;

private Q_SLOTS:
    void initTestCase() { m_themes = std::make_unique<ThemeController>(*qApp); }

    void whatItsSettingsPauseIsResumed()
    {
        FakeEngine engine;
        auto endpoints = sampleEndpoints(QDateTime::currentMSecsSinceEpoch());
        for (EndpointDetail& detail : endpoints)
            detail.endpoint.settings.replace("{\"id\"", "{\"paused\":true,\"id\"");
        endpoints[3].endpoint.pausedAtMs.reset();
        engine.setEndpoints(endpoints);
        engine.setEndpointChanged(EndpointChanged{u"orrin-fleet"_s, 3, {}, {}});
        PageFixture<EndpointsPage> at(engine);
        QTRY_COMPARE(at.page->table()->model()->rowCount(), 6);
        QAction* resume = at.page->pageActions().at(4);
        at.clickRow(0); // its settings stand in the configuration
        QTRY_VERIFY2(resume->statusTip().contains(u"in the configuration"_s),
                     qPrintable(resume->statusTip()));
        QVERIFY(!resume->isEnabled());
        at.clickRow(1);
        QTRY_VERIFY(resume->isEnabled());
        QTest::keyClick(at.page->table(), Qt::Key_R);
        QTRY_COMPARE(engine.endpointChanges().size(), 1);
        QCOMPARE(engine.endpointChanges().first().verb, EndpointVerb::Resume);
        QTRY_COMPARE(at.messages, QStringList{u"orrin-fleet is resumed by version 3 of its settings"_s});
        engine.setEndpointChanged(fail(ErrorKind::Refused, u"'northwind' cannot be resumed"_s));
        at.clickRow(3);
        QTRY_VERIFY(resume->isEnabled());
        QTest::keyClick(at.page->table(), Qt::Key_R);
        QTRY_COMPARE(at.messages.value(1), u"'northwind' cannot be resumed"_s);
    }

    void thePauseOfSettingsIsASetting()
    {
        FakeEngine engine;
        auto endpoints = sampleEndpoints(QDateTime::currentMSecsSinceEpoch());
        endpoints[1].endpoint.settings.replace("{\"id\"", "{\"paused\":true,\"id\"");
        engine.setEndpoints(endpoints);
        engine.setEndpointChanged(EndpointChanged{u"orrin-fleet"_s, 3, {}, {}});
        PageFixture<EndpointsPage> at(engine);
        QTRY_COMPARE(at.page->table()->model()->rowCount(), 6);
        at.clickRow(1);
        QTest::mouseClick(at.button(u"Edit"_s), Qt::LeftButton);
        QVERIFY(at.page->dialog() && at.page->dialog()->paused()->isChecked());
        at.page->dialog()->paused()->setChecked(false);
        QTest::mouseClick(at.page->dialog()->saveButton(), Qt::LeftButton);
        QTRY_COMPARE(engine.endpointChanges().size(), 1);
        const auto settings = QJsonDocument::fromJson(engine.endpointChanges().first().settings).object();
        QCOMPARE(settings[u"paused"], QJsonValue(false));
    }

    void deliversWhatOneMissed()
    {
        FakeEngine engine;
        fillWithSamples(engine, QDateTime::currentMSecsSinceEpoch());
        ActionPlan plan;
        plan.total = 13;
        plan.willAct = 12;
        engine.setPlan(plan);
        ActionResult result;
        result.total = result.succeeded = 12;
        engine.setActionResult(result);
        PageFixture<EndpointsPage> at(engine);
        QTRY_COMPARE(at.page->table()->model()->rowCount(), 6);
        QAction* missed = at.page->pageActions().at(9);
        at.clickRow(4); // only payloads say its settings
        QTRY_VERIFY2(missed->statusTip().contains(u"not registered"_s), qPrintable(missed->statusTip()));
        at.clickRow(1);
        QTRY_VERIFY(missed->isEnabled());
        const qint64 beforeMs = QDateTime::currentMSecsSinceEpoch();
        QTest::keyClick(at.page->table(), Qt::Key_M, Qt::ShiftModifier);
        ActionDialog* dialog = at.page->missedDialog();
        QVERIFY(dialog && dialog->sinceField());
        QTRY_COMPARE(dialog->actButton()->text(), u"Deliver 12 missed events"_s);
        const ActionScope asked = engine.plans().last().scope;
        QCOMPARE(engine.plans().last().verb, ActionVerb::ReplayMissing);
        QCOMPARE(asked.endpointId, u"orrin-fleet"_s);
        QVERIFY(asked.ids.isEmpty() && !asked.matching && asked.sinceMs);
        QVERIFY(*asked.sinceMs >= beforeMs - 86'400'000);
        QVERIFY(*asked.sinceMs <= QDateTime::currentMSecsSinceEpoch() - 86'400'000);
        dialog->sinceField()->hours()->setValue(168);
        QTRY_COMPARE(engine.plans().last().scope.sinceMs, std::optional(*asked.sinceMs - 6 * 86'400'000LL));
        QTRY_VERIFY(dialog->actButton()->isEnabled());
        QTest::mouseClick(dialog->actButton(), Qt::LeftButton);
        QTRY_COMPARE(engine.actions().size(), 1);
        QCOMPARE(engine.actions().first().verb, ActionVerb::ReplayMissing);
        QCOMPARE(engine.actions().first().scope.endpointId, u"orrin-fleet"_s);
        QCOMPARE(engine.actions().first().scope.sinceMs, std::optional(*asked.sinceMs - 6 * 86'400'000LL));
        QCOMPARE(engine.actions().first().actor, u"anna"_s);
        QTRY_COMPARE(at.messages, QStringList{u"12 of 12 delivered for the first time"_s});
    }

    void aSecretIsRevokedByItsButton()
    {
        FakeEngine engine;
        fillWithSamples(engine, QDateTime::currentMSecsSinceEpoch());
        engine.setEndpointChanged(fail(ErrorKind::Conflict, u"'orrin-fleet' was changed meanwhile"_s));
        PageFixture<EndpointsPage> at(engine);
        QTRY_COMPARE(at.page->table()->model()->rowCount(), 6);
        at.clickRow(1);
        auto* secrets = at.page->detail()->findChild<SecretRows*>();
        QVERIFY(secrets);
        QTRY_VERIFY(secrets->revokeButton(u"PAY_1"_s) && secrets->revokeButton(u"PAY_1"_s)->isEnabled());
        secrets->revokeButton(u"PAY_1"_s)->click();
        RevokeDialog* dialog = at.page->revokeDialog();
        QVERIFY(dialog);
        QVERIFY2(dialog->consequence().contains(u"Signed on with: PAY_2."_s),
                 qPrintable(dialog->consequence()));
        QVERIFY(engine.endpointChanges().isEmpty());
        QTest::mouseClick(dialog->actButton(), Qt::LeftButton);
        QTRY_COMPARE(dialog->problem(), u"'orrin-fleet' was changed meanwhile"_s);
        engine.setEndpointChanged(EndpointChanged{u"orrin-fleet"_s, 3, {}, {}});
        QTest::mouseClick(dialog->actButton(), Qt::LeftButton);
        QTRY_VERIFY(!at.page->revokeDialog());
        QCOMPARE(engine.endpointChanges().last().verb, EndpointVerb::RevokeSecret);
        QCOMPARE(engine.endpointChanges().last().id, u"orrin-fleet"_s);
        QCOMPARE(engine.endpointChanges().last().secretName, u"PAY_1"_s);
    }

    void theLastSecretIsNotRevoked()
    {
        FakeEngine engine;
        auto endpoints = sampleEndpoints(QDateTime::currentMSecsSinceEpoch());
        endpoints[1].endpoint.settings.replace("[\"PAY_2\",\"PAY_1\"]", "[\"PAY_2\"]");
        engine.setEndpoints(endpoints);
        PageFixture<EndpointsPage> at(engine);
        QTRY_COMPARE(at.page->table()->model()->rowCount(), 6);
        auto* secrets = at.page->detail()->findChild<SecretRows*>();
        at.clickRow(0);
        QTRY_VERIFY(secrets->revokeButton(u"PAY_1"_s));
        QVERIFY(!secrets->revokeButton(u"PAY_1"_s)->isEnabled());
        QVERIFY(secrets->revokeButton(u"PAY_1"_s)->toolTip().contains(u"in the configuration"_s));
        at.clickRow(1);
        QTRY_VERIFY(!secrets->revokeButton(u"PAY_1"_s));
        QVERIFY(!secrets->revokeButton(u"PAY_2"_s)->isEnabled());
        QVERIFY(secrets->revokeButton(u"PAY_2"_s)->toolTip().contains(u"the only one"_s));
        at.clickRow(2);
        QTRY_VERIFY(secrets->revokeButton(u"PAY_2"_s) && secrets->revokeButton(u"PAY_2"_s)->isEnabled());
    }
};

QTEST_MAIN(EndpointActionsTest)
#include "endpoint_actions_test.moc"
