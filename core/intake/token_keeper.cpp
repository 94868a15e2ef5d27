#include "core/intake/token_keeper.h"

#include "core/intake/token_changes.h"
#include "core/store/token_store.h"

#include <utility>

namespace redrive {

TokenKeeper::TokenKeeper(std::shared_ptr<TokenBook> book, QByteArray configuredSecret)
    : m_book(std::move(book)), m_configured(std::move(configuredSecret))
{
}

bool TokenKeeper::hasWork(qint64, qint64) const
{
    return m_look || !m_inbox.isEmpty() || !m_uses.empty() || m_book->hasUses();
}

std::optional<qint64> TokenKeeper::nextDeadline() const
{
    return m_look || !m_inbox.isEmpty() ? std::optional<qint64>(0) : std::nullopt;
}

Status TokenKeeper::apply(Cycle& cycle)
{
    const bool changes = !m_inbox.isEmpty();
    REDRIVE_TRY(m_inbox.apply(cycle, changeToken));
    REDRIVE_TRY(writeUses(cycle));
    return m_look || changes ? read(cycle) : Status();
}

Status TokenKeeper::writeUses(Cycle& cycle)
{
    for (const auto& [tokenNo, atMs] : m_book->takeUses())
        m_uses[tokenNo] = atMs;
    if (m_uses.empty())
        return {};
    for (const auto& [tokenNo, atMs] : m_uses)
        REDRIVE_TRY(token_store::noteUse(cycle, tokenNo, atMs));
    cycle.afterCommit.push_back([this] { m_uses.clear(); });
    return {};
}

Status TokenKeeper::read(Cycle& cycle)
{
    REDRIVE_ASSIGN(secrets, token_store::secrets(cycle.db, cycle.nowMs));
    REDRIVE_ASSIGN(everMade, token_store::anyEver(cycle.db));
    const bool required = everMade || !m_configured.isEmpty();
    if (!m_configured.isEmpty())
        secrets.append({m_configured, TokenBook::kConfigured, {}, {}});
    cycle.afterCommit.insert(cycle.afterCommit.begin(), [this, secrets, required] {
        m_book->replace(secrets, required);
        m_look = false;
    });
    return {};
}

void TokenKeeper::storeRefuses(const std::optional<Error>& why)
{
    if (why)
        m_inbox.refuse(*why);
}

} // namespace redrive
