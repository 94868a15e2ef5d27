#include "core/intake/token_book.h"

namespace redrive {

void TokenBook::replace(QList<TokenSecret> secrets, bool required)
{
    auto made = std::make_shared<const BearerTokens>(std::move(secrets));
    std::lock_guard lock(m_mutex);
    m_current = std::move(made);
    m_required = required;
}

bool TokenBook::isRequired() const
{
    std::lock_guard lock(m_mutex);
    return m_required;
}

std::shared_ptr<const BearerTokens> TokenBook::current() const
{
    std::lock_guard lock(m_mutex);
    return m_current;
}

void TokenBook::noteUse(qint64 tokenNo, qint64 nowMs)
{
    std::lock_guard lock(m_mutex);
    m_uses[tokenNo] = nowMs;
}

std::unordered_map<qint64, qint64> TokenBook::takeUses()
{
    std::lock_guard lock(m_mutex);
    return std::exchange(m_uses, {});
}

bool TokenBook::hasUses() const
{
    std::lock_guard lock(m_mutex);
    return !m_uses.empty();
}

} // namespace redrive
