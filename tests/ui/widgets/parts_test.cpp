#include "tests/ui/gallery/samples.h"
#include "ui/widgets/attempts_list.h"
#include "ui/widgets/filter_bar.h"
#include "ui/widgets/hex_layout.h"
#include "ui/widgets/json_layout.h"
#include "ui/widgets/json_tree.h"
#include "ui/widgets/nav_view.h"
#include "ui/widgets/payload_view.h"
#include "ui/widgets/run_label.h"
#include "ui/widgets/theme_controller.h"

#include <QClipboard>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

using namespace redrive;

class PartsTest final : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { m_themes = std::make_unique<ThemeController>(*qApp); }
    void cleanupTestCase() { m_themes.reset(); }

    void filterSpeaksOnEnterAndAfterAPause()
    {
        FilterBar bar;
        QSignalSpy entered(&bar, &FilterBar::filterEntered);
        QTest::keyClicks(bar.field(), u"status:dead"_s);
        QCOMPARE(entered.count(), 0);
        QTest::keyClick(bar.field(), Qt::Key_Return);
        QCOMPARE(entered.count(), 1);
        QCOMPARE(entered.last().first().toString(), u"status:dead"_s);
        QTest::keyClicks(bar.field(), u" x"_s);
        QVERIFY(entered.wait(3000)); // the pause
        QCOMPARE(entered.count(), 2);
        bar.setText(u"type:a"_s);
        QCOMPARE(entered.count(), 2);
    }

    void longFilterIsCut()
    {
        FilterBar bar;
        QSignalSpy entered(&bar, &FilterBar::filterEntered);
        bar.field()->setFocus();
        QGuiApplication::clipboard()->setText(QString(1'000'000, u'a'));
        bar.field()->setMaxLength(2'000'000);
        bar.field()->paste();
        QCOMPARE(bar.text().size(), 4096);
        QCOMPARE(bar.errorText(), u"The filter was shortened to 4096 characters."_s);
        QTest::keyClick(bar.field(), Qt::Key_Return);
        QCOMPARE(entered.last().first().toString().size(), 4096);
    }

    void filterErrorGoesWithTheNextKey()
    {
        FilterBar bar;
        bar.setText(u"age:>3x"_s);
        bar.showError(u"'3x' is not a duration (use 90s, 5m, 2h, 7d)."_s, 5);
        QVERIFY(!bar.errorText().isEmpty());
        QCOMPARE(bar.field()->accessibleDescription(), bar.errorText());
        QTest::keyClick(bar.field(), Qt::Key_Backspace);
        QVERIFY(bar.errorText().isEmpty());
    }

    void jsonKeepsEveryToken_data()
    {
        QTest::addColumn<QString>("json");
        QTest::addColumn<QString>("lines");
        QTest::newRow("order, big numbers, escapes")
            << u"{\"b\":9007199254740993,\"a\":1.10,\"u\":\"\\u00e9\\\"\"}"_s
            << u"{\n  \"b\": 9007199254740993,\n  \"a\": 1.10,\n  \"u\": \"\\u00e9\\\"\"\n}"_s;
        QTest::newRow("empty") << u"{ \"a\" : [ ] , \"b\" : {} }"_s << u"{\n  \"a\": [],\n  \"b\": {}\n}"_s;
        QTest::newRow("nested") << u"[[1,2],3]"_s << u"[\n  [\n    1,\n    2\n  ],\n  3\n]"_s;
        QTest::newRow("broken") << u"{\"a\":"_s << QString();
        QTest::newRow("plain words") << u"hello"_s << QString();
    }
    void jsonKeepsEveryToken()
    {
        QFETCH(QString, json);
        QTEST(layOutJson(json), "lines");
    }

    void payloadShowsExactBytes_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("shown");
        QTest::addColumn<bool>("exact");
        QTest::newRow("text") << QByteArray("caf\xC3\xA9\n") << u"caf\u00e9\n"_s << true;
        QTest::newRow("no text") << QByteArray("a\xFF\xC3z", 4) << u"a\\xFF\\xC3z"_s << false;
        QTest::newRow("zero byte") << QByteArray("a\0b", 3) << u"a\u2400b"_s << false;
        QTest::newRow("markup") << QByteArray("<img src=x>") << u"<img src=x>"_s << true;
        QTest::newRow("cut sign") << QByteArray("\xE2\x82") << u"\\xE2\\x82"_s << false;
        QTest::newRow("astral") << QByteArray("\xF0\x9F\x98\x80") << QString::fromUcs4(U"\U0001F600") << true;
    }
    void payloadShowsExactBytes()
    {
        QFETCH(QByteArray, bytes);
        bool exact = false;
        QTEST(PayloadView::readable(bytes, &exact), "shown");
        QTEST(exact, "exact");
    }

    void bytesAreShownInHex()
    {
        QCOMPARE(
            hexLines(QByteArray("{\"a\":\xFF\n<b>-0123456", 17), 0x20),
            u"00000020  7b 22 61 22 3a ff 0a 3c  62 3e 2d 30 31 32 33 34  {\"a\":..<b>-01234\n00000030  35"_s +
                QString(48, u' ') + u'5');
        QCOMPARE(hexLines({}, 0), QString());
        PayloadView view;
        view.setVisible(true);
        view.setPayload("{\"a\":1}");
        auto* text = view.findChild<QPlainTextEdit*>();
        QCOMPARE(text->toPlainText(), u"{\n  \"a\": 1\n}"_s);
        for (auto* button : view.findChildren<QAbstractButton*>())
            if (button->text() == u"Hex")
                button->click();
        QCOMPARE(text->toPlainText(), hexLines("{\"a\":1}", 0));
        view.setPayload(QByteArray(100'000, 'x')); // the way of looking stays
        QVERIFY(text->toPlainText().startsWith(u"00000000  78 78"_s));
        QVERIFY(text->toPlainText().endsWith(u"are shown so."_s));
    }

    void theTreeShowsWhatStandsThere()
    {
        PayloadView view;
        view.setVisible(true);
        view.setPayload(
            "{\"id\": 9007199254740993, \"user\": {\"name\": \"<b>x\\n\", \"tags\": [\"a\", 1e2, []]}, "
            "\"none\": null}");
        for (auto* button : view.findChildren<QAbstractButton*>())
            if (button->text() == u"Tree")
                button->click();
        auto* tree = view.findChild<JsonTree*>();
        QVERIFY(tree->isVisible());
        QCOMPARE(tree->topLevelItemCount(), 3);
        QCOMPARE(tree->topLevelItem(0)->text(1), u"9007199254740993"_s);
        auto* user = tree->topLevelItem(1);
        QCOMPARE(user->text(1), u"{2}"_s);
        QCOMPARE(user->child(0)->text(1), u"\"<b>x \""_s);
        auto* tags = user->child(1);
        QCOMPARE(tags->childCount(), 0); // until it is opened
        tags->setExpanded(true);
        QCOMPARE(tags->childCount(), 3);
        QCOMPARE(tags->child(1)->text(0), u"1"_s);
        QCOMPARE(tags->child(1)->text(1), u"1e2"_s);
        QCOMPARE(tree->topLevelItem(2)->text(1), u"null"_s);
        view.setPayload("no JSON");
        QVERIFY(!tree->isVisible());
        QByteArray many = "[0";
        for (int i = 1; i < JsonTree::kMostChildren + 5; ++i)
            many += ",1";
        view.setPayload(many + ']');
        QCOMPARE(tree->topLevelItemCount(), JsonTree::kMostChildren + 1);
        QCOMPARE(tree->topLevelItem(JsonTree::kMostChildren)->text(1), u"5 more"_s);
    }

    void largePayloadComesInPieces()
    {
        PayloadView view;
        QSignalSpy wanted(&view, &PayloadView::pieceWanted);
        view.setLargePayload(PayloadView::kPiece + 100);
        QCOMPARE(wanted.takeFirst(), QVariantList({qint64(0), PayloadView::kPiece}));
        view.showPiece(0, QByteArray(PayloadView::kPiece, 'x'));
        QVERIFY(view.findChild<QPlainTextEdit*>()->toPlainText().size() >= PayloadView::kPiece);
        for (auto* button : view.findChildren<QToolButton*>()) {
            if (button->accessibleName() == u"Next piece")
                button->click();
        }
        QCOMPARE(wanted.takeFirst(), QVariantList({PayloadView::kPiece, qint64(100)}));
    }

    void navigatorKeepsGroupsInOrder()
    {
        NavView nav;
        nav.addEntry({u"deliveries"_s, u"Deliveries"_s, u"deliveries"_s, {}, 2});
        nav.addEntry({u"overview"_s, u"Overview"_s, u"overview"_s, {}, 0});
        nav.addEntry({u"jobs"_s, u"Jobs"_s, u"jobs"_s, {}, 1});
        nav.addEntry({u"jobs/active"_s, u"Active"_s, {}, {}, 1}, u"jobs"_s);
        QCOMPARE(nav.model()->index(0, 0).data().toString(), u"Overview"_s);
        QCOMPARE(nav.model()->index(2, 0).data().toString(), u"Deliveries"_s);
        QSignalSpy chosen(&nav, &NavView::entryChosen);
        nav.setCurrentId(u"jobs/active"_s);
        QCOMPARE(chosen.count(), 0);
        QCOMPARE(nav.currentId(), u"jobs/active"_s);
        QTest::keyClick(&nav, Qt::Key_Down);
        QCOMPARE(chosen.last().first().toString(), u"deliveries"_s);
        nav.setCount(u"jobs"_s, 9412, false);
        QCOMPARE(nav.model()->index(1, 0).data(Qt::AccessibleTextRole).toString(), u"Jobs, 9\u202F412"_s);
    }

    void numbersBecomeStrong()
    {
        const auto runs = strongNumbers(u"1\u202F204 of 12, all"_s);
        QCOMPARE(runs.size(), 4);
        QCOMPARE(runs[0].text, u"1\u202F204"_s);
        QVERIFY(runs[0].emphasis == Emphasis::Strong);
        QCOMPARE(runs[3].text, u", all"_s);
    }

    void openAttemptsStayOpen()
    {
        AttemptsList list;
        list.setAttempts({{2, 2000, u"failed"_s, u"b"_s, {}, 5, {{u"Then"_s, u"x"_s}}},
                          {1, 1000, u"failed"_s, u"a"_s, {}, 5, {}}});
        const auto rows = [&] { return list.findChildren<QAbstractButton*>(); };
        QVERIFY(rows().constFirst()->isChecked());
        rows().constFirst()->click();
        list.setAttempts({{2, 2000, u"failed"_s, u"b"_s, {}, 6, {{u"Then"_s, u"y"_s}}},
                          {1, 1000, u"failed"_s, u"a"_s, {}, 5, {}}});
        QTRY_COMPARE(rows().size(), 2);
        QVERIFY(!rows().constFirst()->isChecked());
    }

private:
    std::unique_ptr<ThemeController> m_themes;
};

QTEST_MAIN(PartsTest)
#include "parts_test.moc"
