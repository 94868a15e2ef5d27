#include "core/config/quoted.h"

#include "core/base/result.h"

namespace redrive {

QString printable(const QString& text, qsizetype longest)
{
    QString shown = text.left(longest);
    if (!shown.isEmpty() && shown.size() < text.size() && shown.back().isHighSurrogate())
        shown.chop(1);
    QString out;
    for (const QChar c : shown) {
        const bool odd = c.category() == QChar::Other_Control || c.category() == QChar::Other_Format ||
                         c.category() == QChar::Separator_Line || c.category() == QChar::Separator_Paragraph;
        if (odd)
            out += u"\\u%1"_s.arg(c.unicode(), 4, 16, QChar(u'0'));
        else
            out += c;
    }
    if (text.size() > longest)
        out += u"…"_s;
    return out;
}

QString quoted(const QString& text)
{
    return u'"' + printable(text, 60) + u'"';
}

} // namespace redrive
