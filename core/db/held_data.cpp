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

void write(const DatabaseTarget& target, const HeldData& held)
{
    QSaveFile file(heldFile(target));
    if (!file.open(QIODevice::WriteOnly))
        return;
    const QJsonObject object{
        {u"jobs"_s, held.jobs}, {u"atMs"_s, held.atMs}, {u"checkedAtMs"_s, held.checkedAtMs}};
    file.write(QJsonDocument(object).toJson());
    file.commit();
}

} // namespace

std::optional<HeldData> readHeldData(const DatabaseTarget& target)
{
    QFile file(heldFile(target));
    if (!file.open(QIODevice::ReadOnly))
        return std::nullopt;
    const QJsonObject object = QJsonDocument::fromJson(file.read(4'096)).object();
    return HeldData{object[u"jobs"].toInteger(), object[u"atMs"].toInteger(),
                    object[u"checkedAtMs"].toInteger()};
}

Status noteHeldData(Connection& connection, qint64 nowMs)
{
    auto count = connection.query("SELECT count(*) FROM jobs");
    const qint64 jobs = count.next() ? count.int64(0) : 0;
    REDRIVE_TRY(count.status());
    const HeldData before = readHeldData(connection.target()).value_or(HeldData{});
    write(connection.target(), {jobs, nowMs, before.checkedAtMs});
    return {};
}

void noteChecked(const DatabaseTarget& target, qint64 nowMs)
{
    HeldData held = readHeldData(target).value_or(HeldData{0, nowMs, 0});
    held.checkedAtMs = nowMs;
    write(target, held);
}

void forgetHeldData(const DatabaseTarget& target)
{
    QFile::remove(heldFile(target));
}

} // namespace redrive
