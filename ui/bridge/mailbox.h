// Carries tasks from any thread to the thread of one object. Once closed, or when the object is gone, tasks
// are dropped: an engine may answer later than the window lives.
#pragma once

#include <QObject>

#include <functional>
#include <mutex>

namespace redrive {

class Mailbox final
{
public:
    explicit Mailbox(QObject* target) : m_target(target) {}

    // Any thread. Tasks run in the order of posting, never inside this call.
    void post(std::function<void()> task);
    // The target's thread, before the target is destroyed.
    void close();

private:
    std::mutex m_mutex; // guards m_target
    QObject* m_target;
};

} // namespace redrive
