// What the load generator knows, written outside the engine: a line per event in a file of its own, an
// acknowledgement synced before the next request. Any thread.
#pragma once

#include <QByteArray>
#include <QHash>
#include <QSet>
#include <QString>

#include <mutex>

namespace redrive::test {

class LoadLedger final
{
public:
    explicit LoadLedger(const QString& path);
    ~LoadLedger();
    LoadLedger(const LoadLedger&) = delete;
    LoadLedger& operator=(const LoadLedger&) = delete;

    // The number of the next job, about to be sent.
    int invoke();
    void acknowledged(int number, const QByteArray& jobId);
    void refused(int number); // surely not taken
    // Nothing more: whether it was taken is unknown.

    // The file, read back.
    struct Account
    {
        QSet<int> invoked;
        QSet<int> refused;
        QHash<int, QString> acknowledged;
    };
    static Account read(const QString& path);

private:
    void write(const QByteArray& line);

    int m_file = -1;
    std::mutex m_mutex; // guards m_next
    int m_next = 1;
};

} // namespace redrive::test
