#include "core/config/archive_section.h"

#include "core/base/result.h"
#include "core/config/database_section.h"
#include "core/config/endpoint_rules.h"
#include "core/config/secret_names.h"
#include "core/config/table_reader.h"

#include <QRegularExpression>

namespace redrive {

namespace {

constexpr qint64 daySeconds = 86'400;
constexpr qint64 longestKeepSeconds = 36'500 * daySeconds;

// A text whose every value must fit `allowed`; the error says what does.
QString readPattern(TableReader& reader, const ConfigValue& table, const QString& key,
                    const QRegularExpression& allowed, const QString& words, Diagnostics& out)
{
    const auto text = reader.text(key);
    if (!text || allowed.match(*text).hasMatch())
        return text.value_or(QString());
    out.error(*table.find(key), words);
    return {};
}

QString readKey(TableReader& reader, const ConfigValue& table, const QString& key, const Settings& settings,
                Diagnostics& out)
{
    const ConfigValue* value = reader.take(key);
    if (value)
        return readSecretName(*value, settings.secrets, out).value_or(QString());
    out.missing(table, key, u"is missing; it is the name of a secret"_s);
    return {};
}

ArchiveBucket readBucket(const ConfigValue& table, const Settings& settings, Diagnostics& out)
{
    static const QRegularExpression bucketName(u"\\A[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]\\z"_s);
    static const QRegularExpression regionName(u"\\A[A-Za-z0-9-]{1,64}\\z"_s);
    static const QRegularExpression prefixName(u"\\A(?:[A-Za-z0-9_.-]+/){0,20}\\z"_s);
    ArchiveBucket bucket;
    TableReader reader(table, out);
    if (const ConfigValue* url = reader.take(u"url"_s)) {
        bucket.url = readText(*url, out).value_or(QString());
        if (const auto good = checkEndpointUrl(bucket.url); !bucket.url.isEmpty() && !good)
            out.error(*url, good.error().message);
    } else {
        out.missing(table, u"url"_s, u"is missing; it is where the service is, without the bucket"_s);
    }
    bucket.bucket = readPattern(reader, table, u"bucket"_s, bucketName,
                                u"is no name of a bucket: 3 to 63 of a-z, 0-9, '.' and '-'"_s, out);
    if (!table.find(u"bucket"_s))
        out.missing(table, u"bucket"_s, u"is missing, it is required"_s);
    if (const QString region = readPattern(reader, table, u"region"_s, regionName,
                                           u"is no region: letters, digits and '-'"_s, out);
        !region.isEmpty())
        bucket.region = region;
    bucket.prefix =
        readPattern(reader, table, u"prefix"_s, prefixName,
                    u"must be folders of letters, digits, '_', '.' and '-', each with '/' behind"_s, out);
    bucket.accessKeySecret = readKey(reader, table, u"access_key"_s, settings, out);
    bucket.secretKeySecret = readKey(reader, table, u"secret_key"_s, settings, out);
    reader.finish();
    return bucket;
}

} // namespace

void readArchive(const ConfigValue& table, const QString& folder, Settings& settings, Diagnostics& out)
{
    TableReader reader(table, out);
    ArchiveSettings& archive = settings.archive;
    if (const auto dir = reader.text(u"dir"_s); dir && !dir->isEmpty())
        archive.dir = resolvePath(folder, *dir);
    if (const auto keep = reader.seconds(u"keep"_s, daySeconds, longestKeepSeconds))
        archive.keepMs = *keep;
    if (const ConfigValue* s3 = reader.table(u"s3"_s))
        archive.s3 = readBucket(*s3, settings, out);
    reader.finish();
    if (archive.dir.isEmpty())
        out.missing(table, u"dir"_s,
                    u"is missing; it is the folder that the archive's files are written to"_s);
}

} // namespace redrive
