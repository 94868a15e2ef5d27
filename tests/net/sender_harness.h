// A started HttpSender whose outcomes land in a box, and short ways to post. Test thread.
#pragma once

#include "core/net/http_sender.h"
#include "tests/support/outcome_box.h"

#include <QTest>

namespace redrive::test {

struct SenderHarness
{
    OutcomeBox box; // outlives the sender
    HttpSender sender;
    quint64 lastToken = 0;

    explicit SenderHarness(HttpSenderOptions options = loopbackOptions()) : sender(std::move(options))
    {
        sender.setResultSink([this](std::vector<HttpOutcome> outcomes) { box.add(std::move(outcomes)); });
        sender.start();
    }

    static HttpSenderOptions loopbackOptions()
    {
        HttpSenderOptions options;
        options.guard = TargetGuard::make({}, true).value();
        return options;
    }

    HttpRequest request(const QString& url, const QByteArray& body = "{\"a\":1}")
    {
        HttpRequest request;
        request.token = ++lastToken;
        request.url = url;
        request.headers = {{"Content-Type", "application/json"}};
        request.body = std::make_shared<const QByteArray>(body);
        return request;
    }

    quint64 post(HttpRequest request)
    {
        const quint64 token = request.token;
        return sender.send(std::move(request)) ? token : 0;
    }

    // Posts and waits; fails the test when no outcome comes.
    HttpOutcome exchange(HttpRequest request)
    {
        const quint64 token = post(std::move(request));
        auto outcome = box.wait(token);
        if (!outcome)
            QTest::qFail("no outcome came", __FILE__, __LINE__);
        return outcome.value_or(HttpOutcome());
    }
    HttpOutcome exchange(const QString& url) { return exchange(request(url)); }
};

using Outcome = HttpOutcome::Class;

} // namespace redrive::test

Q_DECLARE_METATYPE(redrive::HttpOutcome::Class)
