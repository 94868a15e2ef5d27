#include "tests/integration/storage/storage_rig.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>

namespace redrive::test {

using namespace Qt::Literals::StringLiterals;

namespace {
constexpr int kPatienceMs = 60'000;
}

StorageRig::StorageRig(const QString& database)
    : m_database(database.isEmpty() ? m_folder.filePath(u"data/redrive.db"_s) : database),
      m_serve(m_folder.path())
{
    const QByteArray text =
        "[[queues.producers]]\nbinding = \"JOBS\"\nqueue = \"jobs\"\n"
        "[[queues.consumers]]\nqueue = \"jobs\"\nmax_batch_timeout = 0.05\nmax_retries = 0\n"
        "dead_letter_queue = \"dead\"\n"
        "[[queues.consumers]]\nqueue = \"telemetry-ingest\"\nmax_batch_size = 100\n"
        "max_batch_timeout = 0.1\ndead_letter_queue = \"telemetry-dlq\"\n"
        "[redrive.handlers.quick]\ncommand = [\"/bin/sh\", \"" RECORD_RUN "\", \"" +
        path(u"runs"_s).toUtf8() + "\", \"quick\"]\n";
    QFile file(path(u"wrangler.toml"_s));
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
        qFatal("the configuration cannot be written");
    m_serve.setArguments({u"--database"_s, m_database});
}

bool StorageRig::start()
{
    return m_serve.start();
}

PlainAnswer StorageRig::post(const QByteArray& payload, const QByteArray& type) const
{
    return PlainClient(m_serve.url())
        .post("/jobs", R"({"type":")" + type + R"(","payload":)" + payload + '}');
}

PlainAnswer StorageRig::healthz() const
{
    return PlainClient(m_serve.url()).get("/healthz");
}

QString StorageRig::reason() const
{
    return QJsonDocument::fromJson(healthz().body)[u"reasons"_s][0].toString();
}

QByteArray StorageRig::code(const PlainAnswer& answer)
{
    return QJsonDocument::fromJson(answer.body)[u"code"_s].toString().toLatin1();
}

int StorageRig::retryAfter(const PlainAnswer& answer)
{
    static const QRegularExpression line(u"\r\nRetry-After: (\\d+)\r\n"_s);
    return line.match(QString::fromLatin1(answer.head)).captured(1).toInt();
}

std::pair<int, QString> StorageRig::command(const QStringList& words) const
{
    QProcess process;
    process.setWorkingDirectory(m_folder.path());
    process.start(QStringLiteral(REDRIVE_PROGRAM),
                  words + QStringList{u"--data"_s, path(u"data"_s), u"--database"_s, m_database});
    process.waitForFinished(kPatienceMs);
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1,
            QString::fromUtf8(process.readAllStandardError())};
}

qint64 StorageRig::number(const QString& statement) const
{
    const auto db = Connection::open({m_database}, Access::Reader);
    if (!db)
        return -1;
    auto query = (*db)->dynamicQuery(statement);
    return query.next() ? query.int64(0) : -1;
}

qint64 StorageRig::open() const
{
    return number(u"SELECT count(*) FROM jobs WHERE status IN ('pending', 'processing')"_s);
}

qint64 StorageRig::failures() const
{
    return number(
        u"SELECT (SELECT count(*) FROM job_attempts WHERE outcome <> 'done') + (SELECT count(*) FROM "
        "jobs WHERE status = 'dead') + (SELECT count(*) FROM dead_letters)"_s);
}

int StorageRig::runs() const
{
    QFile file(path(u"runs"_s));
    return file.open(QIODevice::ReadOnly) ? int(file.readAll().count('\n')) : 0;
}

} // namespace redrive::test
