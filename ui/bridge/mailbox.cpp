#include "ui/bridge/mailbox.h"

#include <QMetaObject>

namespace redrive {

void Mailbox::post(std::function<void()> task)
{
    const std::lock_guard lock(m_mutex);
    if (m_target)
        QMetaObject::invokeMethod(m_target, std::move(task), Qt::QueuedConnection);
}

void Mailbox::close()
{
    const std::lock_guard lock(m_mutex);
    m_target = nullptr;
}

} // namespace redrive
