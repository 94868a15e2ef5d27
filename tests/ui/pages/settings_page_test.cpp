#include "tests/ui/support/page_fixture.h"
#include "tests/ui/support/sample_data.h"
#include "ui/dialogs/token_dialog.h"
#include "ui/models/standing_notices.h"
#include "ui/pages/alerts_panel.h"
#include "ui/pages/archive_panel.h"
#include "ui/pages/instances_page.h"
#include "ui/pages/settings_page.h"
#include "ui/pages/tokens_panel.h"
#include "ui/widgets/look.h"
#include "ui/widgets/row_table.h"
#include "ui/widgets/segmented_switch.h"
#include "ui/widgets/theme_controller.h"

#include <QAbstractButton>
#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QRadioButton>
#include <QSignalSpy>

using namespace redrive;
using namespace redrive::test;

namespace {

template <typename Dialog>
Dialog* shown(QWidget* page)
{
    for (auto* dialog : page->findChildren<Dialog*>())
        if (dialog->isVisible())
            return dialog;
    return nullptr;
}

QString cell(const RowTable* table, int row, int column)
{
    return table->model()->index(row, column).data().toString();
}

bool says(const QWidget* widget, const QString& text)
{
    const auto labels = widget->findChildren<QLabel*>();
    return std::any_of(labels.begin(), labels.end(),
                       [&](const QLabel* label) { return label->text().contains(text); });
}

} // namespace

class SettingsPageTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_themes = std::make_unique<ThemeController>(*qApp); }

    void densityAndFontsChangeEveryTableAtOnce()
    {
        RowTable table(u"Some table"_s);
        table.show();
        const int comfortable = table.verticalHeader()->defaultSectionSize();
        m_themes->setDensity(Density::Compact);
        const int compact = table.verticalHeader()->defaultSectionSize();
        QVERIFY2(compact < comfortable, qPrintable(QString::number(compact)));
        QFont large = Look::current().font.body;
        large.setPointSizeF(20);
        QFont mono = Look::current().font.mono;
        mono.setPointSizeF(17);
        m_themes->chooseFonts(large.toString(), mono.toString());
        QCOMPARE(Look::current().font.body.pointSizeF(), 20.0);
        QCOMPARE(Look::current().font.mono.pointSizeF(), 17.0);
        QVERIFY(table.verticalHeader()->defaultSectionSize() >= QFontMetrics(large).height());
        m_themes->chooseFonts(u"no font, at all"_s, {});
        m_themes->setDensity(Density::Comfortable);
        QCOMPARE(table.verticalHeader()->defaultSectionSize(), comfortable);
    }

    void aTokenIsMadeAndShownOnce()
    {
        FakeEngine engine;
        engine.setTokenChanged(TokenChanged{u"shop"_s, u"rdv_secret"_s, {}});
        PageFixture<SettingsPage> at(engine);
        QTest::mouseClick(at.button(u"New token"_s), Qt::LeftButton);
        auto* dialog = shown<TokenDialog>(at.page.get());
        QVERIFY(dialog);
        auto* create = at.button(dialog, u"Create"_s);
        QVERIFY(!create->isEnabled());
        const auto fields = dialog->findChildren<QLineEdit*>();
        fields[0]->setText(u" shop "_s);
        QVERIFY(create->isEnabled());
        fields[1]->setText(u"many"_s);
        QVERIFY(!create->isEnabled());
        fields[1]->setText(u"2.5"_s);
        QTest::mouseClick(create, Qt::LeftButton);
        SecretDialog* secret = nullptr;
        QTRY_VERIFY((secret = shown<SecretDialog>(at.page.get())));
        const auto changes = engine.tokenChanges();
        QCOMPARE(changes.size(), 1);
        QCOMPARE(changes[0].verb, TokenVerb::Create);
        QCOMPARE(changes[0].name, u"shop"_s);
        QCOMPARE(changes[0].ratePerSecond, std::optional<double>(2.5));
        QCOMPARE(changes[0].actor, u"anna"_s);
        QVERIFY(says(secret, u"rdv_secret"_s));
        QTest::mouseClick(at.button(secret, u"Copy"_s), Qt::LeftButton);
        QCOMPARE(QGuiApplication::clipboard()->text(), u"rdv_secret"_s);
        QTest::mouseClick(at.button(secret, u"Done"_s), Qt::LeftButton);
        QTRY_VERIFY(!shown<SecretDialog>(at.page.get()));
        QTRY_VERIFY(!says(at.page.get(), u"rdv_secret"_s));
    }

    void theTokenOfTheFirstStartIsShown()
    {
        FakeEngine engine;
        auto tokens = sampleTokens(QDateTime::currentMSecsSinceEpoch());
        tokens[0].opens = TokenScope::Ingest;
        tokens[0].isKept = true;
        engine.setTokens(tokens);
        engine.setTokenChanged(TokenChanged{u"billing"_s, u"rdv_kept"_s, {}});
        PageFixture<SettingsPage> at(engine);
        QTRY_COMPARE(at.page->table()->model()->rowCount(), 3);
        at.clickRow(1);
        QVERIFY(!at.button(u"Show"_s)->isEnabled());
        at.clickRow(0);
        QVERIFY(!says(at.page.get(), u"rdv_kept"_s));
        QTest::mouseClick(at.button(u"Show"_s), Qt::LeftButton);
        QTRY_VERIFY(shown<SecretDialog>(at.page.get()));
        QVERIFY(says(shown<SecretDialog>(at.page.get()), u"rdv_kept"_s));
        QVERIFY(says(shown<SecretDialog>(at.page.get()), u"until it is rotated"_s));
        QCOMPARE(engine.tokenChanges().last().verb, TokenVerb::Show);
        QCOMPARE(engine.tokenChanges().last().name, tokens[0].name);
    }

    void aTokenIsRotatedAndRevoked()
    {
        FakeEngine engine;
        engine.setTokens(sampleTokens(QDateTime::currentMSecsSinceEpoch()));
        engine.setTokenChanged(TokenChanged{u"billing"_s, u"rdv_other"_s, {}});
        PageFixture<SettingsPage> at(engine);
        const QAbstractItemModelTester tester(at.page->table()->model());
        QTRY_COMPARE(at.page->table()->model()->rowCount(), 3);
        QCOMPARE(cell(at.page->table(), 0, 0), u"In use"_s);
        QCOMPARE(cell(at.page->table(), 1, 0), u"Rotating"_s);
        QCOMPARE(cell(at.page->table(), 2, 0), u"Revoked"_s);
        at.clickRow(0);
        QTest::mouseClick(at.button(u"Rotate"_s), Qt::LeftButton);
        auto* rotate = shown<TokenDialog>(at.page.get());
        rotate->findChildren<QRadioButton*>()[1]->setChecked(true);
        QTest::mouseClick(at.button(rotate, u"Rotate billing"_s), Qt::LeftButton);
        QTRY_VERIFY(shown<SecretDialog>(at.page.get()));
        shown<SecretDialog>(at.page.get())->close();
        QTest::mouseClick(at.button(u"Revoke"_s), Qt::LeftButton);
        QTest::mouseClick(at.button(shown<TokenDialog>(at.page.get()), u"Revoke billing"_s), Qt::LeftButton);
        QTRY_COMPARE(at.messages, QStringList{u"billing is revoked"_s});
        const auto changes = engine.tokenChanges();
        QCOMPARE(changes.size(), 2);
        QCOMPARE(changes[0].verb, TokenVerb::Rotate);
        QCOMPARE(changes[0].overlapMs, 3'600'000);
        QCOMPARE(changes[1].verb, TokenVerb::Revoke);
        at.clickRow(2);
        QVERIFY(!at.button(u"Rotate"_s)->isEnabled() && !at.button(u"Revoke"_s)->isEnabled());
    }

    void aRefusalIsSaid()
    {
        FakeEngine engine;
        engine.setTokenChanged(
            tl::unexpected(Error{ErrorKind::Conflict, u"there is a token 'a' already"_s, {}, {}}));
        PageFixture<SettingsPage> at(engine);
        QTest::mouseClick(at.button(u"New token"_s), Qt::LeftButton);
        auto* dialog = shown<TokenDialog>(at.page.get());
        dialog->findChildren<QLineEdit*>()[0]->setText(u"a"_s);
        QTest::mouseClick(at.button(dialog, u"Create"_s), Qt::LeftButton);
        QTRY_COMPARE(at.messages, QStringList{u"there is a token 'a' already"_s});
    }

    void retentionSaysWhereItStands()
    {
        FakeEngine engine;
        EngineFacts facts;
        facts.configurationFile = u"/srv/<b>app</b>/wrangler.toml"_s;
        facts.retention = {{u"jobs"_s, 7 * 86'400'000LL, {}}, {u"audit"_s, 3'600'000, u"redrive.toml:3:9"_s}};
        engine.setFacts(facts);
        PageFixture<SettingsPage> at(engine);
        for (const QString& text : {u"Finished jobs"_s, u"7 d"_s, u"default"_s, u"redrive.toml:3:9"_s})
            QVERIFY2(says(at.page.get(), text), qPrintable(text));
        QVERIFY(at.page->scopeText().contains(u"<b>app</b>"_s));
        for (const auto* label : at.page->findChildren<QLabel*>())
            QCOMPARE(label->textFormat(), Qt::PlainText);
    }

    void themeAndZoneAreChosen()
    {
        FakeEngine engine;
        PageFixture<SettingsPage> at(engine, [&](PageContext& context) { context.themes = m_themes.get(); });
        QSignalSpy zone(at.page.get(), &Page::zoneWanted);
        const auto choose = [&](const QString& text) {
            for (auto* part : at.page->findChildren<QAbstractButton*>())
                if (part->text() == text)
                    part->click();
        };
        choose(u"Dark"_s);
        QCOMPARE(m_themes->theme(), Theme::Dark);
        choose(u"Local"_s);
        QCOMPARE(zone.count(), 1);
        QCOMPARE(zone[0][0].value<format::Zone>(), format::Zone::Local);
        m_themes->setTheme(Theme::Light);
    }

    void alertTargetsAreShownAndTested()
    {
        FakeEngine engine;
        const qint64 now = QDateTime::currentMSecsSinceEpoch();
        engine.setAlertTargets(sampleAlertTargets(now));
        engine.setAlertTested(AlertTestResult{u"json"_s, u"secret OPS_URL"_s, false, u"HTTP 500"_s, 12});
        PageFixture<SettingsPage> at(engine);
        const RowTable* table = at.page->alerts()->table();
        const QAbstractItemModelTester tester(table->model());
        QTRY_COMPARE(table->model()->rowCount(), 3);
        QCOMPARE(cell(table, 0, 0), u"Works"_s);
        QCOMPARE(cell(table, 1, 0), u"Failing"_s);
        QCOMPARE(cell(table, 1, 5), u"HTTP 500: try later"_s);
        QCOMPARE(cell(table, 2, 0), u"Not usable"_s);
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {},
                          table->visualRect(table->model()->index(1, 0)).center());
        QTest::mouseClick(at.button(u"Send a test alert"_s), Qt::LeftButton);
        QTRY_COMPARE(at.messages.size(), 1);
        QCOMPARE(at.messages.first(), u"The test alert did not arrive at secret OPS_URL: HTTP 500"_s);
        QCOMPARE(engine.alertTests(), QStringList{u"b"_s});
        engine.setAlertTested(AlertTestResult{u"json"_s, u"secret OPS_URL"_s, true, u"HTTP 200"_s, 12});
        QTest::mouseClick(at.button(u"Send a test alert"_s), Qt::LeftButton);
        QTRY_COMPARE(at.messages.size(), 2);
        QVERIFY(at.messages.last().contains(u"arrived at secret OPS_URL after 12 ms"_s));
    }

    void withoutTargetsTheTestSaysSo()
    {
        FakeEngine engine;
        PageFixture<SettingsPage> at(engine);
        QTRY_VERIFY(says(at.page.get(), u"alerts show in this window alone"_s));
        QVERIFY(!at.button(u"Send a test alert"_s)->isEnabled());
    }

    void theArchiveIsShownAndWritten()
    {
        FakeEngine engine;
        const qint64 now = QDateTime::currentMSecsSinceEpoch();
        EngineFacts facts;
        facts.archive = sampleArchiveFacts();
        engine.setFacts(facts);
        engine.setArchive(sampleArchive(now));
        engine.setArchiveDone(ArchiveTaskDone{12});
        PageFixture<SettingsPage> at(engine);
        const RowTable* table = at.page->archive()->table();
        const QAbstractItemModelTester tester(table->model());
        QTRY_COMPARE(table->model()->rowCount(), 5);
        QCOMPARE(cell(table, 0, 0), u"Grown since"_s);
        QCOMPARE(cell(table, 1, 0), u"Not copied"_s);
        QVERIFY(cell(table, 1, 6).contains(u"SlowDown"_s));
        QCOMPARE(cell(table, 2, 0), u"In the bucket"_s);
        for (const QString& text :
             {u"/var/lib/redrive/archive"_s, u"895 letters in 5 files"_s, u"None is due"_s,
              u"the next in 3 h"_s, u"cloudflarestorage.com/letters/production/"_s,
              u"2 files to be copied"_s})
            QVERIFY2(says(at.page.get(), text), qPrintable(text));
        QTest::mouseClick(at.button(u"Write now"_s), Qt::LeftButton);
        QTRY_COMPARE(at.messages, QStringList{u"12 letters written to the archive"_s});
        engine.setArchiveDone(
            tl::unexpected(Error{ErrorKind::Refused, u"the bucket letters answered HTTP 403"_s, {}, {}}));
        QTest::mouseClick(at.button(u"Upload now"_s), Qt::LeftButton);
        QTRY_COMPARE(at.messages.size(), 2);
        QCOMPARE(at.messages.last(),
                 u"The archive's files were not copied: the bucket letters answered HTTP 403"_s);
        QCOMPARE(engine.archiveTasks(), (QList{ArchiveTask::Write, ArchiveTask::Upload}));
        EngineHealth health = engine.health();
        health.archive.writing = ArchiveProblem{u"/var/lib/redrive/archive is no folder"_s, now - 120'000};
        engine.setHealth(health);
        at.bridge.refresh();
        QTRY_VERIFY(says(at.page.get(), u"Writing fails"_s));
        QVERIFY(says(at.page.get(), u"is no folder \u00B7 for 2 min"_s));
        health.archive.writing->why = u"the disk is full and will not be less so "_s.repeated(8);
        engine.setHealth(health);
        at.bridge.refresh();
        QTRY_VERIFY(says(at.page.get(), u"less so the disk is full"_s));
        QVERIFY(at.page->archive()->minimumSizeHint().width() < 1'000); // it is wrapped
        engine.setHealth({});
        at.bridge.refresh();
        QTRY_VERIFY(!says(at.page.get(), u"Writing fails"_s));
        QVERIFY(!at.button(u"Write now"_s)->isEnabled()); // the engine does not run
        for (const auto* label : at.page->findChildren<QLabel*>())
            QCOMPARE(label->textFormat(), Qt::PlainText);
    }

    void withoutAnArchiveTheLinesAreNamed()
    {
        FakeEngine engine;
        EngineFacts facts;
        facts.retention = {{u"letters"_s, 14 * 86'400'000LL, {}}, {u"bin"_s, 7 * 86'400'000LL, {}}};
        engine.setFacts(facts);
        {
            PageFixture<SettingsPage> at(engine);
            QVERIFY(says(at.page.get(), u"deleted after 14 d, discarded ones after 7 d"_s));
            QVERIFY(says(at.page.get(), u"[redrive.archive]"_s));
            QVERIFY(at.button(u"Import"_s)->isEnabled()); // a file may come from elsewhere
            QVERIFY(!at.button(u"Write now"_s));
        }
        facts.configurationFile = u"/srv/app/wrangler.jsonc"_s;
        facts.settingsFile = facts.configurationFile;
        engine.setFacts(facts);
        PageFixture<SettingsPage> at(engine, [](PageContext& context) { context.readOnly = true; });
        QVERIFY(says(at.page.get(), u"\"archive\": {"_s));
        QVERIFY(!at.button(u"Import"_s)->isEnabled());
    }

    void engines()
    {
        FakeEngine engine;
        engine.setInstances(sampleInstances(QDateTime::currentMSecsSinceEpoch()));
        PageFixture<InstancesPage> at(engine);
        const QAbstractItemModelTester tester(at.page->table()->model());
        QTRY_COMPARE(at.page->table()->model()->rowCount(), 3);
        QCOMPARE(at.page->scopeText(), u"2 engines on this database \u00B7 1 ended within a day"_s);
        QCOMPARE(cell(at.page->table(), 0, 0), u"Works"_s);
        QCOMPARE(cell(at.page->table(), 0, 10), u"this window's own engine"_s);
        QCOMPARE(cell(at.page->table(), 1, 0), u"Lease over"_s);
        QCOMPARE(cell(at.page->table(), 2, 0), u"Ended"_s);
        at.clickRow(1);
        auto fewer = sampleInstances(QDateTime::currentMSecsSinceEpoch());
        fewer.removeFirst();
        engine.setInstances(fewer);
        at.page->resync();
        QTRY_COMPARE(at.page->table()->model()->rowCount(), 2);
        QCOMPARE(at.page->currentId(), QString::number(fewer[0].no)); // the same engine is current
    }

    void notices()
    {
        EngineHealth health;
        constexpr qint64 day = 86'400'000;
        constexpr qint64 now = 1'900'000'000'000;
        QVERIFY(standingNotices(health, now).isEmpty());
        health.certificateEndsAtMs = now + 30 * day;
        QVERIFY(standingNotices(health, now).isEmpty());
        health.certificateEndsAtMs = now + 30 * day - 1;
        QVERIFY(standingNotices(health, now).first().contains(u"ends in 29 d 23 h"_s));
        health.certificateEndsAtMs = now;
        health.insecureListen = true;
        health.certificateProblem = u"bad\nfile"_s;
        const QStringList all = standingNotices(health, now);
        QCOMPARE(all.size(), 3);
        QVERIFY(all[0].contains(u"insecure_listen"_s) && all[1].contains(u"has ended"_s));
        QVERIFY(!all[2].contains(u'\n'));
        health.archive.writing = ArchiveProblem{u"the disk is full"_s, now - 90'000};
        health.archive.copying = ArchiveProblem{u"HTTP 403"_s, now - 60'000};
        QVERIFY(
            standingNotices(health, now)[3].contains(u"not be written for 1 min 30 s: the disk is full"_s));
        QVERIFY(standingNotices(health, now)[4].contains(u"not be copied for 1 min: HTTP 403"_s));
        health.offlineSinceMs = now - 90'000;
        QVERIFY(standingNotices(health, now).last().contains(u"Offline for 1 min 30 s"_s));
        health = {};
        health.alertFailures = {{u"slack"_s, u"https://hooks.example/\u2026"_s, now - 90'000, u"HTTP 500"_s},
                                {u"json"_s, u"secret OPS"_s, 0, u"the secret OPS is not set"_s}};
        QVERIFY(standingNotices(health, now)[0].startsWith(
            u"Alerts have not arrived at https://hooks.example/\u2026 for 1 min 30 s: HTTP 500."_s));
        QCOMPARE(standingNotices(health, now)[1],
                 u"Alerts cannot be posted to secret OPS: the secret OPS is not set."_s);
        health = {};
        health.telemetry.waitsBecause = u"insert: no such table: system_telemetry"_s;
        QVERIFY(standingNotices(health, now).value(0).contains(u"no such table: system_telemetry. They"_s));
    }

private:
    std::unique_ptr<ThemeController> m_themes;
};

QTEST_MAIN(SettingsPageTest)
#include "settings_page_test.moc"
