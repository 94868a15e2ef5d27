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
    // 0 in TokenSecret::tokenNo: the secret that the configuration names.
    static constexpr qint64 kConfigured = 0;

    // `required`: also without any secret that opens, the door is not open.
    void replace(QList<TokenSecret> secrets, bool required);
    // Null: no token is needed.
    std::shared_ptr<const BearerTokens> current() const;
    bool isRequired() const { return current() != nullptr; }

    void noteUse(qint64 tokenNo, qint64 nowMs);
    // The last uses noted since the last call.
    std::unordered_map<qint64, qint64> takeUses();
    bool hasUses() const;

private:
    mutable std::mutex m_mutex; // guards the rest
    std::shared_ptr<const BearerTokens> m_current;
    std::unordered_map<qint64, qint64> m_uses;
};

} // namespace redrive
