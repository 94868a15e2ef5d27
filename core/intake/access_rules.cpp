#include "core/intake/access_rules.h"

#include <algorithm>
#include <cmath>

namespace redrive {

namespace {

constexpr qint64 kMinuteMs = 60'000;
constexpr std::size_t kMostAddresses = 4'096;
constexpr qint64 kUseEveryMs = 300'000;
constexpr qint64 kNoToken = -2; // beside the numbers of tokens

QString nameOf(qint64 tokenNo)
{
    if (tokenNo == TokenBook::kConfigured)
        return u"configuration"_s;
    return tokenNo == TokenBook::kConfiguredIngest ? u"ingest configuration"_s : QString::number(tokenNo);
}

} // namespace

AccessRules::AccessRules(std::shared_ptr<TokenBook> book, AccessLimits limits)
    : m_book(std::move(book)), m_limits(limits)
{
}

std::optional<HttpProblem> AccessRules::admit(QByteArrayView authorization, const ClientAddress& client,
                                              qint64 wallMs, qint64 steadyMs, QString& token, TokenScope door)
{
    token.clear();
    if (door == TokenScope::Everything && !(m_book && m_book->isRequired()))
        return spend(kNoToken, m_limits.ratePerSecond, steadyMs);
    const auto tokens = m_book ? m_book->current() : nullptr;
    const TokenSecret* secret = tokens ? tokens->find(authorization, wallMs, door) : nullptr;
    if (!secret)
        return refuse(client, steadyMs);
    noteUse(secret->tokenNo, wallMs);
    token = nameOf(secret->tokenNo);
    return spend(secret->tokenNo, secret->ratePerSecond ? secret->ratePerSecond : m_limits.ratePerSecond,
                 steadyMs);
}

HttpProblem AccessRules::refuse(const ClientAddress& client, qint64 steadyMs)
{
    forgetOldFailures(steadyMs);
    Failures& failures = m_failures[client];
    std::erase_if(failures, [&](qint64 atMs) { return steadyMs - atMs >= kMinuteMs; });
    if (failures.size() < std::size_t(m_limits.failuresPerMinute)) {
        failures.push_back(steadyMs);
        return problem::unauthorized();
    }
    return problem::tooManyRequests(int((failures.front() + kMinuteMs - steadyMs + 999) / 1000));
}

// Only when there are too many: then those that are over, or else any one.
void AccessRules::forgetOldFailures(qint64 steadyMs)
{
    if (m_failures.size() < kMostAddresses)
        return;
    std::erase_if(m_failures, [&](const auto& entry) { return steadyMs - entry.second.back() >= kMinuteMs; });
    if (m_failures.size() >= kMostAddresses)
        m_failures.erase(m_failures.begin());
}

// A second's worth may come at once, at least one request.
std::optional<HttpProblem> AccessRules::spend(qint64 key, std::optional<double> rate, qint64 steadyMs)
{
    if (!rate)
        return std::nullopt;
    const double most = std::max(1.0, *rate);
    const auto [at, isNew] = m_buckets.try_emplace(key, Bucket{most, steadyMs});
    Bucket& bucket = at->second;
    bucket.tokens = std::min(most, bucket.tokens + *rate * double(steadyMs - bucket.atMs) / 1000);
    bucket.atMs = steadyMs;
    if (bucket.tokens < 1)
        return problem::tooManyRequests(int(std::ceil((1 - bucket.tokens) / *rate)));
    bucket.tokens -= 1;
    return std::nullopt;
}

void AccessRules::noteUse(qint64 tokenNo, qint64 wallMs)
{
    const auto [at, isNew] = m_noted.try_emplace(tokenNo, wallMs);
    if (!isNew && std::abs(wallMs - at->second) < kUseEveryMs)
        return;
    at->second = wallMs;
    m_book->noteUse(tokenNo, wallMs);
}

} // namespace redrive
