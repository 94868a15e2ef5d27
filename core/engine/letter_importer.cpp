#include "core/engine/letter_importer.h"

#include "core/base/log.h"
#include "core/base/stopping.h"
#include "core/db/migrator.h"

#include <QFile>

namespace redrive {

namespace {

constexpr qsizetype kTargetCharacters = 500;

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

    void see(const LetterImport& letters, const QFile& file)
    {
        progress.counts = letters.counts();
        progress.bytesRead = file.pos();
    }
    void addBadLine(qint64 line, const QString& why)
    {
        if (progress.badLines.size() < ImportProgress::kBadLinesNamed)
            progress.badLines.append({line, why});
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
        onProgress(fail(engineIsStopping()));
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
    const ImportRequest& request = run.request;
    ImportProgress& progress = run.progress;
    QFile file(request.path);
    if (!file.open(QIODevice::ReadOnly))
        return fail(ErrorKind::NotFound, u"%1 cannot be read"_s.arg(request.path), file.errorString());
    REDRIVE_ASSIGN(reader, openStore(m_database, Access::Reader));
    progress.bytes = file.size();
    const auto addBadLine = [&run](const QString&, qint64 line, const QString& why) {
        run.addBadLine(line, why);
    };
    LetterImport letters(*reader, request.previews ? StoreTurn() : m_turn, addBadLine);
    const auto goOn = [&]() -> bool {
        tellNow(run, letters, file);
        return run.goOn();
    };
    letters.setGoOn(goOn);
    const Status done = letters.read(file, request.path);
    run.see(letters, file);
    progress.wasStopped = !done && done.error().kind == ErrorKind::Cancelled;
    if (!done && !progress.wasStopped)
        progress.fault = faultOf(done.error());
    if (!request.previews && progress.counts.brought + progress.counts.there > 0)
        record(letters, request, progress);
    return {};
}

void LetterImporter::tellNow(Run& run, const LetterImport& letters, const QFile& file)
{
    const qint64 nowMs = m_clock.steadyMs();
    if (nowMs - run.toldAtMs < kProgressMs)
        return;
    run.toldAtMs = nowMs;
    run.see(letters, file);
    run.onProgress(run.progress);
}

void LetterImporter::record(LetterImport& letters, const ImportRequest& request,
                            const ImportProgress& progress)
{
    AuditEntry entry{request.actor, request.source, {}, request.path, 0, 0, request.reason, {}};
    entry.target.truncate(kTargetCharacters);
    if (progress.wasStopped)
        entry.result = u"stopped"_s;
    else if (!progress.fault.isEmpty())
        entry.result = u"ended: "_s + progress.fault;
    if (const Status recorded = letters.record(entry); !recorded)
        logEvent(LogLevel::Warning, "import_not_recorded", {{"error", recorded.error().text()}});
}

} // namespace redrive
