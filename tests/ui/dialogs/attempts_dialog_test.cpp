#include "ui/dialogs/attempts_dialog.h"

#include "core/base/result.h"
#include "ui/widgets/theme_controller.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QTest>

#include <algorithm>

using namespace redrive;

namespace {

AttemptView attempt(int number, const QString& outcome, const QList<FactView>& facts)
{
    AttemptView view;
    view.number = number;
    view.startedMs = 1'900'000'000'000 + number * 1'000;
    view.outcome = outcome;
    view.totalMs = 12;
    view.facts = facts;
    return view;
}

const QList<AttemptView> kAttempts{
    attempt(3, u"Delivered 200"_s,
            {{u"Peer"_s, u"1.2.3.4:443"_s}, {u"Answer"_s, u"HTTP/1.1 200 OK\nServer: a\nDate: 3"_s}}),
    attempt(2, u"Failed 503"_s,
            {{u"Peer"_s, u"1.2.3.4:443"_s},
             {u"Error"_s, u"<b>busy</b>"_s},
             {u"Answer"_s, u"HTTP/1.1 503 No\nServer: a\nDate: 2"_s}}),
    attempt(1, u"Failed 503"_s, {{u"Peer"_s, u"1.2.3.5:443"_s}})};

} // namespace

class AttemptsDialogTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void linesThatAreTheSameAreTakenOut()
    {
        const auto lines = compareAttempts(kAttempts[1], kAttempts[0], format::Zone::Utc);
        QStringList differing;
        for (const auto& line : lines)
            if (line.differs())
                differing.append(line.label + u'|' + line.left + u'|' + line.right);
        QCOMPARE(differing.size(), 4); // the time, the outcome and these
        QVERIFY(differing.contains(u"Answer|HTTP/1.1 503 No\nDate: 2|HTTP/1.1 200 OK\nDate: 3"_s));
        QVERIFY(differing.contains(u"Error|<b>busy</b>|"_s));
    }

    void longBodiesAreComparedToTheirEnds()
    {
        // As many lines as 64 KiB hold: the comparison goes over them once.
        const QByteArray same = QByteArray("a\n").repeated(32'000);
        const auto body = [&](const QByteArray& end) {
            return FactView{u"Body"_s, QString::fromLatin1(same.left(2'000)), true, same + end};
        };
        const auto lines = compareAttempts(attempt(2, {}, {body("that was it")}),
                                           attempt(1, {}, {body("that was not it")}), format::Zone::Utc);
        const auto line =
            std::find_if(lines.begin(), lines.end(), [](const auto& one) { return one.label == u"Body"_s; });
        QVERIFY(line != lines.end());
        QCOMPARE(line->left, u"that was it"_s);
        QCOMPARE(line->right, u"that was not it"_s);

        ThemeController themes(*qApp);
        const QString unbroken(64'000, u'b');
        AttemptsDialog dialog(u"order.made"_s,
                              {attempt(2, {}, {{u"Body"_s, unbroken + u"left"_s}}),
                               attempt(1, {}, {{u"Body"_s, unbroken + u"right"_s}})},
                              format::Zone::Utc, nullptr);
        dialog.setAttribute(Qt::WA_DeleteOnClose, false);
        QStringList texts;
        for (const auto* label : dialog.findChildren<QLabel*>())
            texts.append(label->text());
        const auto shows = [&](const QString& end) {
            return std::any_of(texts.begin(), texts.end(), [&](const QString& text) {
                return text.endsWith(end) && text.size() < 5'000;
            });
        };
        QVERIFY(shows(u"left"_s) && shows(u"right"_s));
    }

    void choosesAnyTwo()
    {
        ThemeController themes(*qApp);
        AttemptsDialog dialog(u"order.made"_s, kAttempts, format::Zone::Utc, nullptr);
        dialog.setAttribute(Qt::WA_DeleteOnClose, false);
        QCOMPARE(dialog.left()->currentText(), u"Attempt 2, Failed 503"_s);
        QVERIFY(dialog.shownLabels().contains(u"Answer"_s));
        QVERIFY(!dialog.shownLabels().contains(u"Peer"_s));
        dialog.onlyDifferences()->setChecked(false);
        QVERIFY(dialog.shownLabels().contains(u"Peer"_s));
        dialog.onlyDifferences()->setChecked(true);
        dialog.left()->setCurrentIndex(2);
        QVERIFY(dialog.shownLabels().contains(u"Peer"_s));
        dialog.right()->setCurrentIndex(2);
        QVERIFY(dialog.shownLabels().isEmpty());
    }
};

QTEST_MAIN(AttemptsDialogTest)
#include "attempts_dialog_test.moc"
