// Space kept in hand beside the database ("<database>-ballast"): given back when the disk is full, so that
// what already runs can still be recorded, and kept again when there is room. Engines on one database share
// it. One thread at a time.
#pragma once

#include <QString>

namespace redrive {

class Ballast final
{
public:
    static constexpr qint64 kUsualBytes = 64LL * 1024 * 1024;

    // Of at most `bytes`, or a twentieth of the file system where that is less; 0: none is kept.
    Ballast(const QString& databasePath, qint64 bytes);

    enum class Made {
        Yes,    // or it was there, or none is wanted
        NoRoom, // it would take more than half of what is free
        Failed, // the file system or a limit of the process forbids it: see failure()
    };
    Made make();
    void giveBack();
    // More is free than a ballast that was given back leaves: work may go on.
    bool isRoom() const;

    qint64 bytes() const { return m_bytes; }
    const QString& path() const { return m_path; }
    const QString& failure() const { return m_failure; } // the system's words

private:
    bool isThere() const;

    QString m_path;
    qint64 m_bytes = 0;
    QString m_failure;
};

} // namespace redrive
