#include "core/engine/list_export.h"

#include "core/db/migrator.h"
#include "core/domain/row_fields.h"
#include "core/engine/detail_reading.h"
#include "core/store/list_store.h"
#include "core/store/telemetry_read_store.h"

#include <QDir>
#include <QFileInfo>
#include <QSaveFile>

namespace redrive {

namespace {

tl::unexpected<Error> notWritten(const QSaveFile& file)
{
    return fail(ErrorKind::Internal,
                u"The export could not be written: %1, on %2. No file was left behind."_s.arg(
                    file.errorString(), QFileInfo(file.fileName()).absolutePath()));
}

class RowWriter
{
public:
    RowWriter(QSaveFile& file, ExportForm form) : m_file(file), m_form(form) {}

    Status write(const ListRows& rows)
    {
        return std::visit(
            [this](const auto& list) -> Status {
                for (const auto& row : list)
                    REDRIVE_TRY(write(fieldsOf(row)));
                return {};
            },
            rows);
    }
    qint64 rows() const { return m_rows; }

private:
    Status write(const QList<RowField>& fields)
    {
        QByteArray line;
        if (m_form == ExportForm::JsonLines) {
            line = jsonLineOf(fields) + '\n';
        } else {
            if (m_rows == 0)
                line = csvTitlesOf(fields);
            line += csvLineOf(fields);
        }
        ++m_rows;
        if (m_file.write(line) != line.size())
            return notWritten(m_file);
        return {};
    }

    QSaveFile& m_file;
    const ExportForm m_form;
    qint64 m_rows = 0;
};

// With whole payloads, and so few rows in memory at once.
Status writeWhole(Connection& db, const std::vector<qint64>& keys, RowWriter& writer,
                  const std::atomic<bool>& stop)
{
    constexpr std::size_t kAtOnce = telemetry_read_store::kWholeAtOnce;
    for (std::size_t from = 0; from < keys.size() && !stop; from += kAtOnce) {
        const auto begin = keys.begin() + std::ptrdiff_t(from);
        const auto end = keys.begin() + std::ptrdiff_t(std::min(keys.size(), from + kAtOnce));
        REDRIVE_ASSIGN(rows, telemetry_read_store::wholeRows(db, {begin, end}));
        REDRIVE_TRY(writer.write(rows));
    }
    return {};
}

} // namespace

Result<ExportDone> exportList(Connection& db, const ExportRequest& request, const QueueAttempts& attempts,
                              qint64 nowMs, const std::atomic<bool>& stop)
{
    REDRIVE_ASSIGN(cursor, ListCursor::open(request.list, nowMs));
    QSaveFile file(request.path);
    if (!file.open(QIODevice::WriteOnly))
        return notWritten(file);
    RowWriter writer(file, request.form);
    ExportDone done;
    for (bool last = false; !last;) {
        if (stop)
            return fail(ErrorKind::Cancelled, u"the export was stopped"_s);
        REDRIVE_ASSIGN(slice, cursor->next(db));
        if (request.list.kind == ListKind::Telemetry) {
            REDRIVE_TRY(writeWhole(db, slice.keys, writer, stop));
        } else {
            REDRIVE_ASSIGN(rows, readRows(db, request.list.kind, slice.keys, attempts));
            REDRIVE_TRY(writer.write(rows));
        }
        done.cut = done.cut || slice.cut;
        last = slice.last;
    }
    done.rows = writer.rows();
    if (!file.commit())
        return notWritten(file);
    return done;
}

ListExporter::ListExporter(Clock& clock, DatabaseTarget target, QueueAttempts attempts)
    : m_clock(clock), m_target(std::move(target)), m_attempts(std::move(attempts))
{
}

void ListExporter::start(ExportRequest request, Reply<ExportDone> reply)
{
    std::lock_guard lock(m_mutex);
    if (m_stop || m_running.exchange(true)) {
        reply(
            fail(ErrorKind::Refused, m_stop ? u"the engine is stopping"_s : u"another export is running"_s));
        return;
    }
    if (m_thread.joinable())
        m_thread.join(); // it has answered
    m_thread = std::thread([this, request = std::move(request), reply = std::move(reply)] {
        const auto run = [&]() -> Result<ExportDone> {
            REDRIVE_ASSIGN(db, openStore(m_target, Access::Reader));
            return exportList(*db, request, m_attempts, m_clock.wallMs(), m_stop);
        };
        auto done = run();
        m_running = false;
        reply(std::move(done));
    });
}

void ListExporter::stop()
{
    m_stop = true;
    std::lock_guard lock(m_mutex);
    if (m_thread.joinable())
        m_thread.join();
}

} // namespace redrive
