#include "core/store/alert_examples.h"

#include "core/base/result.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace redrive {

QString examplesText(const QList<AlertExample>& examples)
{
    QJsonArray list;
    for (const AlertExample& example : examples)
        list.append(QJsonObject{{u"kind"_s, example.kind},
                                {u"id"_s, example.id},
                                {u"type"_s, example.type},
                                {u"queue"_s, example.queue},
                                {u"endpoint"_s, example.endpoint},
                                {u"error"_s, example.error}});
    return QString::fromUtf8(QJsonDocument(list).toJson(QJsonDocument::Compact));
}

QList<AlertExample> examplesFrom(const QString& text)
{
    QList<AlertExample> examples;
    for (const QJsonValue& value : QJsonDocument::fromJson(text.toUtf8()).array()) {
        const QJsonObject each = value.toObject();
        examples.append({each[u"kind"].toString(), each[u"id"].toString(), each[u"type"].toString(),
                         each[u"queue"].toString(), each[u"endpoint"].toString(), each[u"error"].toString()});
    }
    return examples;
}

} // namespace redrive
