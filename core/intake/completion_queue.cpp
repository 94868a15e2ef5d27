#include "core/intake/completion_queue.h"

#include <QCoreApplication>

namespace redrive {

QEvent::Type CompletionQueue::eventType()
{
    static const int type = QEvent::registerEventType();
    return QEvent::Type(type);
}

void CompletionQueue::setReceiver(QObject* receiver)
{
    std::lock_guard lock(m_mutex);
    m_receiver = receiver;
}

void CompletionQueue::push(Completion completion)
{
    std::lock_guard lock(m_mutex);
    if (!m_receiver)
        return;
    m_waiting.push_back(std::move(completion));
    if (m_told)
        return;
    m_told = true;
    QCoreApplication::postEvent(m_receiver, new QEvent(eventType()));
}

std::vector<Completion> CompletionQueue::take()
{
    std::vector<Completion> taken;
    std::lock_guard lock(m_mutex);
    taken.swap(m_waiting);
    m_waiting.reserve(taken.size());
    m_told = false;
    return taken;
}

} // namespace redrive
