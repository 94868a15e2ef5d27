// The thread behind HttpSender: takes requests, resolves and judges names, drives libcurl, keeps the
// deadlines.
#pragma once

#include "core/net/curl_transfer.h"
#include "core/net/sender_inbox.h"
#include "core/net/target_cache.h"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <unordered_map>

namespace redrive {

class SenderLoop final
{
public:
    using Time = CurlTransfer::Time;

    explicit SenderLoop(HttpSenderOptions options);
    ~SenderLoop();
    SenderLoop(const SenderLoop&) = delete;
    SenderLoop& operator=(const SenderLoop&) = delete;

    // As HttpSender's.
    void setResultSink(HttpSender::ResultSink sink) { m_sink = std::move(sink); }
    void start();
    SenderInbox& inbox() { return m_inbox; }
    void stop(int graceMs);

private:
    static int onSocket(CURL*, curl_socket_t socket, int what, void* self, void*);
    static int onTimer(CURLM*, long timeoutMs, void* self);

    void run();
    void takeInbox();
    void startQueued();
    void startOne(Submission submission, Time now);
    void connectTo(CurlTransfer& transfer, const Addresses& addresses, Time now);
    void takeName(ResolvedName name);
    void cancelOne(quint64 token);
    void cancelAll();
    void expireDeadlines();
    void runCurlTimers();
    void waitForWork();
    void readMessages();

    CurlTransfer& takeTransfer();
    void retire(CurlTransfer& transfer, HttpOutcome outcome);
    void deliver(HttpOutcome outcome, const HttpSender::Callback& callback);
    void flushResults();
    int pollTimeoutMs() const;
    bool canStart() const { return !m_queue.empty() && !isFull(); }
    bool isFull() const { return int(m_active.size()) >= m_options.maxInFlight; }
    bool isIdle() const { return m_active.empty() && m_queue.empty(); }

    const HttpSenderOptions m_options;
    HttpSender::ResultSink m_sink;
    SocketPoller m_poller;
    SenderInbox m_inbox;

    std::mutex m_endMutex; // guards m_ended
    std::condition_variable m_endedChanged;
    bool m_ended = false;
    std::atomic<bool> m_cutOff = false;

    std::mutex m_joinMutex; // guards m_thread
    std::thread m_thread;

    // The sender's thread only:
    CURLM* m_multi = nullptr;
    std::deque<Submission> m_queue; // what is more than maxInFlight
    std::vector<std::unique_ptr<CurlTransfer>> m_transfers;
    std::vector<CurlTransfer*> m_free;
    std::vector<CurlTransfer*> m_active;
    std::unordered_map<quint64, CurlTransfer*> m_byToken;
    TargetCache m_known;
    std::vector<HttpOutcome> m_results;
    Time m_curlDue = Time::max();
    Time m_nextDeadline = Time::max(); // not later than the nearest deadline of an active transfer
    bool m_closed = false;

    Resolver m_resolver; // last: its answers go to the inbox
};

} // namespace redrive
