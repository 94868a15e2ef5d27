// Who may come in, and how often: tokens, failed attempts per address, requests per second per token.
// Intake thread.
#pragma once

#include "core/intake/client_address.h"
#include "core/intake/http_problem.h"
#include "core/intake/token_book.h"

#include <array>
#include <unordered_map>

namespace redrive {

struct AccessLimits
{
    int failuresPerMinute = 10;               // of one address; then 429 to what is not valid
    std::optional<double> ratePerSecond = {}; // requests with one token, where it has no rate of its own
};

class AccessRules final
{
public:
    // No book: the door of everything needs no token, and nothing opens that of events.
    AccessRules(std::shared_ptr<TokenBook> book, AccessLimits limits);

    // Why the request may not come in by this door. `token` becomes the name of its token for whatever is
    // kept by token: the same after a rotation, empty where none is needed.
    std::optional<HttpProblem> admit(QByteArrayView authorization, const ClientAddress& client, qint64 wallMs,
                                     qint64 steadyMs, QString& token,
                                     TokenScope door = TokenScope::Everything);

private:
    // The steady times of the last failures, oldest first.
    using Failures = std::vector<qint64>;
    struct Bucket
    {
        double tokens = 0;
        qint64 atMs = 0;
    };

    HttpProblem refuse(const ClientAddress& client, qint64 steadyMs);
    void forgetOldFailures(qint64 steadyMs);
    std::optional<HttpProblem> spend(qint64 key, std::optional<double> rate, qint64 steadyMs);
    void noteUse(qint64 tokenNo, qint64 wallMs);

    const std::shared_ptr<TokenBook> m_book;
    const AccessLimits m_limits;
    std::unordered_map<ClientAddress, Failures> m_failures;
    std::unordered_map<qint64, Bucket> m_buckets;
    std::unordered_map<qint64, qint64> m_noted; // uses told to the book, by token
};

} // namespace redrive
