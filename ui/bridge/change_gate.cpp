#include "ui/bridge/change_gate.h"

namespace redrive {

ChangeGate::ChangeGate(QObject* parent) : QObject(parent), m_mailbox(std::make_shared<Mailbox>(this))
{
    m_pause.setSingleShot(true);
    m_pause.setInterval(kIntervalMs);
    connect(&m_pause, &QTimer::timeout, this, &ChangeGate::letOut);
}

ChangeGate::~ChangeGate()
{
    m_mailbox->close();
}

std::function<void(const ChangeSet&)> ChangeGate::inlet() const
{
    // `self` is touched only by the posted task, which the mailbox drops once the gate is gone.
    auto* self = const_cast<ChangeGate*>(this);
    return [self, mailbox = m_mailbox, gathered = m_gathered](const ChangeSet& changes) {
        {
            const std::lock_guard lock(gathered->mutex);
            gathered->changes.merge(changes);
            if (gathered->announced)
                return;
            gathered->announced = true;
        }
        mailbox->post([self] {
            if (!self->m_pause.isActive())
                self->letOut();
        });
    };
}

void ChangeGate::letOut()
{
    ChangeSet changes;
    {
        const std::lock_guard lock(m_gathered->mutex);
        changes = std::exchange(m_gathered->changes, {});
        m_gathered->announced = false;
    }
    if (changes.isEmpty())
        return;
    m_pause.start();
    Q_EMIT passed(changes);
}

} // namespace redrive
