// Letters that are brought back from a file of the archive. Plain values; any thread.
#pragma once

#include <QList>
#include <QString>

namespace redrive {

struct ImportCounts
{
    qint64 brought = 0; // or, of a preview, what would be
    qint64 there = 0;   // the letter, or what it is about has gone on since
    qint64 bad = 0;     // lines
};

struct ImportRequest
{
    QString path;
    bool previews = true; // counts what would be, and changes nothing
    QString actor;
    QString source; // console
    QString reason;
};

struct ImportProgress
{
    static constexpr int kBadLinesNamed = 200;

    struct BadLine
    {
        qint64 line = 0; // from 1
        QString why;
    };

    ImportCounts counts;
    QList<BadLine> badLines; // the first of them
    qint64 bytesRead = 0;    // of the file, packed as it is
    qint64 bytes = 0;
    bool isLast = false;
    QString fault; // of the last: why the file was not read to its end; what came before counts
    bool wasStopped = false;
};

} // namespace redrive
