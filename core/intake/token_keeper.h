// Keeps the book of tokens as the store has it: changes asked for here, changes of other processes, and the
// times of last use on their way back. Control thread.
#pragma once

#include "core/domain/token.h"
#include "core/intake/token_book.h"
#include "core/store/change_inbox.h"

namespace redrive {

class TokenKeeper final : public CyclePart
{
public:
    using Inbox = ChangeInbox<TokenChange, TokenChanged>;

    // `configured`: the secrets that the configuration names. `keptFile`: see token_changes.h.
    TokenKeeper(std::shared_ptr<TokenBook> book, QList<TokenSecret> configured, QString keptFile);

    // In the next turn; answers after its commit.
    void submit(TokenChange change, Inbox::Answer answer)
    {
        m_inbox.submit(std::move(change), std::move(answer));
    }
    // Another process may have changed tokens.
    void lookAtStore() { m_look = true; }
    // Answers what still waits: no turn follows any more.
    void refuseWaiting() { m_inbox.refuseStopping(); }
    bool hasIncoming() const { return !m_inbox.isEmpty(); }
    // Before read(): makes the first token where nothing would open the door of events.
    Status makeFirst(Cycle& cycle);
    // Reads the tokens into the book.
    Status read(Cycle& cycle);

    bool hasWork(qint64 nowMs, qint64 steadyMs) const override;
    Status apply(Cycle& cycle) override;
    void storeRefuses(const std::optional<Error>& why) override;
    void rolledBack(const Error& error) override { m_inbox.rolledBack(error); }
    std::optional<qint64> nextDeadline() const override;

private:
    Status writeUses(Cycle& cycle);

    const std::shared_ptr<TokenBook> m_book;
    const QList<TokenSecret> m_configured;
    const QString m_keptFile;
    Inbox m_inbox;
    std::unordered_map<qint64, qint64> m_uses; // taken from the book, not written yet
    bool m_look = false;
};

} // namespace redrive
