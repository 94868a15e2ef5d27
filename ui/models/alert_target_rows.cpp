#include "ui/models/alert_target_rows.h"

#include "core/base/result.h"
#include "ui/models/state_words.h"

#include <QCoreApplication>

namespace redrive {

namespace {

QString words(const char* text)
{
    return QCoreApplication::translate("Alerts", text);
}

PlainCell stateOf(const AlertTargetRow& target)
{
    if (!target.problem.isEmpty())
        return {words("Not usable"), u"dead"_s};
    if (target.failingSinceMs)
        return {words("Failing"), u"failed"_s};
    return target.lastSentAtMs ? PlainCell{words("Works"), u"delivered"_s}
                               : PlainCell{words("No alert yet"), u"never"_s};
}

QString formWord(const QString& form)
{
    if (form == u"slack")
        return u"Slack"_s;
    return form == u"pagerduty" ? u"PagerDuty"_s : u"JSON"_s;
}

} // namespace

QList<Column> alertTargetColumns()
{
    return {
        {u"state"_s, words("State"), CellKind::State, 13},
        {u"form"_s, words("Form"), CellKind::Text, 11},
        {u"place"_s, words("Target"), CellKind::Text, 34},
        {u"sent"_s, words("Last arrived"), CellKind::Age, 12},
        {u"waiting"_s, words("Still to arrive"), CellKind::Number, 14},
        {u"note"_s, words("Note"), CellKind::Text, 30, true},
    };
}

QList<PlainRow> alertTargetRows(const QList<AlertTargetRow>& targets)
{
    QList<PlainRow> rows;
    for (const AlertTargetRow& target : targets)
        rows.append({target.id,
                     {stateOf(target),
                      {formWord(target.form)},
                      {cellText(target.place), {}, 0, Emphasis::Primary},
                      {{}, {}, target.lastSentAtMs.value_or(0)},
                      {target.waiting},
                      {cellText(target.problem.isEmpty() ? target.lastError : target.problem)}}});
    return rows;
}

} // namespace redrive
