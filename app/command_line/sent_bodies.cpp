#include "app/command_line/sent_bodies.h"

#include "core/base/json_gate.h"

#include <QStringDecoder>

#include <algorithm>

namespace redrive {

namespace {

Result<QList<OutgoingMessage>> jsonMessages(const QByteArray& input)
{
    const auto wholeFault = checkJson(input);
    if (!wholeFault)
        return QList<OutgoingMessage>{{input.trimmed(), ContentType::Json, {}}};
    QList<OutgoingMessage> messages;
    const QList<QByteArray> lines = input.split('\n');
    const auto used = std::count_if(lines.begin(), lines.end(),
                                    [](const QByteArray& line) { return !line.trimmed().isEmpty(); });
    for (qsizetype i = 0; i < lines.size() && used > 1; ++i) {
        const QByteArray line = lines[i].trimmed();
        if (line.isEmpty())
            continue;
        if (const auto fault = checkJson(line))
            return fail(ErrorKind::InvalidInput, u"line %1 is refused"_s.arg(i + 1), fault->text());
        messages.append({line, ContentType::Json, {}});
    }
    if (messages.isEmpty())
        return fail(ErrorKind::InvalidInput, u"the body is refused"_s, wholeFault->text());
    return messages;
}

} // namespace

Result<QList<OutgoingMessage>> messagesOf(const QByteArray& input, ContentType type)
{
    if (type == ContentType::Json)
        return jsonMessages(input);
    if (type == ContentType::Text) {
        QStringDecoder decoder(QStringDecoder::Utf8);
        const QString decoded = decoder(input);
        if (decoder.hasError() || decoded.contains(QChar(u'\0')))
            return fail(ErrorKind::InvalidInput,
                        u"text must be UTF-8 without NUL: --type bytes takes anything"_s);
    }
    return QList<OutgoingMessage>{{input, type, {}}};
}

bool isOneLine(const QString& text)
{
    return !text.isEmpty() && std::none_of(text.begin(), text.end(),
                                           [](QChar c) { return c.category() == QChar::Other_Control; });
}

} // namespace redrive
