#include "core/jobs/process_spawn.h"

#include "core/jobs/work_folder.h"

#include <QFile>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

namespace redrive {

namespace {

tl::unexpected<Error> failSystem(const QString& what, int error)
{
    const ErrorKind kind = error == ENOENT ? ErrorKind::NotFound : ErrorKind::Internal;
    return fail(kind, what, QString::fromLocal8Bit(std::strerror(error)));
}

// Strings for exec(), with the pointers it wants.
class CStrings final
{
public:
    void add(QByteArray text) { m_texts.push_back(std::move(text)); }
    char** pointers()
    {
        m_pointers.clear();
        for (QByteArray& text : m_texts)
            m_pointers.push_back(text.data());
        m_pointers.push_back(nullptr);
        return m_pointers.data();
    }

private:
    std::vector<QByteArray> m_texts;
    std::vector<char*> m_pointers;
};

Status checkTexts(const ProcessRequest& request)
{
    if (!request.program.startsWith(u'/'))
        return fail(ErrorKind::InvalidInput, u"the program's path must be absolute"_s);
    QStringList texts = request.arguments + QStringList{request.program};
    for (auto it = request.environment.begin(); it != request.environment.end(); ++it) {
        if (it.key().isEmpty() || it.key().contains(u'='))
            return fail(ErrorKind::InvalidInput, u"'%1' cannot be an environment variable"_s.arg(it.key()));
        texts << it.key() << it.value();
    }
    for (const QString& text : texts) {
        if (text.contains(QChar(0)))
            return fail(ErrorKind::InvalidInput, u"a program's arguments cannot hold NUL characters"_s);
    }
    return {};
}

CStrings argumentsOf(const ProcessRequest& request)
{
    CStrings strings;
    strings.add(QFile::encodeName(request.program));
    for (const QString& argument : request.arguments)
        strings.add(argument.toUtf8());
    return strings;
}

CStrings environmentOf(const ProcessRequest& request, const QString& workingFolder)
{
    QMap<QString, QString> variables = request.environment;
    if (!variables.contains(u"PATH"_s))
        variables[u"PATH"_s] = qEnvironmentVariable("PATH", u"/usr/local/bin:/usr/bin:/bin"_s);
    if (!variables.contains(u"LANG"_s))
        variables[u"LANG"_s] = qEnvironmentVariable("LANG", u"C.UTF-8"_s);
    variables[QString::fromLatin1(WorkFolder::kVariable)] = workingFolder;
    CStrings strings;
    for (auto it = variables.begin(); it != variables.end(); ++it)
        strings.add(it.key().toUtf8() + '=' + it.value().toUtf8());
    return strings;
}

// The input as a file in memory: a program that reads it late, partly or never holds nobody up.
Result<FileDescriptor> inputFile(const QByteArray& input)
{
    FileDescriptor file(memfd_create("input", MFD_CLOEXEC));
    if (!file.isOpen())
        return failSystem(u"the program's input could not be prepared"_s, errno);
    qsizetype done = 0;
    while (done < input.size()) {
        const ssize_t count = write(file.get(), input.constData() + done, size_t(input.size() - done));
        if (count < 0 && errno != EINTR)
            return failSystem(u"the program's input could not be prepared"_s, errno);
        done += std::max<ssize_t>(0, count);
    }
    lseek(file.get(), 0, SEEK_SET);
    return file;
}

struct Pipe
{
    FileDescriptor reading; // non-blocking
    FileDescriptor writing;
};

Result<Pipe> makePipe()
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return failSystem(u"no pipe for the program's output"_s, errno);
    Pipe pipe{FileDescriptor(ends[0]), FileDescriptor(ends[1])};
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    return pipe;
}

struct SpawnSettings
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;

    SpawnSettings()
    {
        posix_spawn_file_actions_init(&actions);
        posix_spawnattr_init(&attributes);
    }
    ~SpawnSettings()
    {
        posix_spawn_file_actions_destroy(&actions);
        posix_spawnattr_destroy(&attributes);
    }
    SpawnSettings(const SpawnSettings&) = delete;
    SpawnSettings& operator=(const SpawnSettings&) = delete;

    void inheritOnly(int input, int output, int errors)
    {
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
        posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
    }
    void ownSessionAndDefaultSignals()
    {
        sigset_t none;
        sigset_t all;
        sigemptyset(&none);
        sigfillset(&all);
        posix_spawnattr_setsigmask(&attributes, &none);
        posix_spawnattr_setsigdefault(&attributes, &all);
        posix_spawnattr_setflags(&attributes,
                                 POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    }
};

} // namespace

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept
{
    reset();
    m_descriptor = std::exchange(other.m_descriptor, -1);
    return *this;
}

void FileDescriptor::reset()
{
    if (isOpen())
        close(std::exchange(m_descriptor, -1));
}

Result<SpawnedProcess> spawnProcess(const ProcessRequest& request, const QString& workingFolder)
{
    REDRIVE_TRY(checkTexts(request));
    FileDescriptor memory;
    if (request.inputFile < 0) {
        REDRIVE_ASSIGN(file, inputFile(request.input));
        memory = std::move(file);
    }
    const int input = request.inputFile < 0 ? memory.get() : request.inputFile;
    REDRIVE_ASSIGN(output, makePipe());
    REDRIVE_ASSIGN(errors, makePipe());
    CStrings arguments = argumentsOf(request);
    CStrings environment = environmentOf(request, workingFolder);

    SpawnSettings settings;
    settings.ownSessionAndDefaultSignals();
    settings.inheritOnly(input, output.writing.get(), errors.writing.get());
    posix_spawn_file_actions_addchdir_np(&settings.actions, QFile::encodeName(workingFolder).constData());

    SpawnedProcess process;
    const int error =
        posix_spawn(&process.pid, QFile::encodeName(request.program).constData(), &settings.actions,
                    &settings.attributes, arguments.pointers(), environment.pointers());
    if (error != 0)
        return failSystem(u"'%1' could not be started"_s.arg(request.program), error);
    process.output = std::move(output.reading);
    process.errors = std::move(errors.reading);
    process.exit = FileDescriptor(int(syscall(SYS_pidfd_open, process.pid, 0)));
    return process;
}

} // namespace redrive
