#include "core/db/held_data.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>

namespace redrive {

namespace {

QString heldFile(const DatabaseTarget& target)
{
    return target.path + u"-held"_s;
}

} // namespace

std::optional<HeldData> readHeldData(const DatabaseTarget& target)
{
    QFile file(heldFile(target));
    if (!file.open(QIODevice::ReadOnly))
        return std::nullopt;
    const QJsonObject object = QJsonDocument::fromJson(file.read(4'096)).object();
    return HeldData{object[u"jobs"].toInteger(), object[u"atMs"].toInteger()};
}

Status noteHeldData(Connection& connection, qint64 nowMs)
{
    auto count = connection.query("SELECT count(*) FROM jobs");
    const qint64 jobs = count.next() ? count.int64(0) : 0;
    REDRIVE_TRY(count.status());
    QSaveFile file(heldFile(connection.target()));
    if (file.open(QIODevice::WriteOnly)) {
        file.write(QJsonDocument(QJsonObject{{u"jobs"_s, jobs}, {u"atMs"_s, nowMs}}).toJson());
        file.commit();
    }
    return {};
}

void forgetHeldData(const DatabaseTarget& target)
{
    QFile::remove(heldFile(target));
}

} // namespace redrive
