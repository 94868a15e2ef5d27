// The thread behind HttpSender: takes requests, resolves and judges names, drives libcurl, keeps the
// deadlines.
#pragma once

#include "core/net/curl_transfer.h"
#include "core/net/socket_poller.h"

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

    struct Submission
    {
        HttpRequest request;
        HttpSender::Callback callback;
    };

    explicit SenderLoop(HttpSenderOptions options);
    ~SenderLoop();
    SenderLoop(const SenderLoop&) = delete;
    SenderLoop& operator=(const SenderLoop&) = delete;

    void setResultSink(HttpSender::ResultSink sink) { m_sink = std::move(sink); }
    void start();
    bool post(std::vector<Submission> submissions);
    void cancel(quint64 token);
    void beginStop();
    void stop(int graceMs);

private:
    struct Resolved
    {
        QByteArray host;
        Result<Addresses> addresses;
    };

    struct Inbox
    {
        std::vector<Submission> submissions;
        std::vector<quint64> cancels;
        std::vector<Resolved> resolved;
    };

    struct KnownName
    {
        Addresses addresses;
        Time until;
    };

    static int onSocket(CURL*, curl_socket_t socket, int what, void* self, void*);
    static int onTimer(CURLM*, long timeoutMs, void* self);

    void run();
    void takeInbox();
    void startQueued();
    void startOne(Submission submission, Time now);
    void connectTo(CurlTransfer& transfer, const Addresses& addresses, Time now);
    void takeResolved(Resolved resolved);
    void cancelOne(quint64 token);
    void cancelAll();
    void expireDeadlines();
    void runCurlTimers();
    void waitForWork();
    void readMessages();
    Result<std::shared_ptr<const TargetUrl>> targetOf(const HttpRequest& request);

    CurlTransfer& takeTransfer();
    void retire(CurlTransfer& transfer, HttpOutcome outcome);
    void deliver(HttpOutcome outcome, const HttpSender::Callback& callback);
    void flushResults();
    int pollTimeoutMs() const;
    bool isIdle() const { return m_active.empty() && m_queue.empty(); }

    const HttpSenderOptions m_options;
    HttpSender::ResultSink m_sink;
    SocketPoller m_poller;

    std::mutex m_mutex; // guards m_inbox, m_wakePending, m_stopping, m_ended
    std::condition_variable m_endedChanged;
    Inbox m_inbox;
    bool m_wakePending = false;
    bool m_stopping = false;
    bool m_ended = false;
    std::atomic<bool> m_cutOff = false;

    std::mutex m_joinMutex; // guards m_thread
    std::thread m_thread;

    // The sender's thread only:
    CURLM* m_multi = nullptr;
    std::deque<Submission> m_queue; // more than maxInFlight
    std::vector<std::unique_ptr<CurlTransfer>> m_transfers;
    std::vector<CurlTransfer*> m_idle;
    std::vector<CurlTransfer*> m_active;
    std::unordered_map<quint64, CurlTransfer*> m_byToken;
    std::unordered_map<QByteArray, KnownName> m_names;
    std::unordered_map<QString, std::shared_ptr<const TargetUrl>> m_targets;
    std::vector<HttpOutcome> m_results;
    Time m_curlDue = Time::max();
    Time m_nextDeadline = Time::max(); // not later than the nearest deadline of an active transfer
    bool m_stopSeen = false;

    Resolver m_resolver; // last: its answers use the members above
};

} // namespace redrive
