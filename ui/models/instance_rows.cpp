#include "ui/models/instance_rows.h"

#include "core/base/result.h"
#include "ui/models/format.h"
#include "ui/models/state_words.h"

#include <QCoreApplication>

#include <algorithm>

namespace redrive {

namespace {

QString words(const char* text, int n = -1)
{
    return QCoreApplication::translate("Instances", text, nullptr, n);
}

enum class Life { Works, Over, Ended };

Life lifeOf(const InstanceInfo& instance)
{
    if (instance.endedAtMs)
        return Life::Ended;
    return instance.leaseLeftMs.value_or(0) > 0 ? Life::Works : Life::Over;
}

PlainCell stateOf(const InstanceInfo& instance)
{
    switch (lifeOf(instance)) {
    case Life::Works:
        return {words("Works"), u"processing"_s};
    case Life::Over:
        return {words("Lease over"), u"failed"_s};
    case Life::Ended:
        break;
    }
    return {words("Ended"), u"cancelled"_s};
}

QString noteOf(const InstanceInfo& instance)
{
    if (instance.own)
        return words("this window's own engine");
    return lifeOf(instance) == Life::Over ? words("gone: what it holds goes to the others") : QString();
}

PlainCell countOf(qint64 count)
{
    return {count, {}, 0, count > 0 ? Emphasis::Primary : Emphasis::Tertiary};
}

} // namespace

QList<Column> instanceColumns()
{
    return {
        {u"state"_s, words("State"), CellKind::State, 13},
        {u"engine"_s, words("Engine"), CellKind::Number, 8},
        {u"host"_s, words("Host"), CellKind::Text, 20},
        {u"pid"_s, words("Process"), CellKind::Number, 10},
        {u"version"_s, words("Version"), CellKind::Text, 10},
        {u"started"_s, words("Started"), CellKind::Age, 10},
        {u"lease"_s, words("Lease left"), CellKind::Number, 11},
        {u"jobs"_s, words("Jobs running"), CellKind::Number, 13},
        {u"deliveries"_s, words("Deliveries running"), CellKind::Number, 17},
        {u"ended"_s, words("Ended"), CellKind::Age, 10},
        {u"note"_s, words("Note"), CellKind::Text, 24, true},
    };
}

QList<PlainRow> instanceRows(const QList<InstanceInfo>& instances)
{
    QList<PlainRow> rows;
    for (const InstanceInfo& instance : instances) {
        const bool works = lifeOf(instance) == Life::Works;
        const QVariant left =
            instance.leaseLeftMs ? QVariant(format::age(*instance.leaseLeftMs)) : QVariant();
        rows.append({QString::number(instance.no),
                     {stateOf(instance),
                      {u"#%1"_s.arg(instance.no), {}, 0, Emphasis::Secondary},
                      {cellText(instance.host), {}, 0, Emphasis::Primary},
                      {QString::number(instance.pid)},
                      {cellText(instance.version)},
                      {{}, {}, instance.startedAtMs},
                      {left, {}, 0, works ? Emphasis::Secondary : Emphasis::Primary},
                      countOf(instance.jobsRunning),
                      countOf(instance.deliveriesRunning),
                      {{}, {}, instance.endedAtMs.value_or(0)},
                      {noteOf(instance), {}, 0, instance.own ? Emphasis::Strong : Emphasis::Secondary}}});
    }
    return rows;
}

QString instanceScope(const QList<InstanceInfo>& instances)
{
    const auto ended = std::count_if(instances.begin(), instances.end(),
                                     [](const InstanceInfo& each) { return each.endedAtMs.has_value(); });
    QString text = words("%n engine(s) on this database", int(instances.size() - ended));
    if (ended > 0)
        text += u" \u00B7 "_s + words("%n ended within a day", int(ended));
    return text;
}

} // namespace redrive
