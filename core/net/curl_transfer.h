// One exchange inside the sender's loop: a libcurl easy handle, used again for the next one, and what its
// callbacks saw. Sender thread only.
#pragma once

#include "core/net/http_sender.h"
#include "core/net/response_buffer.h"
#include "core/net/target_url.h"

#include <chrono>
#include <curl/curl.h>

namespace redrive {

class SocketPoller;

class CurlTransfer final
{
public:
    using Time = std::chrono::steady_clock::time_point;

    enum class Phase {
        Resolving,  // its name is being looked up; not in the multi handle
        Connecting, // TCP and TLS
        Waiting,    // the connection is ready and the request goes out
        Reading,    // the answer's first byte has come
    };

    CurlTransfer(const HttpSenderOptions& options, SocketPoller& poller);
    ~CurlTransfer();
    CurlTransfer(const CurlTransfer&) = delete;
    CurlTransfer& operator=(const CurlTransfer&) = delete;

    void begin(HttpRequest request, HttpSender::Callback callback, std::shared_ptr<const TargetUrl> target,
               Time now);
    // Before the handle joins the multi handle. `addresses`: what the name resolved to, every one judged;
    // empty for a host that is an address.
    void prepare(const Addresses& addresses, Time now);

    // After libcurl ended it, or to end it: the handle must have left the multi handle only after this call.
    HttpOutcome finish(CURLcode code, Time now);
    HttpOutcome cut(const char* errorCode, QString text, Time now);
    // Lets go of what the request held.
    void clear();

    CURL* handle() const { return m_easy; }
    quint64 token() const { return m_request.token; }
    Phase phase() const { return m_phase; }
    const TargetUrl& target() const { return *m_target; }
    HttpSender::Callback takeCallback() { return std::move(m_callback); }

    // libcurl reports whole header lines only: notices a first byte that is no line yet.
    void noticeFirstByte();
    // The nearest deadline of its phase, and what to say when it has passed.
    Time deadline() const;
    // Not later than any deadline it will have, the phases to come included; after `now`.
    Time nextCheck(Time now) const;
    HttpOutcome timeOut(Time now);

    size_t slot = 0;      // the loop's: its place among the active ones
    bool inMulti = false; // the loop's

private:
    static size_t onHeader(char* data, size_t size, size_t count, void* self);
    static size_t onBody(char* data, size_t size, size_t count, void* self);
    static int onRequest(void* self, char*, char*, int, int);
    static CURLcode onTlsContext(CURL*, void* context, void* self);
    static curl_socket_t openSocket(void* self, curlsocktype purpose, curl_sockaddr* address);
    static int closeSocket(void* poller, curl_socket_t socket);

    void setConstantOptions(const HttpSenderOptions& options, SocketPoller& poller);
    void setHeaders();
    void addHeader(const QByteArray& line);
    void noteTls();
    bool wroteBytes() const;
    void fillTimes(HttpOutcome& outcome) const;
    void fillPeer(HttpOutcome& outcome) const;
    HttpOutcome outcomeSoFar(Time now);

    CURL* m_easy = nullptr;
    const TargetGuard& m_guard;
    HttpRequest m_request;
    HttpSender::Callback m_callback;
    std::shared_ptr<const TargetUrl> m_target;
    curl_slist* m_headers = nullptr;
    curl_slist* m_resolved = nullptr;
    char m_errorText[CURL_ERROR_SIZE] = {};

    Phase m_phase = Phase::Resolving;
    Time m_begun;
    Time m_prepared;
    Time m_requestReady;
    Time m_firstByte;
    ResponseBuffer m_response;
    bool m_resendRefused = false;
    bool m_socketOpened = false;
    std::optional<GuardRefusal> m_refusal;
    HttpOutcome m_outcome;
};

} // namespace redrive
