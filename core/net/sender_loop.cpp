#include "core/net/sender_loop.h"

#include "core/net/header_rules.h"

#include <algorithm>
#include <pthread.h>
#include <signal.h>

namespace redrive {

namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

// Before the sockets are looked at again: who records the outcomes need not wait for the end of a long burst.
constexpr int kStartedAtOnce = 8;

HttpOutcome notSent(quint64 token, const char* code, const Error& error)
{
    HttpOutcome outcome;
    outcome.token = token;
    outcome.errorCode = QString::fromLatin1(code);
    outcome.errorText = error.text();
    return outcome;
}

Result<std::shared_ptr<const TargetUrl>> targetOf(const HttpRequest& request, TargetCache& known)
{
    for (const auto& [name, value] : request.headers)
        REDRIVE_TRY(checkHeader(name, value));
    return known.target(request.url);
}

void initialiseCurl()
{
    static const CURLcode once = curl_global_init(CURL_GLOBAL_DEFAULT);
    Q_UNUSED(once);
}

void prepareThread()
{
    // Signals are the main thread's; a TLS write to a closed socket must not raise SIGPIPE here either.
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, nullptr);
    pthread_setname_np(pthread_self(), "delivery");
}

} // namespace

SenderLoop::SenderLoop(HttpSenderOptions options)
    : m_options(std::move(options)), m_inbox(m_poller),
      m_resolver(m_options.resolve, [this](const QByteArray& host, Result<Addresses> addresses) {
          m_inbox.addName({host, std::move(addresses)});
      })
{
    initialiseCurl();
    m_multi = curl_multi_init();
    if (!m_multi)
        throw std::bad_alloc();
    curl_multi_setopt(m_multi, CURLMOPT_PIPELINING, long(CURLPIPE_NOTHING));
    curl_multi_setopt(m_multi, CURLMOPT_MAXCONNECTS, long(m_options.maxInFlight));
    curl_multi_setopt(m_multi, CURLMOPT_SOCKETFUNCTION, &SenderLoop::onSocket);
    curl_multi_setopt(m_multi, CURLMOPT_SOCKETDATA, this);
    curl_multi_setopt(m_multi, CURLMOPT_TIMERFUNCTION, &SenderLoop::onTimer);
    curl_multi_setopt(m_multi, CURLMOPT_TIMERDATA, this);
}

SenderLoop::~SenderLoop()
{
    stop(0);
    m_resolver.stop();
    m_transfers.clear();
    curl_multi_cleanup(m_multi);
}

void SenderLoop::start()
{
    std::lock_guard lock(m_joinMutex);
    m_thread = std::thread([this] { run(); });
}

void SenderLoop::stop(int graceMs)
{
    m_inbox.close();
    std::lock_guard joining(m_joinMutex);
    if (!m_thread.joinable())
        return;
    {
        std::unique_lock lock(m_endMutex);
        m_endedChanged.wait_for(lock, milliseconds(graceMs), [this] { return m_ended; });
    }
    m_cutOff = true;
    m_poller.wake();
    m_thread.join();
}

void SenderLoop::run()
{
    prepareThread();
    while (true) {
        takeInbox();
        if (m_cutOff)
            cancelAll();
        startQueued();
        runCurlTimers();
        expireDeadlines();
        readMessages();
        flushResults();
        if (m_closed && isIdle())
            break;
        waitForWork();
    }
    std::lock_guard lock(m_endMutex);
    m_ended = true;
    m_endedChanged.notify_all();
}

void SenderLoop::takeInbox()
{
    SenderInbox::Contents contents = m_inbox.take();
    m_closed = contents.closed;
    std::move(contents.submissions.begin(), contents.submissions.end(), std::back_inserter(m_queue));
    for (ResolvedName& name : contents.names)
        takeName(std::move(name));
    for (const quint64 token : contents.cancels)
        cancelOne(token);
}

void SenderLoop::startQueued()
{
    const Time now = steady_clock::now();
    for (int started = 0; started < kStartedAtOnce && canStart(); ++started) {
        Submission next = std::move(m_queue.front());
        m_queue.pop_front();
        startOne(std::move(next), now);
    }
}

void SenderLoop::startOne(Submission submission, Time now)
{
    const quint64 token = submission.request.token;
    auto target = targetOf(submission.request, m_known);
    if (!target) {
        HttpOutcome outcome = notSent(token, "invalid_request", target.error());
        outcome.permanent = true;
        deliver(std::move(outcome), submission.callback);
        return;
    }

    CurlTransfer& transfer = takeTransfer();
    transfer.begin(std::move(submission.request), std::move(submission.callback), *target, now);
    m_byToken[token] = &transfer;
    m_nextDeadline = std::min(m_nextDeadline, transfer.nextCheck(now));

    const TargetUrl& url = transfer.target();
    if (url.address)
        connectTo(transfer, {}, now);
    else if (const Addresses* addresses = m_known.addresses(url.host, now))
        connectTo(transfer, *addresses, now);
    else
        m_resolver.lookUp(url.host);
}

void SenderLoop::connectTo(CurlTransfer& transfer, const Addresses& addresses, Time now)
{
    const TargetUrl& url = transfer.target();
    const Addresses& judged = url.address ? Addresses{*url.address} : addresses;
    for (const IpAddress& address : judged) {
        if (const auto refusal = m_options.guard.judge(address, url.port)) {
            HttpOutcome outcome = transfer.cut("blocked", refusal->text(), now);
            outcome.permanent = true;
            retire(transfer, std::move(outcome));
            return;
        }
    }
    transfer.prepare(addresses, now);
    transfer.inMulti = true;
    if (const CURLMcode code = curl_multi_add_handle(m_multi, transfer.handle()); code != CURLM_OK) {
        transfer.inMulti = false;
        retire(transfer, transfer.cut("internal", QString::fromLatin1(curl_multi_strerror(code)), now));
    }
}

void SenderLoop::takeName(ResolvedName name)
{
    const Time now = steady_clock::now();
    std::vector<CurlTransfer*> waiting;
    for (CurlTransfer* transfer : m_active) {
        if (transfer->phase() == CurlTransfer::Phase::Resolving && transfer->target().host == name.host)
            waiting.push_back(transfer);
    }
    for (CurlTransfer* transfer : waiting) {
        if (name.addresses)
            connectTo(*transfer, *name.addresses, now);
        else
            retire(*transfer, transfer->cut("dns_failed", name.addresses.error().text(), now));
    }
    if (name.addresses)
        m_known.remember(name.host, std::move(*name.addresses), now);
}

void SenderLoop::cancelOne(quint64 token)
{
    const Error error{ErrorKind::Cancelled, u"cancelled"_s, {}, {}};
    if (const auto found = m_byToken.find(token); found != m_byToken.end()) {
        retire(*found->second, found->second->cut("cancelled", error.message, steady_clock::now()));
        return;
    }
    const auto queued = std::find_if(m_queue.begin(), m_queue.end(),
                                     [token](const Submission& s) { return s.request.token == token; });
    if (queued == m_queue.end())
        return;
    const HttpSender::Callback callback = std::move(queued->callback);
    m_queue.erase(queued);
    deliver(notSent(token, "cancelled", error), callback);
}

void SenderLoop::cancelAll()
{
    const Error error{ErrorKind::Cancelled, u"the engine stopped"_s, {}, {}};
    const Time now = steady_clock::now();
    while (!m_active.empty())
        retire(*m_active.back(), m_active.back()->cut("cancelled", error.message, now));
    for (const Submission& submission : m_queue)
        deliver(notSent(submission.request.token, "cancelled", error), submission.callback);
    m_queue.clear();
}

void SenderLoop::expireDeadlines()
{
    if (m_active.empty() || m_nextDeadline == Time::max())
        return;
    const Time now = steady_clock::now();
    if (now < m_nextDeadline)
        return;
    std::vector<CurlTransfer*> expired;
    m_nextDeadline = Time::max();
    for (CurlTransfer* transfer : m_active) {
        if (transfer->deadline() <= now)
            transfer->noticeFirstByte();
        if (transfer->deadline() <= now)
            expired.push_back(transfer);
        else
            m_nextDeadline = std::min(m_nextDeadline, transfer->nextCheck(now));
    }
    for (CurlTransfer* transfer : expired)
        retire(*transfer, transfer->timeOut(now));
}

void SenderLoop::runCurlTimers()
{
    while (m_curlDue != Time::max() && m_curlDue <= steady_clock::now()) {
        m_curlDue = Time::max();
        int running = 0;
        curl_multi_socket_action(m_multi, CURL_SOCKET_TIMEOUT, 0, &running);
    }
}

int SenderLoop::pollTimeoutMs() const
{
    if (canStart())
        return 0;
    Time until = m_curlDue;
    if (!m_active.empty())
        until = std::min(until, m_nextDeadline);
    if (until == Time::max())
        return -1;
    const auto left = std::chrono::ceil<milliseconds>(until - steady_clock::now()).count();
    return int(std::clamp<qint64>(left, 0, 60'000));
}

void SenderLoop::waitForWork()
{
    for (const SocketPoller::Event& event : m_poller.wait(pollTimeoutMs())) {
        int what = 0;
        if (event.events & EPOLLIN)
            what |= CURL_CSELECT_IN;
        if (event.events & EPOLLOUT)
            what |= CURL_CSELECT_OUT;
        if (event.events & (EPOLLERR | EPOLLHUP))
            what |= CURL_CSELECT_ERR | CURL_CSELECT_IN;
        int running = 0;
        curl_multi_socket_action(m_multi, event.socket, what, &running);
    }
    readMessages();
}

void SenderLoop::readMessages()
{
    int left = 0;
    std::optional<Time> now;
    while (const CURLMsg* message = curl_multi_info_read(m_multi, &left)) {
        if (message->msg != CURLMSG_DONE)
            continue;
        void* transfer = nullptr;
        curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &transfer);
        auto& done = *static_cast<CurlTransfer*>(transfer);
        if (!now)
            now = steady_clock::now();
        retire(done, done.finish(message->data.result, *now));
    }
}

CurlTransfer& SenderLoop::takeTransfer()
{
    if (m_free.empty()) {
        m_transfers.push_back(std::make_unique<CurlTransfer>(m_options, m_poller));
        m_free.push_back(m_transfers.back().get());
    }
    CurlTransfer* transfer = m_free.back();
    m_free.pop_back();
    transfer->slot = m_active.size();
    m_active.push_back(transfer);
    return *transfer;
}

void SenderLoop::retire(CurlTransfer& transfer, HttpOutcome outcome)
{
    if (std::exchange(transfer.inMulti, false))
        curl_multi_remove_handle(m_multi, transfer.handle());
    m_byToken.erase(transfer.token());
    m_active.back()->slot = transfer.slot;
    std::swap(m_active[transfer.slot], m_active.back());
    m_active.pop_back();
    const HttpSender::Callback callback = transfer.takeCallback();
    transfer.clear();
    m_free.push_back(&transfer);
    deliver(std::move(outcome), callback);
}

void SenderLoop::deliver(HttpOutcome outcome, const HttpSender::Callback& callback)
{
    if (callback)
        callback(std::move(outcome));
    else
        m_results.push_back(std::move(outcome));
}

void SenderLoop::flushResults()
{
    if (m_results.empty())
        return;
    std::vector<HttpOutcome> burst;
    std::swap(burst, m_results);
    if (m_sink)
        m_sink(std::move(burst));
}

int SenderLoop::onSocket(CURL*, curl_socket_t socket, int what, void* self, void*)
{
    uint32_t events = 0;
    if (what == CURL_POLL_IN || what == CURL_POLL_INOUT)
        events |= EPOLLIN;
    if (what == CURL_POLL_OUT || what == CURL_POLL_INOUT)
        events |= EPOLLOUT;
    static_cast<SenderLoop*>(self)->m_poller.setInterest(socket, events);
    return 0;
}

int SenderLoop::onTimer(CURLM*, long timeoutMs, void* self)
{
    auto* loop = static_cast<SenderLoop*>(self);
    loop->m_curlDue = timeoutMs < 0 ? Time::max() : steady_clock::now() + milliseconds(timeoutMs);
    return 0;
}

} // namespace redrive
