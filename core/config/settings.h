// What a configuration says, after defaults and environments are applied. Plain values; any thread.
// Times are milliseconds whatever the file's unit was. Source of every key and range: the user's wrangler
// file and its `redrive` table.
#pragma once

#include <QByteArray>
#include <QHash>
#include <QList>
#include <QMap>
#include <QString>
#include <QStringList>

#include <optional>

namespace redrive {

enum class ConsumerType { Worker, HttpPull };

struct ConsumerSettings
{
    QString queue;
    ConsumerType type = ConsumerType::Worker;
    int maxBatchSize = 10;               // 1–100
    qint64 maxBatchTimeoutMs = 5'000;    // 0–60,000
    int maxRetries = 3;                  // 0–100; deliveries = maxRetries + 1
    QString deadLetterQueue;             // empty: exhausted messages are dropped
    std::optional<int> maxConcurrency;   // 1–250; nothing: automatic
    std::optional<qint64> retryDelayMs;  // 0–86,400,000; nothing: the user set none
    qint64 visibilityTimeoutMs = 30'000; // http_pull only

    bool operator==(const ConsumerSettings&) const = default;
};

struct ProducerSettings
{
    QString binding;
    QString queue;
    qint64 deliveryDelayMs = 0;

    bool operator==(const ProducerSettings&) const = default;
};

struct DatabaseSettings
{
    QString binding;
    QString databaseName;
    QString migrationsDir; // absolute
    QString migrationsTable = QStringLiteral("d1_migrations");
    QString migrationsPattern;

    bool operator==(const DatabaseSettings&) const = default;
};

constexpr qint64 defaultMessageRetentionMs = 4 * 86'400'000LL;

// redrive.queues.<name>
struct QueueSettings
{
    std::optional<qint64> retentionMs; // 60,000–1,209,600,000; default 4 days
    std::optional<qint64> deliveryDelayMs;
    std::optional<bool> paused; // first value only: a pause by an operator wins afterwards

    bool operator==(const QueueSettings&) const = default;
};

// redrive.handlers.<type> and redrive.consumers.<queue>: exactly one of command and url is set, or neither.
struct HandlerSettings
{
    QStringList command;
    QString url;
    QString queue; // handlers only
    std::optional<int> concurrency;
    std::optional<qint64> timeoutMs; // 0: none; nothing: 30,000

    bool operator==(const HandlerSettings&) const = default;
};

struct EndpointSettings
{
    QString id;
    QString url;
    QStringList events;                  // exact names or prefix.*
    QStringList secrets;                 // names of secrets, newest first
    QMap<QString, qint64> secretUntilMs; // by name: unix ms from which on it signs no more
    QMap<QString, QString> headers;
    int maxInFlight = 4;
    std::optional<double> ratePerSecond;
    QList<qint64> scheduleMs;
    bool paused = false;
    bool allowOverride = false;

    bool operator==(const EndpointSettings&) const = default;
};

struct BackoffSettings
{
    qint64 baseMs = 10'000;
    qint64 capMs = 300'000;
    double jitter = 0.1; // the random part added after the cap, 0–1

    bool operator==(const BackoffSettings&) const = default;
};

struct SweepSettings
{
    qint64 publishLostAfterMs = 120'000;
    qint64 stuckAfterMs = 600'000;

    bool operator==(const SweepSettings&) const = default;
};

struct RetentionSettings
{
    qint64 jobsMs = 7 * 86'400'000LL;
    qint64 deliveriesMs = 30 * 86'400'000LL;
    qint64 bodiesMs = 3 * 86'400'000LL;
    qint64 telemetryMs = 30 * 86'400'000LL;
    qint64 auditMs = 365 * 86'400'000LL;
    qint64 lettersMs = 14 * 86'400'000LL;
    qint64 binMs = 7 * 86'400'000LL;
    std::optional<qint64> telemetryBytes = {}; // of all payloads together; nothing: no limit

    bool operator==(const RetentionSettings&) const = default;
};

struct LimitSettings
{
    qint64 backlogMessages = 1'000'000; // per queue
    qint64 backlogBytes = 1LL << 30;
    std::optional<double> ratePerSecond = {}; // HTTP requests with one token, above 0; nothing: no limit

    bool operator==(const LimitSettings&) const = default;
};

enum class AlertForm { Slack, PagerDuty, Json };

// redrive.alerts.webhooks[]: exactly one of url and urlSecret is set, or neither where the form has an
// address of its own (PagerDuty).
struct AlertTarget
{
    AlertForm form = AlertForm::Json;
    QString url;
    QString urlSecret; // name of the secret that holds the URL
    QString keySecret; // name of a secret: PagerDuty's routing key; a bearer token for Json

    bool operator==(const AlertTarget&) const = default;
};

struct AlertSettings
{
    QList<AlertTarget> webhooks;
    qint64 windowMs = 600'000; // one alert per group of failures in it; 10,000–86,400,000

    bool operator==(const AlertSettings&) const = default;
};

// redrive.archive.s3: a bucket that the finished days of the archive are copied to.
struct ArchiveBucket
{
    QString url; // of the service: https://ACCOUNT.r2.cloudflarestorage.com
    QString bucket;
    QString region = QStringLiteral("auto");
    QString prefix;          // of the keys; empty or ends in '/'
    QString accessKeySecret; // names of secrets
    QString secretKeySecret;

    bool operator==(const ArchiveBucket&) const = default;
};

struct ArchiveSettings
{
    QString dir;       // absolute; empty: no archive
    qint64 keepMs = 0; // of its files; 0: for ever
    std::optional<ArchiveBucket> s3 = {};

    bool operator==(const ArchiveSettings&) const = default;
};

// Where keys stand that the console shows, as file:line:column. No part of what the configuration says, so
// that two of the same content are equal.
struct KeyPlaces
{
    QMap<QString, QString> of;

    bool operator==(const KeyPlaces&) const { return true; }
};

struct Settings
{
    QString sourceFile;  // empty: the built-in default
    QString redriveFile; // where Redrive's own settings stand, or belong; empty: there is no file yet
    QString environment;

    QList<ConsumerSettings> consumers;
    QList<ProducerSettings> producers;
    QList<DatabaseSettings> databases;
    QStringList crons; // valid expressions, UTC

    QString listen = QStringLiteral("127.0.0.1:8787");
    QString listenTls;      // empty: no TLS
    QString tlsCertificate; // PEM files, absolute
    QString tlsKey;
    bool insecureListen = false;
    QStringList hosts;      // further names that Host may carry
    QString database;       // a path or postgresql://…; empty: the data folder's own
    int workers = 0;        // 0: 2 × cores, at least 4
    QString jobsQueue;      // where POST /jobs goes; resolved, never empty when valid
    QString telemetryQueue; // empty: none
    QMap<QString, HandlerSettings> consumerHandlers; // by queue
    QMap<QString, QueueSettings> queues;
    QMap<QString, HandlerSettings> handlers; // by job type
    QString intakeTokenSecret;               // name of a secret
    QString ingestTokenSecret;
    QString smtpUrl;
    QString smtpFrom;
    QString smtpPasswordSecret; // name of a secret
    QStringList processFileRoots;
    QMap<QString, QStringList> commands;
    BackoffSettings backoff;
    SweepSettings sweep;
    LimitSettings limits;
    QList<EndpointSettings> endpoints;
    QStringList allowPrivateTargets;
    RetentionSettings retention;
    AlertSettings alerts;
    ArchiveSettings archive;
    KeyPlaces places; // retention.<key>

    QHash<QString, QByteArray> secrets; // environment and .dev.vars; never shown, never logged

    const ConsumerSettings* consumer(const QString& queue) const;
    // Every queue that anything in the configuration names, in the order first named.
    QStringList queueNames() const;
    bool isDeadLetterQueue(const QString& queue) const;
    // The queue that jobs of this type go to.
    QString queueForType(const QString& type) const;
    // Delay of a message that says none: redrive.queues.<name>.delivery_delay, else the first producer's.
    qint64 deliveryDelayMs(const QString& queue) const;
    qint64 messageRetentionMs(const QString& queue) const;

    bool operator==(const Settings&) const = default;
};

} // namespace redrive
