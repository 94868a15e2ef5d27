// Handlers by job type. Filled before the engine starts, then read only.
#pragma once

#include "core/jobs/handler.h"

#include <QHash>

#include <memory>

namespace redrive {

class HandlerRegistry final
{
public:
    void add(const QString& type, std::shared_ptr<BlockingHandler> handler)
    {
        m_blocking[type] = std::move(handler);
    }
    void add(const QString& type, std::shared_ptr<StoreHandler> handler)
    {
        m_store[type] = std::move(handler);
    }

    std::shared_ptr<BlockingHandler> blocking(const QString& type) const { return m_blocking.value(type); }
    StoreHandler* store(const QString& type) const { return m_store.value(type).get(); }

private:
    QHash<QString, std::shared_ptr<BlockingHandler>> m_blocking;
    QHash<QString, std::shared_ptr<StoreHandler>> m_store;
};

} // namespace redrive
