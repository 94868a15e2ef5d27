// What an operator is offered when the database cannot be opened, and what becomes of each button.
#include "ui/dialogs/rescue_dialog.h"

#include "ui/widgets/plain_label.h"
#include "ui/widgets/theme_controller.h"

#include <QApplication>
#include <QListWidget>
#include <QPushButton>
#include <QSignalSpy>
#include <QStackedWidget>
#include <QTest>

using namespace redrive;

namespace {

const QString kEmptied =
    u"The database file 'jobs.db' is empty (0 bytes). It held 12,345 jobs when it was last open "
    "(2031-05-02 10:14). Nothing has been changed."_s;

QWidget* pageOf(const RescueDialog& dialog)
{
    return dialog.findChild<QStackedWidget*>()->currentWidget();
}

QStringList buttonsOf(const RescueDialog& dialog)
{
    QStringList texts;
    for (const auto* button : pageOf(dialog)->findChildren<QPushButton*>())
        if (!button->isHidden())
            texts.append(button->text());
    return texts;
}

QPushButton* button(const RescueDialog& dialog, const QString& text)
{
    for (auto* found : pageOf(dialog)->findChildren<QPushButton*>())
        if (found->text() == text)
            return found;
    return nullptr;
}

QString wordsOf(const RescueDialog& dialog)
{
    QStringList words;
    for (const auto* label : pageOf(dialog)->findChildren<PlainLabel*>())
        words.append(label->text());
    return words.join(u'\n');
}

} // namespace

class RescueDialogTest final : public QObject
{
    Q_OBJECT

    RescueOffer offer(const QString& message)
    {
        RescueOffer offer;
        offer.database = u"/srv/jobs.db"_s;
        offer.message = message;
        return offer;
    }
    std::function<Result<QString>(const QString&)> taking(QString& file)
    {
        return [&file](const QString& taken) -> Result<QString> {
            file = taken;
            return u"/srv/jobs.db.aside-1"_s;
        };
    }

private Q_SLOTS:
    void initTestCase() { m_themes = std::make_unique<ThemeController>(*qApp); }

    void anEmptiedDatabase()
    {
        QString opened;
        auto asked = offer(kEmptied);
        asked.backups = {{u"/srv/jobs.db.backup-7-20310501"_s, 5'000'000, 1'935'000'000'000},
                         {u"/srv/jobs.db.backup-6-20310401"_s, 4'000'000, 1'933'000'000'000}};
        asked.useBackup = taking(opened);
        asked.beginAnew = [] { return Result<QString>(u"/srv/jobs.db.aside-1"_s); };
        RescueDialog dialog(asked);
        dialog.show();
        QVERIFY(wordsOf(dialog).contains(kEmptied));
        QCOMPARE(buttonsOf(dialog),
                 (QStringList{u"Open a backup\u2026"_s, u"Create a new database"_s, u"Quit"_s}));
        QVERIFY(button(dialog, u"Quit"_s)->isDefault());
        button(dialog, u"Open a backup\u2026"_s)->click();
        auto* list = dialog.findChild<QListWidget*>();
        QCOMPARE(list->count(), 2);
        QVERIFY(list->item(0)->text().contains(u"jobs.db.backup-7-20310501"_s));
        list->setCurrentRow(1);
        button(dialog, u"Open it"_s)->click();
        QTRY_COMPARE(dialog.result(), int(QDialog::Accepted));
        QVERIFY(!dialog.isVisible());
        QCOMPARE(opened, u"/srv/jobs.db.backup-6-20310401"_s);
    }

    void aNewDatabase()
    {
        bool begun = false;
        auto asked = offer(kEmptied);
        asked.beginAnew = [&begun]() -> Result<QString> {
            begun = true;
            return QString();
        };
        RescueDialog dialog(asked);
        dialog.show();
        button(dialog, u"Create a new database"_s)->click();
        QTRY_COMPARE(dialog.result(), int(QDialog::Accepted));
        QVERIFY(begun);
    }

    void aDamagedDatabaseIsRecoveredAndStarted()
    {
        QString used;
        auto asked =
            offer(u"'jobs.db' is damaged (page 2). It is now read-only so that nothing gets worse. Last "
                  "good backup: none."_s);
        asked.recover =
            [](const std::function<bool(const QString&, qint64)>& progress) -> Result<RescuedFile> {
            progress(u"jobs"_s, 1'000);
            return RescuedFile{u"/srv/jobs.db.recovered-1"_s,
                               {{u"jobs"_s, 1'204, false}, {u"queues"_s, 2, true}, {u"audit"_s, 0, true}}};
        };
        asked.useRecovered = taking(used);
        RescueDialog dialog(asked);
        dialog.show();
        QCOMPARE(buttonsOf(dialog), (QStringList{u"Recover into a new file\u2026"_s, u"Quit"_s}));
        button(dialog, u"Recover into a new file\u2026"_s)->click();
        QTRY_COMPARE(buttonsOf(dialog), (QStringList{u"Quit"_s, u"Start with it"_s}));
        const QString words = wordsOf(dialog);
        QVERIFY(words.contains(u"Not everything could be read."_s));
        QVERIFY(words.contains(u"jobs: 1\u202F204 rows; others could not be read"_s));
        QVERIFY(words.contains(u"queues: 2 rows, all of them"_s));
        QVERIFY(!words.contains(u"audit"_s));
        QVERIFY(words.contains(u"/srv/jobs.db.recovered-1"_s));
        QVERIFY(used.isEmpty());
        button(dialog, u"Start with it"_s)->click();
        QTRY_COMPARE(dialog.result(), int(QDialog::Accepted));
        QCOMPARE(used, u"/srv/jobs.db.recovered-1"_s);
    }

    void recoveringCanBeStopped()
    {
        auto asked = offer(u"damaged"_s);
        asked.recover =
            [](const std::function<bool(const QString&, qint64)>& progress) -> Result<RescuedFile> {
            for (qint64 rows = 0; progress(u"<b>jobs</b>"_s, rows); ++rows)
                QThread::yieldCurrentThread();
            return fail(ErrorKind::Cancelled, u"stopped"_s);
        };
        RescueDialog dialog(asked);
        dialog.show();
        button(dialog, u"Recover into a new file\u2026"_s)->click();
        QTRY_VERIFY(wordsOf(dialog).contains(u"<b>jobs</b>: "_s)); // as it is
        QCOMPARE(buttonsOf(dialog), QStringList{u"Stop"_s});
        button(dialog, u"Stop"_s)->click();
        QTRY_COMPARE(buttonsOf(dialog), (QStringList{u"Recover into a new file\u2026"_s, u"Quit"_s}));
        QVERIFY(dialog.isVisible());
    }

    void aFailureIsSaidAndLeadsBack()
    {
        auto asked = offer(kEmptied);
        asked.beginAnew = [] { return Result<QString>(fail(ErrorKind::Refused, u"an engine is running"_s)); };
        RescueDialog dialog(asked);
        dialog.show();
        button(dialog, u"Create a new database"_s)->click();
        QTRY_VERIFY(wordsOf(dialog).contains(u"an engine is running"_s));
        button(dialog, u"Back"_s)->click();
        QVERIFY(wordsOf(dialog).contains(kEmptied));
    }

    void whereNothingHelpsThereIsQuit()
    {
        RescueDialog dialog(offer(u"'x.jpg' is not a database of this program."_s));
        dialog.show();
        QCOMPARE(buttonsOf(dialog), QStringList{u"Quit"_s});
        QSignalSpy ended(&dialog, &QDialog::rejected);
        QTest::keyClick(&dialog, Qt::Key_Return);
        QCOMPARE(ended.count(), 1);
    }

private:
    std::unique_ptr<ThemeController> m_themes;
};

QTEST_MAIN(RescueDialogTest)
#include "rescue_dialog_test.moc"
