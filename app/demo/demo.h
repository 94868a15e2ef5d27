// Everything of --demo but the engine: a receiver, a mail server, files, a configuration and traffic, in a
// thread of their own, over a database that begins empty at every start. Made, started and destroyed on the
// main thread.
#pragma once

#include "app/place.h"

#include <QThread>

#include <memory>

namespace redrive {

class DemoMailbox;
class DemoTraffic;
class Receiver;

class Demo final
{
public:
    // Puts the demo's configuration and database into `place`. Refused while an engine runs on that database.
    static Result<std::unique_ptr<Demo>> prepare(Place& place);
    ~Demo();

    // `listenUrl`: the engine's.
    void startTraffic(const QString& listenUrl);

private:
    Demo();

    std::unique_ptr<Receiver> m_receiver;
    QThread m_thread;
    std::unique_ptr<DemoMailbox> m_mailbox; // these two live in the thread until it has ended
    std::unique_ptr<DemoTraffic> m_traffic;
};

} // namespace redrive
