// Starts a program for runProcess(): its descriptors, environment and group. Any thread.
#pragma once

#include "core/jobs/process_runner.h"

#include <sys/types.h>
#include <utility>

namespace redrive {

class FileDescriptor final
{
public:
    FileDescriptor() = default;
    explicit FileDescriptor(int descriptor) : m_descriptor(descriptor) {}
    ~FileDescriptor() { reset(); }
    FileDescriptor(FileDescriptor&& other) noexcept : m_descriptor(std::exchange(other.m_descriptor, -1)) {}
    FileDescriptor& operator=(FileDescriptor&& other) noexcept;

    void reset();
    int get() const { return m_descriptor; }
    bool isOpen() const { return m_descriptor >= 0; }

private:
    int m_descriptor = -1;
};

struct SpawnedProcess
{
    pid_t pid = -1;        // also its process group and session
    FileDescriptor output; // reading ends, non-blocking
    FileDescriptor errors;
    FileDescriptor exit; // a pidfd: readable once the program has ended; may be missing on an old kernel
};

Result<SpawnedProcess> spawnProcess(const ProcessRequest& request, const QString& workingFolder);

} // namespace redrive
