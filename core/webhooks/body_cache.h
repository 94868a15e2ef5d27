// One copy of an event's body while any of its requests is under way, however many endpoints it goes to.
// Control thread.
#pragma once

#include <QByteArray>
#include <QString>

#include <memory>
#include <unordered_map>

namespace redrive {

class BodyCache final
{
public:
    std::shared_ptr<const QByteArray> find(const QString& eventId) const
    {
        const auto known = m_bodies.find(eventId);
        return known == m_bodies.end() ? nullptr : known->second.lock();
    }

    std::shared_ptr<const QByteArray> keep(const QString& eventId, QByteArray body)
    {
        if (m_bodies.size() >= m_sweepAt)
            sweep();
        auto shared = std::make_shared<const QByteArray>(std::move(body));
        m_bodies.insert_or_assign(eventId, shared);
        return shared;
    }

private:
    void sweep()
    {
        std::erase_if(m_bodies, [](const auto& entry) { return entry.second.expired(); });
        m_sweepAt = std::max(kSweepAt, m_bodies.size() * 2);
    }

    static constexpr size_t kSweepAt = 1'024;
    std::unordered_map<QString, std::weak_ptr<const QByteArray>> m_bodies;
    size_t m_sweepAt = kSweepAt;
};

} // namespace redrive
