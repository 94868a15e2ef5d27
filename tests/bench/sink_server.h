// A receiver of webhooks in a process of its own: answers 200 to every request at once.
#pragma once

#include <QtGlobal>

namespace redrive::bench {

class SinkServer final
{
public:
    SinkServer(); // forks, as LoadClient does
    ~SinkServer();
    quint16 port() const { return m_port; }

private:
    int m_child = 0;
    quint16 m_port = 0;
};

} // namespace redrive::bench
