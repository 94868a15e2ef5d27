// Names to addresses. getaddrinfo() blocks, so a few threads of its own do it, started when needed; requests
// for a name being looked up already wait for the same answer.
#pragma once

#include "core/base/result.h"
#include "core/net/ip_address.h"

#include <functional>
#include <memory>
#include <vector>

namespace redrive {

using Addresses = std::vector<IpAddress>;
// Blocks; called on any thread, several at a time.
using ResolveFunction = std::function<Result<Addresses>(const QByteArray& host)>;

// The system's own way (hosts file, DNS). Never returns an empty list.
Result<Addresses> resolveWithSystem(const QByteArray& host);

class Resolver final
{
public:
    // Called on a resolver thread.
    using Answer = std::function<void(const QByteArray& host, Result<Addresses> addresses)>;

    Resolver(ResolveFunction resolve, Answer answer);
    ~Resolver(); // as stop()
    Resolver(const Resolver&) = delete;
    Resolver& operator=(const Resolver&) = delete;

    // Any thread.
    void lookUp(const QByteArray& host);
    // After this returns no answer is given any more. A thread that hangs in the system's resolver is left to
    // end by itself: it holds nothing of this object.
    void stop();

private:
    struct Shared;
    static void work(const std::shared_ptr<Shared>& shared);

    std::shared_ptr<Shared> m_shared;
};

} // namespace redrive
