#include "core/base/line_reader.h"

namespace redrive {

namespace {
constexpr qsizetype kPieceBytes = 64 * 1024;
}

Result<bool> LineReader::next(Line& line)
{
    line = {m_number + 1, {}, false};
    qsizetype searched = m_at;
    for (;;) {
        const qsizetype end = m_buffer.indexOf('\n', searched);
        const qsizetype length = (end < 0 ? m_buffer.size() : end) - m_at;
        if (length > m_mostBytes)
            line.tooLong = true;
        if (end >= 0 || m_atEnd) {
            if (end < 0 && length == 0 && !line.tooLong)
                return false;
            if (!line.tooLong)
                line.text = m_buffer.mid(m_at, length);
            if (line.text.endsWith('\r'))
                line.text.chop(1);
            m_at = end < 0 ? m_buffer.size() : end + 1;
            ++m_number;
            return true;
        }
        if (line.tooLong)
            m_buffer.clear();
        else
            m_buffer.remove(0, m_at);
        m_at = 0;
        searched = m_buffer.size();
        REDRIVE_ASSIGN(piece, m_source.read(kPieceBytes));
        m_atEnd = piece.isEmpty();
        m_buffer += piece;
    }
}

} // namespace redrive
