// File systems of a test's own, unmounted with the object. Needs root; without it none can be made, and the
// test is skipped with that reason. One thread.
#pragma once

#include <QString>

#include <memory>

namespace redrive::test {

class Mount final
{
public:
    // Nothing where the system does not allow it. `folder` must exist.
    static std::unique_ptr<Mount> memory(const QString& folder, qint64 bytes);
    // What stands in `from`, in `folder` and not to be written there.
    static std::unique_ptr<Mount> readOnly(const QString& from, const QString& folder);
    ~Mount();
    Mount(const Mount&) = delete;
    Mount& operator=(const Mount&) = delete;

    QString path(const QString& name) const { return m_folder + u'/' + name; }
    // One that was read-only can be written from now on.
    bool makeWritable() const;
    // Takes all the space that is left, and gives it back.
    void fill() const;
    void makeRoom() const;

private:
    explicit Mount(QString folder) : m_folder(std::move(folder)) {}

    QString m_folder;
};

} // namespace redrive::test
