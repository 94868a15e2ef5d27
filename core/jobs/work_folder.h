// The working folder of one run of a program, locked while the run goes on. What an engine left behind that
// was killed, the folder and the processes begun in it, is cleared away by whoever comes next. Any thread.
// Source: flock(2) on a folder; environ in proc(5)
#pragma once

#include "core/base/result.h"

#include <QDir>

#include <utility>

namespace redrive {

class WorkFolder final
{
public:
    // The variable of a program's environment that names its folder; its children inherit it.
    static constexpr char kVariable[] = "REDRIVE_WORK_FOLDER";

    static Result<WorkFolder> make(const QString& parent = QDir::tempPath());
    WorkFolder(WorkFolder&& other) noexcept
        : m_path(std::exchange(other.m_path, {})), m_lock(std::exchange(other.m_lock, -1))
    {
    }
    WorkFolder& operator=(WorkFolder&&) = delete;
    ~WorkFolder(); // removes it

    const QString& path() const { return m_path; }

    // Kills the processes begun in the folder, those too that left the program's group and session.
    void killProcesses() const;

    // Removes the folders in `parent` that nobody holds, after killing what runs in them; their number.
    static int clearAbandoned(const QString& parent = QDir::tempPath());

private:
    WorkFolder(QString path, int lock) : m_path(std::move(path)), m_lock(lock) {}

    QString m_path;
    int m_lock = -1;
};

} // namespace redrive
