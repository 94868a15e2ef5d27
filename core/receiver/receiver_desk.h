// What the receiver knows and decides, without any socket: the script, the attempts seen so far, the latest
// arrivals, and the control routes
//   GET    /_arrivals[?since=N]   the latest arrivals, a JSON object a line
//   GET    /_arrivals/N           one of them as it came, head and body
//   DELETE /_arrivals             forgets them, and the attempts
//   GET, POST /_script            the script in effect, another one
//   GET    /_certificate          the certificate as PEM
// which answer only who calls this machine by a loopback name, and no web page of another site. Any thread.
#pragma once

#include "core/base/clock.h"
#include "core/receiver/arrival.h"
#include "core/receiver/receiver_script.h"

#include <deque>
#include <functional>
#include <mutex>
#include <unordered_map>

namespace redrive {

struct ReceivedHead
{
    QByteArray method;
    QByteArray target;
    HeaderFields fields;
    QByteArray text;     // as it came, with its empty line
    bool ofOurs = false; // by a loopback name, and of no foreign page
};

class ReceiverDesk final
{
public:
    static constexpr int kKeptArrivals = 1'000;
    static constexpr qint64 kKeptBytes = 16 * 1024 * 1024; // of requests as they came
    static constexpr std::size_t kKnownAttempts = 100'000;

    struct Setup
    {
        QList<NamedSecret> secrets;
        QString scriptFile;     // looked at before each request, and read when it has changed; empty: none
        QByteArray certificate; // PEM; empty: no TLS
        std::function<void(const Arrival&)> onArrival; // the thread of take()
        std::function<void(const QString&)> onNotice;  // likewise: a script that cannot be used
    };

    ReceiverDesk(Setup setup, const Clock& clock);

    // What to do with a request that is whole. Control routes are answered and leave no arrival.
    Behaviour take(const ReceivedHead& head, const QByteArray& body);
    // A request that could not be read: it is logged.
    void noteRefused(int status, const QString& why);

    void setScript(ReceiverScript script);
    // Reads the script file; an error: the script in effect stays.
    Status readScriptFile();
    QList<Arrival> arrivals() const;

private:
    struct Kept
    {
        Arrival arrival;
        QByteArray text;
    };

    Behaviour decide(const QByteArray& target, qint64 attempt, Arrival& arrival);
    Behaviour control(const ReceivedHead& head, const QByteArray& body);
    Behaviour listArrivals(const QByteArray& query) const;
    Behaviour oneArrival(const QByteArray& number) const;
    void forgetAll();
    qint64 countAttempt(const QByteArray& path, const QByteArray& id);
    void keep(const Arrival& arrival, QByteArray text);
    void lookAtScriptFile();

    const Setup m_setup;
    const Clock& m_clock;

    mutable std::mutex m_mutex; // guards the rest
    ReceiverScript m_script;
    QByteArray m_scriptStamp; // of the file last read
    std::unordered_map<std::string, qint64> m_attempts;
    std::deque<std::string> m_attemptOrder; // oldest first
    std::deque<Kept> m_kept;
    qint64 m_keptBytes = 0;
    quint64 m_lastNo = 0;
};

} // namespace redrive
