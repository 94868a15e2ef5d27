// A load generator: keeps a number of connections busy with POST requests in a process of its own, so that
// its work shows as another program's would. Bounded by a number of requests.
#pragma once

#include <QByteArray>

#include <vector>

namespace redrive::bench {

struct LoadPlan
{
    quint16 port = 0;
    int connections = 32;
    int requests = 10'000;
    QByteArray body;
    QByteArray path = "/jobs";
    QByteArray headers = {};           // whole lines
    std::vector<QByteArray> more = {}; // bodies that follow the first one in turn
};

struct LoadResult
{
    int accepted = 0; // answers of 2xx
    int other = 0;
    double seconds = 0;
    double p50Ms = 0;
    double p99Ms = 0;
};

class LoadClient final
{
public:
    // Forks: call it while the process has no thread that holds locks, or none at all.
    explicit LoadClient(const LoadPlan& plan);
    ~LoadClient();
    // The child waits until the port is known.
    void start(quint16 port);
    LoadResult wait();

private:
    int m_child = 0;
    int m_toChild = -1;
    int m_fromChild = -1;
};

} // namespace redrive::bench
