#include "core/intake/token_keeper.h"

#include "core/base/log.h"
#include "core/intake/token_changes.h"
#include "core/store/lone_change.h"
#include "core/store/token_store.h"

#include <algorithm>
#include <utility>

namespace redrive {

TokenKeeper::TokenKeeper(std::shared_ptr<TokenBook> book, QList<TokenSecret> configured, QString keptFile)
    : m_book(std::move(book)), m_configured(std::move(configured)), m_keptFile(std::move(keptFile))
{
}

// A file that cannot be written is no reason not to start: `redrive tokens create` makes one too.
Status TokenKeeper::makeFirst(Cycle& cycle)
{
    if (!m_configured.isEmpty() || m_keptFile.isEmpty())
        return {};
    const Result<bool> made = changeAlone(cycle, [&] { return makeFirstToken(cycle, m_keptFile); });
    if (!made && concernsTheStore(made.error()) && made.error().kind != ErrorKind::ReadOnly)
        return fail(made.error());
    if (!made)
        logEvent(LogLevel::Warning, "ingest_token_not_made", {{"error", made.error().text()}});
    else if (*made)
        logEvent(LogLevel::Notice, "ingest_token_made", {{"file", m_keptFile}});
    return {};
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
    REDRIVE_TRY(m_inbox.apply(
        cycle, [this](Cycle& at, const TokenChange& change) { return changeToken(at, change, m_keptFile); }));
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
    REDRIVE_ASSIGN(ever, token_store::ever(cycle.db));
    const bool configured = std::any_of(m_configured.begin(), m_configured.end(), [](const TokenSecret& one) {
        return one.opens == TokenScope::Everything;
    });
    const bool required = ever.ofEverything || configured;
    secrets.append(m_configured);
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
