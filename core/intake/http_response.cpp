#include "core/intake/http_response.h"

#include "core/base/json_text.h"

#include <QDateTime>
#include <QLocale>

namespace redrive {

namespace {

constexpr qsizetype kMaxFieldsShown = 20;

const char* reasonOf(int status)
{
    switch (status) {
    case 200:
        return "OK";
    case 201:
        return "Created";
    case 202:
        return "Accepted";
    case 400:
        return "Bad Request";
    case 401:
        return "Unauthorized";
    case 403:
        return "Forbidden";
    case 404:
        return "Not Found";
    case 405:
        return "Method Not Allowed";
    case 408:
        return "Request Timeout";
    case 411:
        return "Length Required";
    case 413:
        return "Content Too Large";
    case 414:
        return "URI Too Long";
    case 415:
        return "Unsupported Media Type";
    case 417:
        return "Expectation Failed";
    case 421:
        return "Misdirected Request";
    case 422:
        return "Unprocessable Content";
    case 429:
        return "Too Many Requests";
    case 431:
        return "Request Header Fields Too Large";
    case 501:
        return "Not Implemented";
    case 503:
        return "Service Unavailable";
    case 505:
        return "HTTP Version Not Supported";
    default:
        return "Error";
    }
}

void appendNumber(QByteArray& out, qint64 value)
{
    char digits[24];
    char* at = digits + sizeof digits;
    do {
        *--at = char('0' + value % 10);
        value /= 10;
    } while (value > 0);
    out.append(at, digits + sizeof digits - at);
}

void appendMember(QByteArray& out, const char* key, QStringView value)
{
    out += key;
    appendJsonString(out, value);
}

} // namespace

const QByteArray& DateLine::line()
{
    const qint64 second = m_clock.wallMs() / 1000;
    if (second != m_second) {
        m_second = second;
        const QDateTime time = QDateTime::fromSecsSinceEpoch(second, Qt::UTC);
        m_line =
            "Date: " + QLocale::c().toString(time, u"ddd, dd MMM yyyy hh:mm:ss"_s).toLatin1() + " GMT\r\n";
    }
    return m_line;
}

void appendResponse(QByteArray& out, DateLine& date, int status, const char* contentType, QByteArrayView body,
                    ResponseStyle style, QByteArrayView moreHeaders)
{
    out += "HTTP/1.1 ";
    appendNumber(out, status);
    out += ' ';
    out += reasonOf(status);
    out += "\r\nContent-Type: ";
    out += contentType;
    out += "\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n";
    out += date.line();
    if (style.close)
        out += "Connection: close\r\n";
    out.append(moreHeaders.data(), moreHeaders.size());
    out += "Content-Length: ";
    appendNumber(out, body.size());
    out += "\r\n\r\n";
    if (!style.headOnly)
        out.append(body.data(), body.size());
}

QByteArray problemBody(const HttpProblem& problem, const QString& requestId)
{
    QByteArray out;
    appendMember(out, "{\"error\":", problem.text);
    appendMember(out, ",\"code\":", QString::fromLatin1(problem.code));
    appendMember(out, ",\"requestId\":", requestId);
    if (!problem.detail.isEmpty())
        appendMember(out, ",\"detail\":", problem.detail);
    if (!problem.field.isEmpty())
        appendMember(out, ",\"field\":", problem.field);
    if (problem.index >= 0)
        out += ",\"index\":" + QByteArray::number(problem.index);
    if (problem.offset >= 0)
        out += ",\"offset\":" + QByteArray::number(problem.offset);
    if (!problem.fields.isEmpty()) {
        out += ",\"errors\":[";
        const qsizetype shown = std::min(problem.fields.size(), kMaxFieldsShown);
        for (qsizetype i = 0; i < shown; ++i) {
            out += i == 0 ? "{" : ",{";
            if (problem.fields[i].index >= 0)
                out += "\"index\":" + QByteArray::number(problem.fields[i].index) + ',';
            appendMember(out, "\"field\":", problem.fields[i].field);
            appendMember(out, ",\"error\":", problem.fields[i].text);
            out += '}';
        }
        out += ']';
    }
    return out + '}';
}

void appendProblem(QByteArray& out, DateLine& date, const HttpProblem& problem, const QString& requestId,
                   ResponseStyle style)
{
    QByteArray headers(problem.headers);
    if (problem.retryAfterSeconds > 0)
        headers += "Retry-After: " + QByteArray::number(problem.retryAfterSeconds) + "\r\n";
    appendResponse(out, date, problem.status, kJsonType, problemBody(problem, requestId), style, headers);
}

} // namespace redrive
