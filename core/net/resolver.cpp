#include "core/net/resolver.h"

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <mutex>
#include <netdb.h>
#include <set>
#include <signal.h>
#include <sys/socket.h>
#include <thread>

namespace redrive {

namespace {

constexpr int maxThreads = 8;

void blockAllSignals()
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, nullptr);
}

} // namespace

Result<Addresses> resolveWithSystem(const QByteArray& host)
{
    addrinfo hints{};
    hints.ai_family = AF_UNSPEC;
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* list = nullptr;
    if (const int error = getaddrinfo(host.constData(), nullptr, &hints, &list); error != 0) {
        const char* words = error == EAI_SYSTEM ? std::strerror(errno) : gai_strerror(error);
        return fail(error == EAI_AGAIN ? ErrorKind::Busy : ErrorKind::NotFound,
                    u"the name '%1' could not be resolved"_s.arg(QString::fromLatin1(host)),
                    QString::fromLocal8Bit(words));
    }
    const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> guard(list, &freeaddrinfo);
    Addresses addresses;
    for (const addrinfo* info = list; info; info = info->ai_next) {
        const auto address = IpAddress::fromSockaddr(info->ai_addr);
        if (address && std::find(addresses.begin(), addresses.end(), *address) == addresses.end())
            addresses.push_back(*address);
    }
    if (addresses.empty())
        return fail(ErrorKind::NotFound, u"the name '%1' has no address"_s.arg(QString::fromLatin1(host)));
    return addresses;
}

struct Resolver::Shared
{
    ResolveFunction resolve;

    std::mutex mutex; // guards the rest
    std::condition_variable wake;
    std::deque<QByteArray> waiting;
    std::set<QByteArray> underWay; // waiting or being looked up
    int threads = 0;
    int idle = 0;
    bool stopping = false;

    std::mutex answerMutex; // held while answering, so that stop() waits for an answer being given
    Answer answer;          // guarded by answerMutex; empty after stop()
};

Resolver::Resolver(ResolveFunction resolve, Answer answer) : m_shared(std::make_shared<Shared>())
{
    m_shared->resolve = std::move(resolve);
    m_shared->answer = std::move(answer);
}

Resolver::~Resolver()
{
    stop();
}

void Resolver::lookUp(const QByteArray& host)
{
    std::lock_guard lock(m_shared->mutex);
    if (m_shared->stopping || !m_shared->underWay.insert(host).second)
        return;
    m_shared->waiting.push_back(host);
    if (m_shared->idle < int(m_shared->waiting.size()) && m_shared->threads < maxThreads) {
        ++m_shared->threads;
        std::thread(&Resolver::work, m_shared).detach();
    }
    m_shared->wake.notify_one();
}

void Resolver::work(const std::shared_ptr<Shared>& shared)
{
    blockAllSignals();
    std::unique_lock lock(shared->mutex);
    while (true) {
        ++shared->idle;
        shared->wake.wait(lock, [&] { return shared->stopping || !shared->waiting.empty(); });
        --shared->idle;
        if (shared->stopping)
            break;
        const QByteArray host = shared->waiting.front();
        shared->waiting.pop_front();
        lock.unlock();
        auto addresses = shared->resolve(host);
        lock.lock();
        shared->underWay.erase(host);
        lock.unlock();
        {
            std::lock_guard answering(shared->answerMutex);
            if (shared->answer)
                shared->answer(host, std::move(addresses));
        }
        lock.lock();
    }
    --shared->threads;
    shared->wake.notify_all();
}

void Resolver::stop()
{
    {
        std::lock_guard answering(m_shared->answerMutex);
        m_shared->answer = nullptr;
    }
    std::unique_lock lock(m_shared->mutex);
    m_shared->stopping = true;
    m_shared->waiting.clear();
    m_shared->wake.notify_all();
    // Threads between two look-ups leave at once; one inside the system's resolver cannot be interrupted.
    m_shared->wake.wait_for(lock, std::chrono::milliseconds(200), [this] { return m_shared->threads == 0; });
}

} // namespace redrive
