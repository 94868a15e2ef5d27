#include "core/jobs/process_file_handler.h"

#include "core/base/json_text.h"
#include "core/domain/reason.h"
#include "core/jobs/beneath_open.h"
#include "core/jobs/command_handler.h"
#include "core/jobs/file_facts.h"
#include "core/jobs/program_lookup.h"

#include <QElapsedTimer>
#include <QJsonDocument>

namespace redrive {

namespace {

HandlerOutcome failed(HandlerResult result, const QString& error)
{
    HandlerOutcome outcome;
    outcome.result = result;
    outcome.error = error;
    if (result == HandlerResult::Permanent)
        outcome.reason = reason::kRefusedPayload;
    return outcome;
}

QByteArray resultText(const QString& path, const FileFacts& facts)
{
    QByteArray out = "{\"path\":";
    appendJsonString(out, QStringView(path));
    out +=
        ",\"size\":" + QByteArray::number(facts.size) + ",\"sha256\":\"" + facts.sha256 + "\",\"mimeType\":";
    appendJsonString(out, QStringView(facts.mimeType));
    return out + '}';
}

} // namespace

ProcessFileHandler::ProcessFileHandler(const Settings& settings) : m_roots(settings.processFileRoots)
{
    const HandlerSettings own = settings.handlers.value(u"process_file"_s);
    m_timeLimitMs = own.timeoutMs.value_or(kDefaultTimeLimitMs);
    m_concurrency = own.concurrency.value_or(0);
    for (auto command = settings.commands.cbegin(); command != settings.commands.cend(); ++command) {
        Program program;
        program.arguments = command->mid(1);
        const Result<QString> found = lookUpProgram(command->value(0));
        if (found)
            program.path = *found;
        else
            program.problem = found.error().text();
        m_programs.insert(command.key(), program);
    }
}

HandlerOutcome ProcessFileHandler::run(const ClaimedJob& job, const StopSignal& stop)
{
    if (m_roots.isEmpty())
        return failed(HandlerResult::Permanent,
                      u"no folder is allowed: redrive.process_file.roots is empty"_s);
    const QJsonObject payload = QJsonDocument::fromJson(job.payload).object();
    if (!payload.value(u"path"_s).isString())
        return failed(HandlerResult::Permanent, u"the payload needs a \"path\""_s);
    const QString path = payload.value(u"path"_s).toString();
    const QJsonValue command = payload.value(u"command"_s);
    const bool hasCommand = !command.isUndefined() && !command.isNull();
    if (hasCommand && !m_programs.contains(command.toString()))
        return failed(HandlerResult::Permanent,
                      u"redrive.commands has no \"%1\""_s.arg(command.toString().left(200)));
    const auto opened = openBeneath(m_roots, path);
    if (!opened)
        return failed(opened.error().kind == ErrorKind::Refused ? HandlerResult::Permanent
                                                                : HandlerResult::Transient,
                      opened.error().text());
    return hasCommand
               ? runProgram(job, m_programs.value(command.toString()), opened->file.get(), opened->path, stop)
               : describe(opened->file.get(), path, stop);
}

HandlerOutcome ProcessFileHandler::describe(int file, const QString& path, const StopSignal& stop) const
{
    QElapsedTimer timer;
    timer.start();
    const auto inTime = [&] { return m_timeLimitMs <= 0 || timer.elapsed() < m_timeLimitMs; };
    const auto facts = readFileFacts(file, [&] { return !stop.requested && inTime(); });
    if (facts) {
        HandlerOutcome done;
        done.content = resultText(path, *facts);
        return done;
    }
    if (facts.error().kind != ErrorKind::Cancelled)
        return failed(HandlerResult::Transient, facts.error().text());
    if (inTime())
        return failed(HandlerResult::Cancelled, u"stopped"_s);
    return failed(HandlerResult::TimedOut,
                  u"time limit of %1 s reached"_s.arg(double(m_timeLimitMs) / 1000.0));
}

HandlerOutcome ProcessFileHandler::runProgram(const ClaimedJob& job, const Program& program, int file,
                                              const QString& path, const StopSignal& stop) const
{
    if (program.path.isEmpty())
        return failed(HandlerResult::Transient, program.problem);
    ProcessRequest request;
    request.program = program.path;
    request.arguments = program.arguments + QStringList{u"--"_s, path};
    request.inputFile = file;
    request.environment = jobEnvironment(job);
    request.timeoutMs = m_timeLimitMs;
    return outcomeOf(runProcess(request, stop), m_timeLimitMs);
}

} // namespace redrive
