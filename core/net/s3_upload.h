// One file put into a bucket of a service that speaks S3, signed by libcurl (AWS Signature Version 4, the
// hash of what is sent included). Every address is judged by the guard before it is connected to. Blocks; any
// thread.
// Source: docs.aws.amazon.com/AmazonS3/latest/API/API_PutObject.html, CURLOPT_AWS_SIGV4(3)
#pragma once

#include "core/base/result.h"
#include "core/net/target_guard.h"

#include <QFile>

#include <functional>

namespace redrive {

struct S3Bucket
{
    QString url; // of the service; the bucket is a folder below it
    QString bucket;
    QString region;
    QByteArray accessKey;
    QByteArray secretKey; // neither is ever part of an error
    QString caFile;       // PEM; empty: the system's
};

struct S3Object
{
    QString etag; // without quotes; empty: the service said none
    qint64 bytes = 0;
};

// `key` is made of letters, digits, '_', '.', '-' and '/'. `file` is open to read and stays as it is until
// this returns. `goOn` is asked while it goes on; false ends it with Cancelled. Errors: Refused (the service,
// a key, the guard), ConnectionLost (anything that may be over later).
Result<S3Object> putObject(const S3Bucket& bucket, const QString& key, QFile& file, const TargetGuard& guard,
                           const std::function<bool()>& goOn);

} // namespace redrive
