// The tokens in force, shared by the control thread, which reads them from the store, and the intake thread,
// which asks for them at every request. Any thread.
#pragma once

#include "core/intake/bearer_tokens.h"

#include <memory>
#include <mutex>
#include <unordered_map>

namespace redrive {

class TokenBook final
{
public:
    // In TokenSecret::tokenNo: the secrets that the configuration names in intake_token and ingest_token.
    static constexpr qint64 kConfigured = 0;
    static constexpr qint64 kConfiguredIngest = -1;

    // `required`: also without any secret that opens, the door of everything is not open. That of events
    // never is.
    void replace(QList<TokenSecret> secrets, bool required);
    // Null: nothing is known yet, and no secret opens.
    std::shared_ptr<const BearerTokens> current() const;
    // Whether the door of everything needs a token.
    bool isRequired() const;

    void noteUse(qint64 tokenNo, qint64 nowMs);
    // The last uses noted since the last call.
    std::unordered_map<qint64, qint64> takeUses();
    bool hasUses() const;

private:
    mutable std::mutex m_mutex; // guards the rest
    std::shared_ptr<const BearerTokens> m_current;
    bool m_required = false;
    std::unordered_map<qint64, qint64> m_uses;
};

} // namespace redrive
