#include "tests/ui/support/sample_data.h"

#include <algorithm>

#include "core/domain/reason.h"

namespace redrive::test {

namespace {

constexpr qint64 kSecond = 1000;
constexpr qint64 kMinute = 60 * kSecond;

QString id(int n)
{
    return u"01a22cd%1-%2-7c3e-a4f0-2d8e61b0%3"_s.arg(n % 10)
        .arg(0x9b11 + n * 37, 4, 16, QChar(u'0'))
        .arg(0x1000 + n * 421 % 0xefff, 4, 16, QChar(u'0'));
}

struct Story
{
    const char* type;
    const char* queue;
    const char* endpoint;
    const char* error;
    QLatin1String reason;
    int attempts;
};

const Story kStories[] = {
    {"webhook_fanout", "jobs", "kestrel-pay", "TLS: certificate expired 29 Nov 23:59 UTC",
     reason::kRetriesUsedUp, 4},
    {"webhook_fanout", "jobs", "quayline-tms", "503 Service Unavailable: upstream draining",
     reason::kRetriesUsedUp, 4},
    {"send_email", "mail", "helio-wms", "SMTP 550 5.1.1 mailbox unavailable", reason::kPermanent, 1},
    {"render_invoice", "files", "tallow-crm", "Time limit of 30 s reached", reason::kRetriesUsedUp, 4},
    {"process_file", "files", "brightside", "exit 65: unsupported colour profile", reason::kPermanent, 1},
    {"resize_image", "files", "orrin-fleet", "3 crashes of its handler, last signal 11", reason::kCrashed, 2},
    {"webhook_fanout", "jobs", "helio-wms", "Target refused: 10.20.0.14 is private", reason::kTargetRefused,
     1},
};

const Story& story(int n)
{
    return kStories[n % std::size(kStories)];
}

} // namespace

QList<JobRow> sampleJobs(qint64 nowMs, int count)
{
    QList<JobRow> rows;
    for (int n = 0; n < count; ++n) {
        const auto& told = story(n * 3 + n / 5);
        JobRow row;
        row.key = count - n;
        row.id = id(n);
        row.type = QString::fromUtf8(told.type);
        row.queue = QString::fromUtf8(told.queue);
        row.run = 1;
        row.attempts = 1;
        row.maxAttempts = 4;
        row.payloadBytes = 1412;
        row.createdAtMs = nowMs - n * 7 * kSecond;
        row.updatedAtMs = row.createdAtMs + kSecond;
        switch (n % 7) {
        case 0:
            row.status = JobStatus::Processing;
            break;
        case 2:
            row.status = JobStatus::Pending;
            row.reason = reason::kRetry;
            row.error = QString::fromUtf8(told.error);
            row.attempts = 2;
            row.dueAtMs = nowMs + (13 + n) * kSecond;
            break;
        case 4:
            row.status = JobStatus::Dead;
            row.reason = told.reason;
            row.error = QString::fromUtf8(told.error);
            row.attempts = told.attempts;
            break;
        case 5:
            row.status = JobStatus::Pending;
            row.attempts = 0;
            break;
        default:
            row.status = JobStatus::Done;
            break;
        }
        rows.append(row);
    }
    return rows;
}

QList<TimerRow> sampleTimers(qint64 nowMs, int count)
{
    QList<TimerRow> rows;
    for (int n = 0; n < count; ++n) {
        const auto& told = story(n);
        TimerRow row;
        row.key = n * 2 + n % 2;
        row.isDelivery = n % 2 == 1;
        row.id = id(n + 300);
        row.type = row.isDelivery ? u"order.paid"_s : QString::fromUtf8(told.type);
        row.queue = QString::fromUtf8(told.queue);
        row.endpointId = QString::fromUtf8(told.endpoint);
        row.attempts = 1 + n % 3;
        row.maxAttempts = 4;
        row.reason = reason::kRetry;
        row.error = QString::fromUtf8(told.error);
        row.dueAtMs = nowMs + (4 + n * n) * kSecond;
        row.updatedAtMs = nowMs - n * kSecond;
        rows.append(row);
    }
    return rows;
}

QList<LetterRow> sampleLetters(qint64 nowMs, int count)
{
    QList<LetterRow> rows;
    for (int n = 0; n < count; ++n) {
        const auto& told = story(n);
        LetterRow row;
        row.key = count - n;
        row.kind = n % 4 == 1 ? LetterKind::Delivery : LetterKind::Job;
        row.subjectId = id(n + 600);
        row.type = QString::fromUtf8(told.type);
        row.sourceQueue = QString::fromUtf8(told.queue);
        row.deadLetterQueue = u"dead"_s;
        row.endpointId = row.kind == LetterKind::Delivery ? QString::fromUtf8(told.endpoint) : QString();
        row.attempts = told.attempts;
        row.maxAttempts = 4;
        row.reason = told.reason;
        row.error = QString::fromUtf8(told.error);
        row.sentAtMs = nowMs - n * 3 * kMinute - 10 * kMinute;
        row.deadAtMs = nowMs - 12 * kSecond - n * n * 9 * kSecond;
        row.changedAtMs = row.deadAtMs;
        rows.append(row);
    }
    return rows;
}

QList<DeliveryRow> sampleDeliveries(qint64 nowMs, int count)
{
    QList<DeliveryRow> rows;
    const DeliveryStatus cycle[] = {
        DeliveryStatus::Delivered, DeliveryStatus::Delivered, DeliveryStatus::Failed, DeliveryStatus::Dead,
        DeliveryStatus::Delivered, DeliveryStatus::Sending,   DeliveryStatus::Held};
    for (int n = 0; n < count; ++n) {
        const auto& told = story(n + n / 7);
        DeliveryRow row;
        row.key = count - n;
        row.id = id(n + 900);
        row.eventId = u"evt_"_s + id(n / 3).left(13);
        row.eventType = n % 2 ? u"order.paid"_s : u"order.shipped"_s;
        row.jobId = id(n / 3);
        row.endpointId = QString::fromUtf8(told.endpoint);
        row.url = u"https://hooks.%1.example/v2/in"_s.arg(row.endpointId);
        row.status = cycle[n % std::size(cycle)];
        row.attempts = row.status == DeliveryStatus::Delivered ? 1 : 1 + n % 4;
        row.spent = row.attempts;
        row.budget = 4;
        row.createdAtMs = nowMs - n * 11 * kSecond;
        row.updatedAtMs = row.createdAtMs + 2 * kSecond;
        if (row.status == DeliveryStatus::Failed)
            row.dueAtMs = nowMs + (7 + n) * kSecond;
        if (row.status == DeliveryStatus::Failed || row.status == DeliveryStatus::Dead)
            row.error = QString::fromUtf8(told.error);
        if (row.status == DeliveryStatus::Dead)
            row.reason = reason::kRetriesUsedUp;
        rows.append(row);
    }
    return rows;
}

StoreCounts sampleCounts(qint64 nowMs)
{
    StoreCounts counts;
    counts.jobs = 9412;
    counts.pending = 1940;
    counts.processing = 41;
    counts.timers = 612;
    counts.timersDueInHour = 584;
    counts.deadLetters = 999;
    counts.deadToday = 118;
    counts.bin = 12;
    counts.deliveries = 31806;
    counts.deliveriesOpen = 214;
    const auto queue = [&](const QString& name, qint64 waiting, qint64 delayed, qint64 inFlight,
                           qint64 dead) {
        QueueStats stats;
        stats.name = name;
        stats.declared = stats.hasConsumer = true;
        stats.waiting = waiting;
        stats.delayed = delayed;
        stats.inFlight = inFlight;
        stats.deadLetters = dead;
        stats.backlogBytes = stats.backlog() * 412;
        stats.retentionMs = 4 * 86'400'000LL;
        stats.consumption.declared = true;
        stats.consumption.maxBatchSize = 10;
        stats.consumption.maxBatchTimeoutMs = 5'000;
        stats.consumption.maxRetries = 3;
        stats.batches = int(inFlight + 9) / 10;
        stats.batchLimit = qMax(1, stats.batches);
        stats.done = quint64(waiting * 40);
        stats.donePerSecond = double(inFlight) * 13.4;
        stats.failedPerSecond = double(inFlight) * 0.4;
        if (waiting > 0)
            stats.oldestWaitingMs = nowMs - waiting * 120;
        return stats;
    };
    counts.queues = {queue(u"jobs"_s, 1328, 584, 30, 706), queue(u"mail"_s, 0, 28, 2, 187),
                     queue(u"files"_s, 410, 0, 9, 106),    queue(u"reports"_s, 62, 0, 0, 0),
                     queue(u"jobs-dead"_s, 999, 0, 0, 0),  queue(u"telemetry"_s, 0, 0, 0, 0)};
    counts.queues[3].paused = true;
    counts.queues[3].pausedBy = u"anna"_s;
    counts.queues[3].pausedAtMs = nowMs - 900'000;
    counts.queues[4].hasConsumer = false;
    return counts;
}

QList<EndpointDetail> sampleEndpoints(qint64 nowMs)
{
    const auto endpoint = [nowMs](const QString& id, EndpointOrigin origin, double success) {
        EndpointDetail detail;
        detail.endpoint.id = id;
        detail.endpoint.origin = origin;
        detail.endpoint.url = u"https://%1.example/webhooks"_s.arg(id);
        detail.endpoint.createdAtMs = nowMs - 40 * 86'400'000LL;
        if (origin != EndpointOrigin::Payload) {
            detail.endpoint.version = 2;
            detail.endpoint.settings = "{\"id\":\"" + id.toUtf8() + "\",\"url\":\"" +
                                       detail.endpoint.url.toUtf8() +
                                       "\",\"events\":[\"order.*\"],\"secret\":[\"PAY_2\",\"PAY_1\"],"
                                       "\"secret_until\":{\"PAY_1\":" +
                                       QByteArray::number(nowMs + 7'200'000) +
                                       "},\"headers\":{\"X-Tenant\":\"***\"},\"max_in_flight\":8,\"rate\":"
                                       "50,\"schedule\":[5,300,1800]}";
            detail.versions = {
                {2, detail.endpoint.settings, nowMs - 86'400'000, u"anna"_s},
                {1, detail.endpoint.settings, detail.endpoint.createdAtMs, u"configuration"_s}};
        }
        for (int i = 0; i < 150; ++i) {
            EndpointSlot quarter;
            quarter.atMs = nowMs - nowMs % kEndpointSlotMs - (170 - i) * kEndpointSlotMs;
            for (int n = 0; n < 20; ++n)
                quarter.figures.count((n * 7 + i * 3) % 100 < success * 100, 1'000 * (8 + n * n));
            detail.slots.append(quarter);
            if (i >= 70)
                detail.endpoint.lastDay.add(quarter.figures);
        }
        return detail;
    };
    QList<EndpointDetail> all{endpoint(u"kestrel-pay"_s, EndpointOrigin::Configuration, 1),
                              endpoint(u"orrin-fleet"_s, EndpointOrigin::Made, 0.93),
                              endpoint(u"acme"_s, EndpointOrigin::Made, 0.4),
                              endpoint(u"northwind"_s, EndpointOrigin::Made, 0.98),
                              endpoint(u"inline-7"_s, EndpointOrigin::Payload, 1),
                              endpoint(u"velo"_s, EndpointOrigin::Made, 0.99)};
    all[0].endpoint.certificateEndsAtMs = nowMs + 61 * 86'400'000LL;
    all[1].endpoint.certificateEndsAtMs = nowMs + 6 * 86'400'000LL;
    all[1].endpoint.waiting = 41;
    all[2].endpoint.disabledAtMs = nowMs - 3'000'000;
    all[2].endpoint.disabledCause = DisabledCause::Gone;
    all[2].endpoint.held = 1'204;
    all[2].endpoint.dead = 17;
    all[3].endpoint.pausedAtMs = nowMs - 600'000;
    all[3].endpoint.changedBy = u"anna"_s;
    all[3].endpoint.held = 88;
    all[5].endpoint.pausedUntilMs = nowMs + 45'000;
    all[5].endpoint.waiting = 3;
    return all;
}

DeliveryMatrix sampleMatrix(qint64 nowMs)
{
    DeliveryMatrix matrix;
    for (const EndpointDetail& endpoint : sampleEndpoints(nowMs))
        matrix.endpoints.append(endpoint.endpoint.id);
    std::sort(matrix.endpoints.begin(), matrix.endpoints.end());
    const QStringList types{u"order.paid"_s, u"order.made"_s, u"user.created"_s, u"invoice.sent"_s};
    for (int row = 0; row < 24; ++row) {
        matrix.events.append({u"event-%1"_s.arg(row), types[row % 4], nowMs - row * 41'000});
        for (int column = 0; column < matrix.endpoints.size(); ++column) {
            MatrixCell cell;
            const int pick = (row * 7 + column * 5) % 11;
            cell.kind = MatrixCell::Kind::Delivery;
            cell.key = 1 + row * 10 + column;
            cell.attempts = 1;
            cell.status = DeliveryStatus::Delivered;
            if (column == 3)
                cell.kind = row % 4 == 0 ? MatrixCell::Kind::Missing : MatrixCell::Kind::NotSubscribed;
            else if (column == 0 && pick < 6)
                cell.status = DeliveryStatus::Held;
            else if (pick == 1)
                cell.status = DeliveryStatus::Dead;
            else if (pick == 2)
                cell.status = DeliveryStatus::Sending;
            else if (pick == 3 || pick == 4) {
                cell.status = DeliveryStatus::Failed;
                cell.dueAtMs = nowMs + pick * 17'000 + row * 1'000;
                cell.error = u"503 Service Unavailable"_s;
            }
            matrix.cells.push_back(cell);
        }
    }
    matrix.moreEvents = true;
    return matrix;
}

JobDetail sampleJobDetail(qint64 nowMs)
{
    JobDetail detail;
    detail.job = sampleJobs(nowMs, 5).back();
    detail.job.createdAtMs = nowMs - 400'000;
    for (int attempt = 4; attempt >= 1; --attempt) {
        JobAttempt one;
        one.attempt = attempt;
        one.startedAtMs = nowMs - 380'000 + attempt * 90'000;
        one.finishedAtMs = one.startedAtMs + 412 + attempt * 90;
        one.outcome = u"failed"_s;
        one.error = u"TLS: certificate expired 29 Nov 23:59 UTC"_s;
        if (attempt < 4)
            one.nextAtMs = one.startedAtMs + 90'000;
        detail.attempts.append(one);
    }
    detail.job.attempts = 4;
    return detail;
}

DeliveryDetail sampleDeliveryDetail(qint64 nowMs)
{
    DeliveryDetail detail;
    detail.delivery = sampleDeliveries(nowMs, 4).back();
    for (int attempt = 4; attempt >= 1; --attempt) {
        DeliveryAttempt one;
        one.attempt = attempt;
        one.kind = attempt == 4 ? u"replay"_s : u"scheduled"_s;
        one.url = detail.delivery.url;
        one.startedAtMs = nowMs - 380'000 + attempt * 90'000;
        one.finishedAtMs = one.startedAtMs + 412;
        one.outcome = u"failed"_s;
        one.outcomeClass = attempt % 2 ? u"answered"_s : u"not_sent"_s;
        one.error = attempt % 2 ? u"503 Service Unavailable"_s : u"TLS: certificate has expired"_s;
        if (attempt % 2)
            one.statusCode = 503;
        one.peer = u"203.0.113.24:443"_s;
        one.dnsUs = 3'000;
        one.connectUs = 21'000;
        one.tlsUs = attempt % 2 ? 44'000 : 0;
        one.firstByteUs = attempt % 2 ? 310'000 : 0;
        one.totalUs = 412'000 + attempt * 20'000;
        one.requestHeaders = u"content-type: application/json\nwebhook-id: evt_01a22cd3"_s;
        one.responseHeaders =
            attempt % 2 ? u"HTTP/1.1 503 Service Unavailable\nretry-after: 30"_s : QString();
        one.responseBody = attempt % 2 ? "{\"error\":\"upstream draining\"}" : "";
        detail.attempts.append(one);
    }
    detail.body =
        R"({"event":"order.paid","data":{"orderId":9007199254740993,"total":"1284.50"},"timestamp":1900000000000})";
    return detail;
}

QList<TokenRow> sampleTokens(qint64 nowMs)
{
    TokenRow billing;
    billing.no = 1;
    billing.name = u"billing"_s;
    billing.createdAtMs = nowMs - 40 * 86'400'000LL;
    billing.createdBy = u"anna"_s;
    billing.lastUsedAtMs = nowMs - 240'000;
    TokenRow shop = billing;
    shop.no = 2;
    shop.name = u"shop"_s;
    shop.ratePerSecond = 50;
    shop.oldSecretUntilMs = nowMs + 72'000'000;
    TokenRow old = billing;
    old.no = 3;
    old.name = u"former-ci"_s;
    old.revokedAtMs = nowMs - 86'400'000;
    return {billing, shop, old};
}

QList<InstanceInfo> sampleInstances(qint64 nowMs)
{
    InstanceInfo own;
    own.no = 14;
    own.host = u"jobs-1.example"_s;
    own.pid = 4'211;
    own.version = u"0.9.0"_s;
    own.startedAtMs = nowMs - 8'100'000;
    own.leaseLeftMs = 28'000;
    own.jobsRunning = 12;
    own.deliveriesRunning = 3;
    own.own = true;
    InstanceInfo gone = own;
    gone.no = 13;
    gone.pid = 990;
    gone.host = u"jobs-2.example"_s;
    gone.leaseLeftMs = 0;
    gone.jobsRunning = 2;
    gone.own = false;
    InstanceInfo ended = gone;
    ended.no = 12;
    ended.leaseLeftMs.reset();
    ended.endedAtMs = nowMs - 7'200'000;
    ended.jobsRunning = ended.deliveriesRunning = 0;
    return {own, gone, ended};
}

QList<TelemetryRow> sampleTelemetry(qint64 nowMs, int count)
{
    const QStringList tenants{u"acme"_s, u"northwind"_s, u"kestrel-pay"_s, u"system"_s};
    QList<TelemetryRow> rows;
    for (int i = 0; i < count; ++i) {
        TelemetryRow row;
        row.key = count - i;
        row.id = u"01a22cd3-9b11-7c3e-a4f0-%1"_s.arg(count - i, 12, 16, QChar(u'0'));
        row.tenantId = tenants[i % 7 % 4];
        row.source = i % 3 == 0 ? u"audit"_s : u"metric"_s;
        row.payload =
            i % 3 == 0
                ? u"{\n  \"source\": \"audit\",\n  \"tenantId\": \"%1\",\n  \"action\": "
                  u"\"invoice.approved\",\n"
                  "  \"user\": {\"id\": %2, \"role\": \"owner\"}\n}"_s.arg(row.tenantId)
                      .arg(40 + i)
                : u"{\"source\":\"metric\",\"tenantId\":\"%1\",\"name\":\"http.latency_ms\",\"value\":%2}"_s
                      .arg(row.tenantId)
                      .arg(12 + i * 7 % 90);
        row.payloadBytes = row.payload.size();
        row.createdAtMs = nowMs - i * 1'730;
        rows.append(row);
    }
    return rows;
}

TelemetryMinutes sampleMinutes(qint64 nowMs)
{
    TelemetryMinutes counted;
    counted.toMs = nowMs - nowMs % kMsOfMinute + kMsOfMinute;
    counted.fromMs = counted.toMs - 60 * kMsOfMinute;
    counted.tenants = {u"acme"_s, u"northwind"_s, u"kestrel-pay"_s, u"system"_s};
    counted.sources = {u"audit"_s, u"metric"_s};
    for (int i = 0; i < 60; ++i)
        for (int tenant = 0; tenant < 4; ++tenant)
            for (int source = 0; source < 2; ++source) {
                const qint64 rows = (40 + (i * 37 + tenant * 11) % 29) * (source == 0 ? 1 : 3) / (tenant + 1);
                counted.minutes.append({counted.fromMs + i * kMsOfMinute, counted.tenants[tenant],
                                        counted.sources[source], rows});
                counted.rows += rows;
            }
    return counted;
}

void fillWithSamples(FakeEngine& engine, qint64 nowMs)
{
    engine.setTelemetry(sampleTelemetry(nowMs, 300));
    engine.setTelemetryMinutes(sampleMinutes(nowMs));
    engine.setTokens(sampleTokens(nowMs));
    engine.setInstances(sampleInstances(nowMs));
    engine.setEndpoints(sampleEndpoints(nowMs));
    engine.setActivity(sampleActivity(nowMs));
    engine.setActivityDetail(sampleActivityDetail(nowMs));
    engine.setAlertTargets(sampleAlertTargets(nowMs));
    engine.setMatrix(sampleMatrix(nowMs));
    EngineFacts facts;
    facts.configurationFile = u"/srv/app/wrangler.toml"_s;
    facts.settingsFile = facts.configurationFile;
    facts.environment = u"staging"_s;
    facts.telemetryQueue = u"telemetry"_s;
    for (const char* key : {"jobs", "letters", "bin", "deliveries", "bodies", "telemetry", "audit"})
        facts.retention.append({QString::fromLatin1(key), 7 * 86'400'000LL, {}});
    facts.retention.last() = {u"audit"_s, 365 * 86'400'000LL, u"wrangler.toml:31:1"_s};
    facts.archive = sampleArchiveFacts();
    engine.setArchive(sampleArchive(nowMs));
    engine.setFacts(facts);
    engine.setJobs(sampleJobs(nowMs, 400));
    engine.setTimers(sampleTimers(nowMs, 80));
    engine.setLetters(ListKind::DeadLetters, sampleLetters(nowMs, 120));
    auto binned = sampleLetters(nowMs, 12);
    for (auto& letter : binned) {
        letter.key += 10'000;
        letter.state = LetterState::Discarded;
    }
    engine.setLetters(ListKind::Bin, binned);
    engine.setDeliveries(sampleDeliveries(nowMs, 300));
    engine.setCounts(sampleCounts(nowMs));
    engine.setJobDetail(sampleJobDetail(nowMs));
    engine.setDeliveryDetail(sampleDeliveryDetail(nowMs));
    LetterDetail letter;
    letter.letter = sampleLetters(nowMs, 120).front();
    letter.job = sampleJobDetail(nowMs);
    engine.setLetterDetail(letter);
    engine.setPayload(
        R"({"eventType":"order.paid","eventData":{"orderId":9007199254740993,"total":"1284.50",)"
        R"("currency":"EUR","customer":"cus_7Qm2Xe"},"endpoints":[{"id":"kestrel-pay",)"
        R"("url":"https://hooks.kestrel-pay.io/v2/in"}]})");
    EngineHealth health;
    health.running = true;
    health.workers = 4;
    health.rates.donePerSecond = 412;
    health.rates.acceptedPerSecond = 398;
    engine.setHealth(health);
}

} // namespace redrive::test
