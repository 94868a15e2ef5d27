// Answers as bytes. Intake thread.
#pragma once

#include "core/base/clock.h"
#include "core/intake/http_problem.h"

#include <QByteArray>

namespace redrive {

// The Date line, made once a second.
class DateLine final
{
public:
    explicit DateLine(Clock& clock) : m_clock(clock) {}
    const QByteArray& line();

private:
    Clock& m_clock;
    qint64 m_second = -1;
    QByteArray m_line;
};

struct ResponseStyle
{
    bool close = false;    // says Connection: close
    bool headOnly = false; // the answer to HEAD: the body is counted, not sent
};

constexpr const char* kJsonType = "application/json";
constexpr const char* kMetricsType = "text/plain; version=0.0.4; charset=utf-8";

void appendResponse(QByteArray& out, DateLine& date, int status, const char* contentType, QByteArrayView body,
                    ResponseStyle style, QByteArrayView moreHeaders = {});

// The body of every refusal: error, code, requestId, and where there are any detail, field, offset and
// errors.
QByteArray problemBody(const HttpProblem& problem, const QString& requestId);
void appendProblem(QByteArray& out, DateLine& date, const HttpProblem& problem, const QString& requestId,
                   ResponseStyle style);

} // namespace redrive
