#include "core/intake/token_keeper.h"

#include "core/intake/token_changes.h"
#include "core/store/lone_change.h"
#include "core/store/token_store.h"

#include <iterator>
#include <utility>

namespace redrive {

TokenKeeper::TokenKeeper(std::shared_ptr<TokenBook> book, QByteArray configuredSecret)
    : m_book(std::move(book)), m_configured(std::move(configuredSecret))
{
}

void TokenKeeper::submit(TokenChange change, Answer answer)
{
    m_incoming.push_back({std::move(change), std::move(answer)});
}

void TokenKeeper::refuseWaiting()
{
    answerIncoming({ErrorKind::Refused, u"the engine is stopping"_s, u"stopping"_s, {}});
}

bool TokenKeeper::hasWork(qint64, qint64) const
{
    return m_look || !m_incoming.empty() || !m_uses.empty() || m_book->hasUses();
}

std::optional<qint64> TokenKeeper::nextDeadline() const
{
    return m_look || !m_incoming.empty() ? std::optional<qint64>(0) : std::nullopt;
}

Status TokenKeeper::apply(Cycle& cycle)
{
    const bool changes = !m_incoming.empty();
    if (changes)
        REDRIVE_TRY(applyIncoming(cycle));
    REDRIVE_TRY(writeUses(cycle));
    return m_look || changes ? read(cycle) : Status();
}

Status TokenKeeper::applyIncoming(Cycle& cycle)
{
    m_writing.swap(m_incoming);
    auto results = std::make_shared<std::vector<Result<TokenChanged>>>();
    for (const Request& request : m_writing) {
        auto changed = changeAlone(cycle, [&] { return changeToken(cycle, request.change); });
        if (!changed && concernsTheStore(changed.error()))
            return fail(changed.error());
        results->push_back(std::move(changed));
    }
    cycle.afterCommit.push_back([this, results] {
        const auto answered = std::exchange(m_writing, {});
        for (std::size_t i = 0; i < results->size(); ++i)
            answered[i].answer(std::move((*results)[i]));
    });
    return {};
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

// After an error of another part's row the next turn does the same again.
void TokenKeeper::rolledBack(const Error& error)
{
    m_incoming.insert(m_incoming.begin(), std::make_move_iterator(m_writing.begin()),
                      std::make_move_iterator(m_writing.end()));
    m_writing.clear();
    if (concernsTheStore(error))
        answerIncoming(error);
}

void TokenKeeper::storeRefuses(const std::optional<Error>& why)
{
    if (why)
        answerIncoming(*why);
}

void TokenKeeper::answerIncoming(const Error& error)
{
    for (const Request& request : std::exchange(m_incoming, {}))
        request.answer(fail(error));
}

} // namespace redrive
