// A scripted HTTP server on loopback with a thread of its own: says what arrived on the wire and answers as
// told. Any thread.
#pragma once

#include "tests/support/received_request.h"
#include "tests/support/receiver_answer.h"

#include <QString>

#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

namespace redrive::test {

struct ReceiverConnection;

class HttpReceiver final
{
public:
    // Listens on a free port of 127.0.0.1.
    HttpReceiver();
    ~HttpReceiver();
    HttpReceiver(const HttpReceiver&) = delete;
    HttpReceiver& operator=(const HttpReceiver&) = delete;

    quint16 port() const { return m_port; }
    // "http://127.0.0.1:PORT/path"
    QString url(const QByteArray& path = "/hook") const;

    // How requests for a path are answered from now on; 200 "ok" until then.
    void answer(const QByteArray& path, ReceiverAnswer answer);
    // How the next one is answered, before that; several queue up.
    void answerNext(const QByteArray& path, ReceiverAnswer answer);
    // Sends the held answers of a path, now and for requests still to come.
    void release(const QByteArray& path = "/hook");

    // What has arrived whole, in order of arrival; an empty path is every path.
    std::vector<ReceivedRequest> arrivals(const QByteArray& path = {}) const;
    int arrivalCount(const QByteArray& path = {}) const;
    // False when fewer came within the time.
    bool waitForArrivals(int count, const QByteArray& path = {}, int timeoutMs = 10'000) const;
    // Until this many connections are open.
    bool waitForOpenConnections(int count, int timeoutMs = 10'000) const;

    int connectionsAccepted() const;
    qint64 bytesSent() const;

private:
    using Connections = std::vector<std::unique_ptr<ReceiverConnection>>;

    void run();
    int pollTimeoutMs(const Connections& connections) const;
    void acceptOne(Connections& connections);
    void readFrom(ReceiverConnection& connection);
    void takeRequests(ReceiverConnection& connection);
    void continueAnswer(ReceiverConnection& connection);
    ReceiverAnswer answerFor(const QByteArray& path);
    bool isReleased(const QByteArray& path) const;
    int countLocked(const QByteArray& path) const;
    void wake();

    int m_listener = -1;
    int m_wakeUp = -1;
    quint16 m_port = 0;

    mutable std::mutex m_mutex; // guards the rest
    mutable std::condition_variable m_changed;
    std::map<QByteArray, ReceiverAnswer> m_answers;
    std::map<QByteArray, std::deque<ReceiverAnswer>> m_nextAnswers;
    std::set<QByteArray> m_released;
    std::vector<ReceivedRequest> m_arrivals;
    int m_accepted = 0;
    int m_open = 0;
    qint64 m_bytesSent = 0;
    bool m_stopping = false;

    std::thread m_thread;
};

} // namespace redrive::test
