// What other threads hand to the sender's: a burst costs one wake-up. Any thread.
#pragma once

#include "core/net/http_sender.h"
#include "core/net/socket_poller.h"

#include <mutex>

namespace redrive {

struct Submission
{
    HttpRequest request;
    HttpSender::Callback callback;
};

struct ResolvedName
{
    QByteArray host;
    Result<Addresses> addresses;
};

class SenderInbox final
{
public:
    struct Contents
    {
        std::vector<Submission> submissions;
        std::vector<quint64> cancels;
        std::vector<ResolvedName> names;
        bool closed = false; // no submission comes after these
    };

    explicit SenderInbox(SocketPoller& poller) : m_poller(poller) {}

    // False once closed.
    bool submit(std::vector<Submission> submissions);
    void cancel(quint64 token);
    void addName(ResolvedName name);
    void close();

    Contents take();

private:
    void wakeLocked();

    SocketPoller& m_poller;
    std::mutex m_mutex; // guards the rest
    Contents m_contents;
    bool m_wakePending = false;
};

} // namespace redrive
