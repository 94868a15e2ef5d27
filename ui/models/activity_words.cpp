#include "ui/models/activity_words.h"

#include "ui/models/format.h"
#include "ui/models/state_words.h"
#include "ui/models/verb_words.h"

#include <QCoreApplication>

namespace redrive {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(activity)
};

constexpr int kNamed = 3;

QString kindWord(AlertKind kind)
{
    switch (kind) {
    case AlertKind::DeadLetters:
        return Words::tr("Dead letters");
    case AlertKind::EndpointDisabled:
        return Words::tr("Endpoint disabled");
    case AlertKind::BreakerOpen:
        return Words::tr("Circuit breaker open");
    case AlertKind::BreakerClosed:
        return Words::tr("Circuit breaker closed");
    case AlertKind::RedriveFinished:
        break;
    }
    return Words::tr("Redrive finished");
}

QString capitalised(QString text)
{
    text.replace(u'-', u' ');
    if (!text.isEmpty())
        text[0] = text[0].toUpper();
    return text;
}

QString lettersText(const Alert& alert)
{
    const auto number = format::number(alert.count);
    return alert.isDigest
               ? Words::tr("%1 more dead letter(s)", nullptr, format::plural(alert.count)).arg(number)
               : Words::tr("%1 dead letter(s)", nullptr, format::plural(alert.count)).arg(number);
}

QString titleOf(const Alert& alert)
{
    return alert.kind == AlertKind::DeadLetters ? lettersText(alert) : kindWord(alert.kind);
}

} // namespace

QString activityWord(const ActivityRow& row)
{
    if (row.isAlert)
        return kindWord(alertKindFrom(row.what));
    const auto verb = actionVerbFrom(row.what);
    return verb ? wordsOf(*verb).verb : capitalised(cellText(row.what));
}

QString activityActor(const ActivityRow& row)
{
    return row.isAlert ? Words::tr("Redrive") : cellText(row.actor);
}

QString activityOutcome(const ActivityRow& row)
{
    if (!row.isAlert)
        return cellText(row.result);
    QStringList parts;
    if (row.sent > 0)
        parts.append(Words::tr("sent to %1").arg(format::number(row.sent)));
    if (row.waiting > 0)
        parts.append(Words::tr("%1 still to arrive").arg(format::number(row.waiting)));
    if (row.failed > 0)
        parts.append(Words::tr("%1 given up").arg(format::number(row.failed)));
    if (parts.isEmpty())
        return Words::tr("shown in the console");
    const QString text = parts.join(u", "_s);
    return row.postError.isEmpty() ? text : text + u": "_s + cellText(row.postError);
}

QString activitySentence(const ActivityRow& row)
{
    if (row.isAlert)
        return row.isDigest
                   ? Words::tr("A digest of what came after the first alert: %1.").arg(activityOutcome(row))
                   : Words::tr("An alert: %1.").arg(activityOutcome(row));
    QString text = Words::tr("By %1, from the %2: %3.")
                       .arg(activityActor(row), cellText(row.source), activityOutcome(row));
    if (!row.reason.isEmpty())
        text += u' ' + Words::tr("Reason: %1").arg(cellText(row.reason));
    return text;
}

AlertHeadline alertHeadline(const QList<Alert>& alerts)
{
    if (alerts.size() == 1)
        return {titleOf(alerts.first()), cellText(alerts.first().title)};
    QStringList lines;
    for (const Alert& alert : alerts.first(qMin<qsizetype>(alerts.size(), kNamed)))
        lines.append(titleOf(alert) + u": "_s + cellText(alert.title));
    if (alerts.size() > kNamed)
        lines.append(Words::tr("and %1 more").arg(format::number(qint64(alerts.size() - kNamed))));
    return {Words::tr("%1 alerts").arg(format::number(qint64(alerts.size()))), lines.join(u'\n')};
}

} // namespace redrive
