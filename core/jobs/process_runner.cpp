#include "core/jobs/process_runner.h"

#include "core/jobs/handler.h"
#include "core/jobs/process_spawn.h"
#include "core/jobs/work_folder.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace redrive {

namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;
using Time = steady_clock::time_point;

constexpr qsizetype keptOutput = 64 * 1024;
constexpr milliseconds killAfterTerm{500};
constexpr milliseconds pipesAfterExit{200};
constexpr milliseconds lookAround{100}; // where a descriptor to wait for is missing

// One of the program's two outputs.
class OutputPipe final
{
public:
    OutputPipe(FileDescriptor pipe, QByteArray& kept, bool& cut)
        : m_pipe(std::move(pipe)), m_kept(kept), m_cut(cut)
    {
    }

    bool isOpen() const { return m_pipe.isOpen(); }
    int descriptor() const { return m_pipe.get(); }

    // Reads what is there, at most 1 MiB at a time, so that a flood holds up neither clock nor the other
    // pipe.
    void drain()
    {
        char buffer[65'536];
        for (int i = 0; i < 16 && isOpen(); ++i) {
            const ssize_t count = read(m_pipe.get(), buffer, sizeof buffer);
            if (count > 0)
                keep(QByteArrayView(buffer, count));
            else if (count < 0 && errno == EINTR)
                continue;
            else if (count < 0 && errno == EAGAIN)
                return;
            else
                m_pipe.reset();
        }
    }

private:
    void keep(QByteArrayView part)
    {
        const qsizetype room = keptOutput - m_kept.size();
        m_kept.append(part.first(std::min(room, part.size())));
        m_cut = m_cut || part.size() > room;
    }

    FileDescriptor m_pipe;
    QByteArray& m_kept;
    bool& m_cut;
};

class RunningProcess final
{
public:
    RunningProcess(SpawnedProcess process, const ProcessRequest& request, const StopSignal& stop)
        : m_pid(process.pid), m_exit(std::move(process.exit)), m_stop(stop),
          m_output(std::move(process.output), m_outcome.output, m_outcome.outputCut),
          m_errors(std::move(process.errors), m_outcome.errors, m_outcome.errorsCut)
    {
        if (request.timeoutMs > 0)
            m_timeout = m_started + milliseconds(request.timeoutMs);
    }
    RunningProcess(const RunningProcess&) = delete;
    RunningProcess& operator=(const RunningProcess&) = delete;

    ProcessOutcome run()
    {
        while (!hasEnded()) {
            waitForSomething(nextDeadline());
            m_output.drain();
            m_errors.drain();
            stopWhereDue();
        }
        collectRest();
        // The ended program still holds its process id: the group's number cannot be another's yet.
        kill(-m_pid, SIGKILL);
        reap();
        m_outcome.durationMs =
            std::chrono::duration_cast<milliseconds>(steady_clock::now() - m_started).count();
        return std::move(m_outcome);
    }

private:
    bool hasEnded() const
    {
        siginfo_t info{};
        return waitid(P_PID, id_t(m_pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == m_pid;
    }

    Time nextDeadline() const
    {
        const bool blind = !m_exit.isOpen() || !m_stopSeen;
        const Time soon = blind || m_killed ? steady_clock::now() + lookAround : Time::max();
        if (m_killed)
            return soon;
        return std::min(soon, m_killAt.value_or(m_timeout));
    }

    void waitForSomething(Time until) const
    {
        // Negative descriptors are left out by poll().
        pollfd polled[] = {{m_output.descriptor(), POLLIN, 0},
                           {m_errors.descriptor(), POLLIN, 0},
                           {m_exit.get(), POLLIN, 0}};
        int timeout = -1;
        if (until != Time::max()) {
            const auto left = std::chrono::ceil<milliseconds>(until - steady_clock::now()).count();
            timeout = int(std::clamp<qint64>(left, 0, 60'000));
        }
        poll(polled, std::size(polled), timeout);
    }

    void stopWhereDue()
    {
        const Time now = steady_clock::now();
        if (m_killAt) {
            if (now >= *m_killAt && !m_killed) {
                kill(-m_pid, SIGKILL);
                m_killed = true;
            }
            return;
        }
        if (m_stop.requested)
            askToStop(ProcessOutcome::End::Cancelled, now);
        else if (now >= m_timeout)
            askToStop(ProcessOutcome::End::TimedOut, now);
    }

    void askToStop(ProcessOutcome::End end, Time now)
    {
        m_outcome.end = end;
        m_stopSeen = true;
        m_killAt = now + killAfterTerm;
        kill(-m_pid, SIGTERM);
    }

    // What the program wrote before it ended is in the pipes; others of its group may hold them open for
    // ever.
    void collectRest()
    {
        const Time until = steady_clock::now() + pipesAfterExit;
        m_output.drain();
        m_errors.drain();
        while ((m_output.isOpen() || m_errors.isOpen()) && steady_clock::now() < until && !m_stopSeen) {
            pollfd polled[] = {{m_output.descriptor(), POLLIN, 0}, {m_errors.descriptor(), POLLIN, 0}};
            const auto left = std::chrono::ceil<milliseconds>(until - steady_clock::now()).count();
            poll(polled, std::size(polled), int(std::max<qint64>(0, left)));
            m_output.drain();
            m_errors.drain();
        }
    }

    void reap()
    {
        siginfo_t info{};
        while (waitid(P_PID, id_t(m_pid), &info, WEXITED) != 0 && errno == EINTR) {
        }
        if (m_stopSeen)
            return;
        if (info.si_code == CLD_EXITED) {
            m_outcome.exitCode = info.si_status;
        } else {
            m_outcome.end = ProcessOutcome::End::Signalled;
            m_outcome.signal = info.si_status;
        }
    }

    const pid_t m_pid;
    const FileDescriptor m_exit;
    const StopSignal& m_stop;
    const Time m_started = steady_clock::now();
    Time m_timeout = Time::max();
    std::optional<Time> m_killAt; // set once asked to stop
    bool m_stopSeen = false;
    bool m_killed = false;
    ProcessOutcome m_outcome;
    OutputPipe m_output; // write into m_outcome
    OutputPipe m_errors;
};

} // namespace

Result<ProcessOutcome> runProcess(const ProcessRequest& request, const StopSignal& stop)
{
    REDRIVE_ASSIGN(folder, WorkFolder::make());
    REDRIVE_ASSIGN(process, spawnProcess(request, folder.path()));
    ProcessOutcome outcome = RunningProcess(std::move(process), request, stop).run();
    if (outcome.end == ProcessOutcome::End::TimedOut || outcome.end == ProcessOutcome::End::Cancelled)
        folder.killProcesses();
    return outcome;
}

} // namespace redrive
