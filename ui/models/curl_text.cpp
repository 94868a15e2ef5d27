#include "ui/models/curl_text.h"

#include "core/base/result.h"

#include <QStringList>

#include <algorithm>

namespace redrive {

namespace {

bool isControl(QChar c)
{
    return c.category() == QChar::Other_Control || c.category() == QChar::Other_Format ||
           c.category() == QChar::Separator_Line || c.category() == QChar::Separator_Paragraph;
}

QString escaped(QChar c)
{
    if (c == u'\\' || c == u'\'')
        return u'\\' + QString(c);
    if (c == u'\n')
        return u"\\n"_s;
    if (!isControl(c))
        return c;
    QString text;
    for (const char byte : QString(c).toUtf8())
        text += u"\\x%1"_s.arg(uint(static_cast<unsigned char>(byte)), 2, 16, QLatin1Char('0'));
    return text;
}

} // namespace

QString shellWord(const QString& text)
{
    if (!std::any_of(text.begin(), text.end(), isControl)) {
        QString quoted = text;
        return u'\'' + quoted.replace(u'\'', u"'\\''"_s) + u'\'';
    }
    QString word = u"$'"_s;
    for (const QChar c : text)
        word += escaped(c);
    return word + u'\'';
}

QString curlText(const QString& url, const QString& headers, const QByteArray& body)
{
    QStringList words{u"curl"_s};
    if (std::any_of(url.begin(), url.end(), [](QChar c) { return u"[]{}"_s.contains(c); }))
        words << u"--globoff"_s; // else curl takes them for a set of URLs
    words << u"--request"_s << u"POST"_s << shellWord(url);
    for (const QString& header : headers.split(u'\n', Qt::SkipEmptyParts))
        words << u"--header"_s << shellWord(header);
    if (!headers.contains(u"content-type:"_s, Qt::CaseInsensitive))
        words << u"--header"_s << shellWord(u"Content-Type: application/json"_s);
    words << u"--data-binary"_s << shellWord(QString::fromUtf8(body));
    return words.join(u' ');
}

} // namespace redrive
