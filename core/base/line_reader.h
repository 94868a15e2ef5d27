// The lines of a text of any size, each up to a length: what is longer is passed over and said. One thread.
#pragma once

#include "core/base/gzip.h"

namespace redrive {

class LineReader final
{
public:
    struct Line
    {
        qint64 number = 0; // from 1
        QByteArray text;   // without its end, \n or \r\n; of one that is too long: empty
        bool tooLong = false;
    };

    LineReader(UnpackedText& source, qsizetype mostBytes) : m_source(source), m_mostBytes(mostBytes) {}

    // False at the end. After an error nothing more can be read; what came before was given.
    Result<bool> next(Line& line);

private:
    UnpackedText& m_source;
    qsizetype m_mostBytes;
    QByteArray m_buffer;
    qsizetype m_at = 0;
    qint64 m_number = 0;
    bool m_atEnd = false;
};

} // namespace redrive
