#include "core/deadletter/action_rules.h"

#include <QTest>

using namespace redrive;

namespace {

constexpr qint64 kNow = 1'900'000'000'000;

// "job:dead:mail", "timer" (a pending job with a due time), "delivery:failed:+60", "message:leased",
// "letter:job", "letter:message", "letter:delivery", "binned" (the letter is in the bin); several separated
// by spaces.
ActionSubject subjectOf(const QString& words)
{
    ActionSubject subject;
    subject.id = u"x"_s;
    for (const QString& word : words.split(u' ', Qt::SkipEmptyParts)) {
        const QStringList parts = word.split(u':');
        const QString second = parts.value(1);
        if (parts[0] == u"job")
            subject.job = ActionSubject::Job{second, parts.value(2), false, false, u"mail"_s, 0};
        else if (parts[0] == u"timer")
            subject.job = ActionSubject::Job{u"pending"_s, u"jobs"_s, true, false, u"mail"_s, 0};
        else if (parts[0] == u"delivery")
            subject.delivery = ActionSubject::Delivery{
                second, parts.size() > 2 ? std::optional(kNow + parts[2].toInt() * 1000) : std::nullopt,
                false};
        else if (parts[0] == u"message")
            subject.message =
                ActionSubject::Message{u"jobs"_s, second == u"leased", kNow + parts.value(2).toInt() * 1000};
        else if (parts[0] == u"letter")
            subject.letter = ActionSubject::Letter{1,
                                                   letterKindFrom(second).value(),
                                                   LetterState::Open,
                                                   parts.value(2),
                                                   parts.value(3),
                                                   ContentType::Json};
        else if (parts[0] == u"open") // deliveries of the job
            subject.job->openDeliveries = second.toInt();
        else if (parts[0] == u"newer")
            subject.supersededBy = second;
        else if (parts[0] == u"binned")
            subject.letter->state = LetterState::Discarded;
    }
    return subject;
}

} // namespace

class ActionRulesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void judges_data()
    {
        QTest::addColumn<QString>("verb");
        QTest::addColumn<QString>("subject");
        QTest::addColumn<QString>("refusal");
        const auto row = [](const char* verb, const char* subject, const char* refusal) {
            QTest::addRow("%s %s", verb, subject)
                << QString::fromLatin1(verb) << QString::fromLatin1(subject) << QString::fromLatin1(refusal);
        };
        row("requeue", "job:dead:jobs letter:job:jobs message:waiting", "");
        row("requeue", "job:dead:jobs", "");
        row("requeue", "job:dead", "has no queue to go back to: name one");
        row("requeue", "job:dead:jobs letter:job:jobs binned", "is in the bin");
        row("requeue", "job:processing:jobs", "is processing");
        row("requeue", "job:pending:jobs", "is waiting already");
        row("requeue", "job:done:jobs", "is done");
        row("requeue", "job:cancelled:jobs", "is cancelled");
        row("requeue", "job:paused_by_hand:jobs", "is paused_by_hand");
        row("requeue", "", "not found");
        row("requeue", "letter:job:jobs", "its job row is gone");
        row("requeue", "letter:message:mail", "");
        row("requeue", "letter:message:mail message:waiting", "");
        row("requeue", "letter:message", "has no queue to go back to: name one");
        row("requeue", "letter:message:jobs:missing_row", "its job row is gone");
        row("requeue", "message:waiting", "is waiting already");
        row("requeue", "message:leased", "is processing");
        row("requeue", "letter:delivery delivery:dead", "");
        row("requeue", "letter:delivery", "its delivery is gone");
        row("requeue", "delivery:delivered", "is delivered");
        row("requeue", "delivery:failed", "is waiting already");
        row("requeue", "delivery:sending", "is being sent");
        row("discard", "job:dead:jobs letter:job:jobs", "");
        row("discard", "letter:message:mail", "");
        row("discard", "delivery:dead letter:delivery", "");
        row("discard", "job:dead:jobs letter:job:jobs binned", "is in the bin already");
        row("discard", "job:dead:jobs", "has no dead letter");
        row("discard", "job:done:jobs", "is done");
        row("discard", "", "not found");
        row("restore", "job:dead:jobs letter:job:jobs binned", "");
        row("restore", "job:dead:jobs letter:job:jobs", "is not in the bin");
        row("restore", "job:done:jobs", "is not in the bin");
        row("restore", "", "not found");
        row("replay", "delivery:failed:60", "");
        row("replay", "delivery:dead", "");
        row("replay", "delivery:delivered", "");
        row("replay", "job:done:jobs", "has no failed deliveries");
        row("replay", "", "not found");
        row("run-now", "timer message:waiting:60", "");
        row("run-now", "timer", "");
        row("run-now", "job:pending:jobs message:waiting", "is not waiting for a timer");
        row("run-now", "job:processing:jobs", "is processing");
        row("run-now", "job:dead:jobs message:waiting:60", "is dead");
        row("run-now", "delivery:failed:60", "");
        row("run-now", "delivery:pending:60", "");
        row("run-now", "delivery:failed:-1", "is not waiting for a timer");
        row("run-now", "delivery:held", "is held");
        row("run-now", "delivery:dead", "is dead");
        row("run-now", "message:waiting:60", "");
        row("run-now", "message:waiting:-1", "is not waiting for a timer");
        row("run-now", "message:leased:60", "is processing");
        row("run-now", "", "not found");
        row("postpone", "timer message:waiting:60", "");
        row("postpone", "job:pending:jobs message:waiting", "is not waiting for a timer");
        row("postpone", "job:processing:jobs", "is processing");
        row("postpone", "job:dead:jobs letter:job:jobs", "is dead");
        row("postpone", "delivery:failed:60", "");
        row("postpone", "delivery:pending:-1", "");
        row("postpone", "delivery:held", "is held");
        row("postpone", "delivery:sending", "is being sent");
        row("postpone", "message:waiting:60", "");
        row("postpone", "message:leased:60", "is processing");
        row("postpone", "", "not found");
        row("cancel", "job:pending:jobs message:waiting", "");
        row("cancel", "job:pending:jobs", "");
        row("cancel", "timer message:waiting:60", "");
        row("cancel", "job:processing:jobs message:leased", "");
        row("cancel", "job:done:jobs", "is done");
        row("cancel", "job:done:jobs open:2", "");
        row("cancel", "job:dead:jobs letter:job:jobs", "is dead");
        row("cancel", "job:cancelled:jobs", "is cancelled already");
        row("cancel", "job:cancelled:jobs newer:y", "was edited already: its newer version is y");
        row("cancel", "job:paused_by_hand:jobs", "is paused_by_hand");
        row("cancel", "delivery:pending:60", "");
        row("cancel", "delivery:failed:60", "");
        row("cancel", "delivery:sending", "");
        row("cancel", "delivery:held", "");
        row("cancel", "delivery:delivered", "is delivered");
        row("cancel", "delivery:dead letter:delivery", "is dead");
        row("cancel", "delivery:cancelled", "is cancelled already");
        row("cancel", "letter:message:mail", "is a dead letter: discard it");
        row("cancel", "message:waiting", "is a message and no job");
        row("cancel", "", "not found");
        row("edit", "job:dead:jobs letter:job:jobs", "");
        row("edit", "timer message:waiting:60", "");
        row("edit", "job:dead", "has no queue to go to: name one");
        row("edit", "job:processing:jobs", "is processing");
        row("edit", "job:done:jobs", "is done");
        row("edit", "job:cancelled:jobs", "is cancelled");
        row("edit", "job:cancelled:jobs newer:y", "was edited already: its newer version is y");
        row("edit", "job:dead:jobs letter:job:jobs binned", "is in the bin");
        row("edit", "letter:job:jobs", "its job row is gone");
        row("edit", "letter:message:mail", "");
        row("edit", "letter:message", "has no queue to go to: name one");
        row("edit", "newer:y", "was edited already: its newer version is y");
        row("edit", "message:waiting", "is a message that waits: only dead letters of messages are edited");
        row("edit", "delivery:dead letter:delivery",
            "is a delivery: its body is the event's, which all endpoints get alike");
        row("edit", "delivery:failed:60",
            "is a delivery: its body is the event's, which all endpoints get alike");
        row("edit", "", "not found");
        row("requeue", "job:cancelled:jobs newer:y", "was edited already: its newer version is y");
    }

    void judges()
    {
        QFETCH(QString, verb);
        QFETCH(QString, subject);
        QFETCH(QString, refusal);
        QCOMPARE(refusalOf(actionVerbFrom(verb).value(), subjectOf(subject), {}, kNow), refusal);
    }

    void goesWhereTheOperatorSays()
    {
        const auto subject = subjectOf(u"job:dead:jobs letter:job:mail"_s);
        QCOMPARE(requeueTarget(subject, {}), u"mail"_s);
        QCOMPARE(requeueTarget(subject, u"slow"_s), u"slow"_s);
        QCOMPARE(requeueTarget(subjectOf(u"job:dead:jobs"_s), {}), u"jobs"_s);
    }
};

QTEST_APPLESS_MAIN(ActionRulesTest)
#include "action_rules_test.moc"
