// Whether the database is still the file that was opened: one that is unlinked or replaced goes on taking
// commits, which nobody ever finds again. Looks at names only and never opens a file: closing it would give
// up the locks that this process holds on it. Any thread.
#pragma once

#include "core/base/result.h"
#include "core/db/target.h"

#include <array>
#include <atomic>

namespace redrive {

class FileWatch final
{
public:
    // The file as it is now. Its log is noted when it is first seen.
    explicit FileWatch(const DatabaseTarget& target);

    // Corrupt, with the sentence for the operator, while the file or its log is not where it was.
    Status check() const;

private:
    struct Watched
    {
        QByteArray path;
        mutable std::atomic<quint64> device = 0;
        mutable std::atomic<quint64> inode = 0; // 0: not seen yet
    };

    static bool isSame(const Watched& watched);

    std::array<Watched, 2> m_files;
};

} // namespace redrive
