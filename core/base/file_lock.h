// A lock of the operating system on a file, gone with its holder however that ends. Held by the object, not
// the thread; two objects of one process exclude each other too. Any thread.
// Source: open file description locks, fcntl(2)
#pragma once

#include "core/base/result.h"

namespace redrive {

class FileLock final
{
public:
    // Makes the file and its folder where they are missing. Busy: someone else holds it.
    static Result<FileLock> tryLock(const QString& path);
    // Whether someone holds it. Takes nothing, so that it disturbs nobody; a missing file is not held.
    static bool isHeld(const QString& path);

    FileLock(FileLock&& other) noexcept;
    FileLock& operator=(FileLock&& other) noexcept;
    ~FileLock(); // gives it back

    // Gives it back. A file whose name nobody uses again goes away with it.
    void release();
    void releaseAndRemove();

    const QString& path() const { return m_path; }

private:
    FileLock(QString path, int fd) : m_path(std::move(path)), m_fd(fd) {}

    QString m_path;
    int m_fd = -1;
};

} // namespace redrive
