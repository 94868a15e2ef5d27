// What the load generator knows, written outside the engine: a line per event in a file of its own, an
// acknowledgement synced before the next request. Any thread.
#pragma once

#include <QByteArrayList>
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

    // The number of the next job or event, about to be sent.
    int invoke();
    void again(int number); // about to be sent once more, because no answer came
    void acknowledged(int number, const QByteArray& id);
    // Those of one answer, synced once.
    void acknowledged(const QList<int>& numbers, const QByteArrayList& ids);
    void refused(int number); // surely not taken
    // Nothing more: whether it was taken is unknown.

    // The file, read back.
    struct Account
    {
        QSet<int> invoked;
        QHash<int, int> again; // how often, where it was
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
