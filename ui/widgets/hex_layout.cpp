#include "ui/widgets/hex_layout.h"

namespace redrive {

namespace {

constexpr qsizetype kBytesOfLine = 16;
constexpr qsizetype kCharactersOfLine = 80;

} // namespace

QString hexLines(const QByteArray& bytes, qint64 offset)
{
    QString text;
    text.reserve((bytes.size() / kBytesOfLine + 1) * kCharactersOfLine);
    for (qsizetype line = 0; line < bytes.size(); line += kBytesOfLine) {
        const qsizetype end = qMin(bytes.size(), line + kBytesOfLine);
        text += QString::number(offset + line, 16).rightJustified(8, u'0') + u' ';
        QString characters;
        for (qsizetype i = line; i < line + kBytesOfLine; ++i) {
            if (i % 8 == 0)
                text += u' ';
            if (i >= end) {
                text += QLatin1String("   ");
                continue;
            }
            const auto byte = uchar(bytes[i]);
            constexpr char16_t digits[] = u"0123456789abcdef";
            text += QChar(digits[byte >> 4]);
            text += QChar(digits[byte & 15]);
            text += u' ';
            characters += byte >= 0x20 && byte < 0x7f ? QChar(byte) : QChar(u'.');
        }
        text += u' ' + characters;
        if (end < bytes.size())
            text += u'\n';
    }
    return text;
}

} // namespace redrive
