#include "core/engine/letter_importer.h"

#include "core/base/log.h"
#include "core/db/migrator.h"

#include <QFile>

namespace redrive {

namespace {

constexpr qsizetype kTargetCharacters = 500;

Error stopped()
{
    return {ErrorKind::Refused, u"the engine is stopping"_s, u"stopping"_s, {}};
}

QString faultOf(const Error& error)
{
    const bool isOfFile = error.kind == ErrorKind::InvalidInput || error.kind == ErrorKind::Internal;
    return isOfFile ? u"the file "_s + error.text() : error.text();
}

} // namespace

struct LetterImporter::Run
{
    const ImportRequest& request;
    const OnProgress& onProgress;
    std::function<bool()> goOn;
    qint64 toldAtMs = 0; // steady
    ImportProgress progress = {};

    void tell(const ImportCounts& counts, const QFile& file)
    {
        progress.counts = counts;
        progress.bytesRead = file.pos();
        onProgress(progress);
    }
};

LetterImporter::LetterImporter(Clock& clock, DatabaseTarget database)
    : m_clock(clock), m_database(std::move(database)), m_loop(clock)
{
}

void LetterImporter::start(StoreTurn turn)
{
    m_turn = std::move(turn);
    m_loop.start("import", [] { return std::optional<qint64>(); });
    m_started = true;
}

void LetterImporter::stop()
{
    m_stopping = true;
    m_loop.stop();
}

void LetterImporter::import(ImportRequest request, OnProgress onProgress)
{
    const bool posted = m_started && !m_stopping &&
                        m_loop.post([this, request = std::move(request), onProgress,
                                     before = m_cancelled.load()] { perform(request, before, onProgress); });
    if (!posted)
        onProgress(fail(stopped()));
}

void LetterImporter::perform(const ImportRequest& request, quint64 cancelledBefore,
                             const OnProgress& onProgress)
{
    Run run{request, onProgress, [&] { return !m_stopping && m_cancelled == cancelledBefore; },
            m_clock.steadyMs()};
    const Status done = read(run);
    if (!done) {
        onProgress(fail(done.error()));
        return;
    }
    run.progress.isLast = true;
    onProgress(run.progress);
}

Status LetterImporter::read(Run& run)
{
    QFile file(run.request.path);
    if (!file.open(QIODevice::ReadOnly))
        return fail(ErrorKind::NotFound, u"%1 cannot be read"_s.arg(run.request.path), file.errorString());
    REDRIVE_ASSIGN(reader, openStore(m_database, Access::Reader));
    ImportProgress& progress = run.progress;
    progress.bytes = file.size();
    LetterImport import(*reader, run.request.previews ? StoreTurn() : m_turn,
                        [&progress](const QString&, qint64 line, const QString& why) {
                            if (progress.badLines.size() < ImportProgress::kBadLinesNamed)
                                progress.badLines.append({line, why});
                        });
    import.setGoOn([&] {
        if (m_clock.steadyMs() - run.toldAtMs >= kProgressMs) {
            run.toldAtMs = m_clock.steadyMs();
    run.tell(import.counts(), file);
}
return run.goOn();
} // namespace redrive
);
const Status done = import.read(file, run.request.path);
progress.counts = import.counts();
progress.bytesRead = file.pos();
progress.wasStopped = !done && done.error().kind == ErrorKind::Cancelled;
if (!done && !progress.wasStopped)
    progress.fault = faultOf(done.error());
if (run.request.previews || progress.counts.brought + progress.counts.there == 0)
    return {};
AuditEntry entry{run.request.actor, run.request.source, {}, run.request.path, 0, 0, run.request.reason, {}};
entry.target.truncate(kTargetCharacters);
if (!done)
    entry.result = progress.wasStopped ? u"stopped"_s : u"ended: "_s + progress.fault;
if (const Status recorded = import.record(entry); !recorded)
    logEvent(LogLevel::Warning, "import_not_recorded", {{"error", recorded.error().text()}});
return {};
}

} // namespace redrive
