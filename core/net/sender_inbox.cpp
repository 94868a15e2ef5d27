#include "core/net/sender_inbox.h"

#include <iterator>
#include <utility>

namespace redrive {

bool SenderInbox::submit(std::vector<Submission> submissions)
{
    std::lock_guard lock(m_mutex);
    if (m_contents.closed)
        return false;
    auto& waiting = m_contents.submissions;
    if (waiting.empty())
        waiting = std::move(submissions);
    else
        std::move(submissions.begin(), submissions.end(), std::back_inserter(waiting));
    wakeLocked();
    return true;
}

void SenderInbox::cancel(quint64 token)
{
    std::lock_guard lock(m_mutex);
    m_contents.cancels.push_back(token);
    wakeLocked();
}

void SenderInbox::addName(ResolvedName name)
{
    std::lock_guard lock(m_mutex);
    m_contents.names.push_back(std::move(name));
    wakeLocked();
}

void SenderInbox::close()
{
    std::lock_guard lock(m_mutex);
    m_contents.closed = true;
    wakeLocked();
}

SenderInbox::Contents SenderInbox::take()
{
    Contents taken;
    std::lock_guard lock(m_mutex);
    taken.closed = m_contents.closed;
    std::swap(taken, m_contents);
    m_wakePending = false;
    return taken;
}

void SenderInbox::wakeLocked()
{
    if (!std::exchange(m_wakePending, true))
        m_poller.wake();
}

} // namespace redrive
