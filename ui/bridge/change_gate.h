// Gathers the changes that engine threads report and lets them out in the window thread as one set, at most
// ten times a second, however many commits there are.
#pragma once

#include "core/domain/change_set.h"
#include "ui/bridge/mailbox.h"

#include <QTimer>

#include <memory>
#include <mutex>

namespace redrive {

class ChangeGate final : public QObject
{
    Q_OBJECT
public:
    static constexpr int kIntervalMs = 100;

    explicit ChangeGate(QObject* parent = nullptr);
    ~ChangeGate() override;

    // What engine threads call; it may be called after the gate is gone.
    std::function<void(const ChangeSet&)> inlet() const;

Q_SIGNALS:
    void passed(const redrive::ChangeSet& changes);

private:
    struct Gathered
    {
        std::mutex mutex; // guards changes, announced
        ChangeSet changes;
        bool announced = false; // a task that will let them out is on its way
    };

    void letOut();

    std::shared_ptr<Mailbox> m_mailbox;
    std::shared_ptr<Gathered> m_gathered = std::make_shared<Gathered>();
    QTimer m_pause;
};

} // namespace redrive
