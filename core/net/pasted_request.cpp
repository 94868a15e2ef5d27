#include "core/net/pasted_request.h"

#include <algorithm>

namespace redrive {

namespace {

QByteArray withoutMark(QByteArray line)
{
    if (line.endsWith('\r'))
        line.chop(1);
    return line.startsWith("> ") || line == ">" ? line.mid(2) : line;
}

bool isRequestLine(const QByteArray& line)
{
    const qsizetype space = line.indexOf(' ');
    return space > 0 && line.indexOf(':') != space - 1 && line.contains(" HTTP/");
}

bool isName(const QByteArray& name)
{
    return !name.isEmpty() && std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
               c == '_';
    });
}

// What the field says the body has, where what follows is only what copying adds.
QByteArray cutToLength(const QByteArray& body, const HeaderFields& fields)
{
    bool ok = false;
    const qint64 length = fieldValue(fields, "content-length").toLongLong(&ok);
    const bool cuts = ok && length >= 0 && length < body.size() && body.mid(length).trimmed().isEmpty();
    return cuts ? body.first(length) : body;
}

} // namespace

QByteArray fieldValue(const HeaderFields& fields, QByteArrayView name)
{
    for (const auto& [field, value] : fields)
        if (field.compare(name, Qt::CaseInsensitive) == 0)
            return value.isNull() ? QByteArray("") : value;
    return {};
}

Result<PastedRequest> readPastedRequest(const QByteArray& text)
{
    PastedRequest request;
    qsizetype at = 0;
    int number = 0;
    while (at < text.size()) {
        const qsizetype end = text.indexOf('\n', at);
        const QByteArray line = withoutMark(text.mid(at, end < 0 ? -1 : end - at));
        at = end < 0 ? text.size() : end + 1;
        ++number;
        if (line.trimmed().isEmpty() && request.fields.isEmpty())
            continue; // before the first one
        if (line.trimmed().isEmpty())
            break;
        if (request.fields.isEmpty() && isRequestLine(line))
            continue;
        const qsizetype colon = line.indexOf(':');
        if (!isName(line.first(std::max<qsizetype>(colon, 0)).trimmed()))
            return fail(
                ErrorKind::InvalidInput,
                u"line %1 is no header field (\"Name: value\"); an empty line ends them, then comes the body"_s
                    .arg(number));
        request.fields.append({line.first(colon).trimmed(), line.mid(colon + 1).trimmed()});
    }
    if (request.fields.isEmpty())
        return fail(
            ErrorKind::InvalidInput,
            u"there is no header field: what is needed are the fields webhook-id, webhook-timestamp and "
            "webhook-signature, an empty line, and the body"_s);
    request.body = cutToLength(text.mid(at), request.fields);
    return request;
}

} // namespace redrive
