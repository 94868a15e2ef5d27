#include "core/net/http_sender.h"

#include "core/net/sender_loop.h"

namespace redrive {

HttpSender::HttpSender(HttpSenderOptions options) : m_loop(std::make_unique<SenderLoop>(std::move(options)))
{
}

HttpSender::~HttpSender() = default;

void HttpSender::setResultSink(ResultSink sink)
{
    m_loop->setResultSink(std::move(sink));
}

void HttpSender::start()
{
    m_loop->start();
}

bool HttpSender::send(HttpRequest request, Callback callback)
{
    std::vector<Submission> one;
    one.push_back({std::move(request), std::move(callback)});
    return m_loop->inbox().submit(std::move(one));
}

bool HttpSender::send(std::vector<HttpRequest> requests)
{
    std::vector<Submission> submissions;
    submissions.reserve(requests.size());
    for (HttpRequest& request : requests)
        submissions.push_back({std::move(request), {}});
    return m_loop->inbox().submit(std::move(submissions));
}

void HttpSender::cancel(quint64 token)
{
    m_loop->inbox().cancel(token);
}

void HttpSender::beginStop()
{
    m_loop->inbox().close();
}

void HttpSender::stop(int graceMs)
{
    m_loop->stop(graceMs);
}

} // namespace redrive
