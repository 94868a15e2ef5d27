#include "tests/bench/direct_writer.h"

#include "core/base/ids.h"
#include "core/engine/lone_turn.h"
#include "core/intake/token_book.h"
#include "core/store/telemetry_store.h"
#include "core/telemetry/telemetry_event.h"

namespace redrive::bench {

DirectWriter::DirectWriter(const QString& databasePath, const QByteArray& token)
    : m_path(databasePath), m_http(m_clock, *this)
{
    HttpOptions options;
    options.listen = u"127.0.0.1:0"_s;
    options.tokens = std::make_shared<TokenBook>();
    options.tokens->replace({{bearerTokenHash(token), 1, {}, {}}}, true);
    if (const Status started = m_http.start(options); !started)
        qFatal("%s", qPrintable(started.error().text()));
    m_writer = std::thread([this] { write(); });
}

DirectWriter::~DirectWriter()
{
    {
        std::lock_guard lock(m_mutex);
        m_ending = true;
        m_changed.notify_all();
    }
    m_writer.join();
    m_http.stop();
}

void DirectWriter::ingest(IngestRequest request, std::function<void(Result<IngestReply>)> reply)
{
    std::lock_guard lock(m_mutex);
    m_waiting.push_back({request.events.first(), std::move(reply)});
    m_changed.notify_all();
}

void DirectWriter::write()
{
    auto db = Connection::open({m_path}, Access::Writer);
    if (!db)
        qFatal("%s", qPrintable(db.error().text()));
    for (;;) {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [this] { return m_ending || !m_waiting.empty(); });
        if (m_waiting.empty())
            return;
        const Waiting next = std::move(m_waiting.front());
        m_waiting.pop_front();
        lock.unlock();
        const QString id = newId(m_clock.wallMs());
        const Status written = runLoneTurn(**db, m_clock, [&](Cycle& cycle) -> Status {
            REDRIVE_ASSIGN(row, telemetryRow(id, next.event, cycle.nowMs));
            REDRIVE_TRY(telemetry_store::insert(cycle, row));
            return {};
        });
        next.reply(written ? Result<IngestReply>(IngestReply{{id}, false}) : fail(written.error()));
    }
}

void DirectWriter::enqueue(EnqueueRequest, std::function<void(Result<EnqueueReply>)> reply)
{
    reply(fail(ErrorKind::Refused, u"events only"_s));
}

void DirectWriter::job(QString, std::function<void(Result<QByteArray>)> reply)
{
    reply(fail(ErrorKind::NotFound, u"events only"_s));
}

void DirectWriter::metrics(std::function<void(Result<QByteArray>)> reply)
{
    reply(QByteArray());
}

void DirectWriter::health(std::function<void(Health)> reply)
{
    reply(Health{});
}

} // namespace redrive::bench
