// Answers of the port on their way to the intake thread. push() from any thread; a burst of pushes wakes the
// receiver once. Shared by the front and the callbacks it gave away, so that a late callback finds it.
#pragma once

#include "core/intake/intake_port.h"

#include <QEvent>

#include <mutex>
#include <variant>
#include <vector>

class QObject;

namespace redrive {

// Which answer of which connection. Numbers are never used again.
struct Ticket
{
    quint64 connection = 0;
    quint64 request = 0;
};

// The port's answer, and what the front knew before it asked.
struct Ingested
{
    Result<IngestReply> reply;
    QByteArray errors;      // of a batch: as eventErrors() says them
    qsizetype rejected = 0; // of a batch
};

struct Completion
{
    Ticket ticket;
    std::variant<Result<EnqueueReply>, Ingested, Result<QByteArray>, Health> outcome;
};

class CompletionQueue final
{
public:
    static QEvent::Type eventType();

    // The object that gets an event when there is something to take; null: nobody any more.
    void setReceiver(QObject* receiver);
    void push(Completion completion);
    std::vector<Completion> take();

private:
    std::mutex m_mutex; // guards the rest
    QObject* m_receiver = nullptr;
    bool m_told = false;
    std::vector<Completion> m_waiting;
};

} // namespace redrive
