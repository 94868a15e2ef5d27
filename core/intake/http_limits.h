// Limits of the HTTP front. Value, any thread.
#pragma once

#include <QtGlobal>

namespace redrive {

struct HttpLimits
{
    qsizetype targetBytes = 8192;
    qsizetype headerBytes = 16384; // all field lines with their line ends
    int headerFields = 64;
    qint64 bodyBytes = 128'000;
    qint64 batchBytes = 256'000; // of POST /jobs/batch and /ingest/batch; bodyBytes of each item

    int connections = 1024;
    int surplusConnections = 1024; // those being told 503; beyond them a connection is closed at once
    int connectionsPerAddress = 64;
    bool loopbackCounts = false; // connections from this machine have no limit of their own
    int requestsPerConnection = 10'000;
    int openAnswers = 128;         // requests of one connection that wait for their answer at once
    qsizetype unsentBytes = 65536; // of answers: beyond it nothing more is read from the connection

    qint64 headerMs = 10'000;
    qint64 bodyMs = 20'000; // then one second more per KiB received; answers are sent by the same measure
    qint64 keepAliveMs = 15'000;
    qint64 answerMs = 30'000; // for the engine to answer
    qint64 lingerMs = 2000;   // reading on after our last byte, so that the client can read it
    qint64 surplusLingerMs = 1000;
};

} // namespace redrive
