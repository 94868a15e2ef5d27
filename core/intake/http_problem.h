// A refusal as the client sees it. Clients rely on its status and code. Value, any thread.
#pragma once

#include "core/base/json_fault.h"
#include "core/base/result.h"

#include <QList>

namespace redrive {

struct FieldProblem
{
    QString field;
    QString text;
    qsizetype index = -1; // of the item in a batch; -1: not sent
};

struct HttpProblem
{
    int status = 400;
    const char* code = "";
    QString text;
    bool close = false;              // the connection ends after the answer
    int retryAfterSeconds = 0;       // 0: not sent
    const char* headers = "";        // further header lines with their line ends
    QString field = {};              // may be empty
    QString detail = {};             // may be empty
    qsizetype offset = -1;           // -1: not sent
    qsizetype index = -1;            // of the item in a batch; -1: not sent
    QList<FieldProblem> fields = {}; // at most 20 are sent
};

namespace problem {

HttpProblem unauthorized();
HttpProblem duplicateHeader(const char* name);
HttpProblem bodyTooLarge(qint64 limit);
HttpProblem lengthRequired();
HttpProblem badContentLength();
HttpProblem ambiguousLength();
HttpProblem unsupportedTransferEncoding();
HttpProblem badChunk();
HttpProblem uriTooLong(qsizetype limit);
HttpProblem headersTooLarge(int fields, qsizetype bytes);
HttpProblem badHeader();
HttpProblem requestTimeout();
HttpProblem unknownMethod();
HttpProblem methodNotAllowed(const char* allowHeader);
HttpProblem badRequest();
HttpProblem versionNotSupported();
HttpProblem hostRequired();
HttpProblem wrongHost();
HttpProblem originNotAllowed();
HttpProblem unsupportedMediaType();
HttpProblem expectationFailed();
HttpProblem notFound();
HttpProblem fromJson(const JsonFault& fault);
// The same for an event: a text that is no JSON says so in fixed words, and where in `detail`.
HttpProblem ofEvent(const JsonFault& fault);
HttpProblem eventTooLarge(qint64 limit);
HttpProblem noTelemetryQueue();
HttpProblem noJobsQueue();
// An error of the port for an event: what the table refuses or cannot take has the database's words.
HttpProblem ofEvent(const Error& error);
HttpProblem invalidFields(QList<FieldProblem> fields);
HttpProblem itemTooLarge(qsizetype index, qint64 limit);
HttpProblem urlNotAllowed(QString field);
HttpProblem pathNotAllowed(QString field);
HttpProblem tooManyRequests(int retryAfterSeconds);
HttpProblem dbBusy();
HttpProblem shuttingDown();
HttpProblem tooManyConnections();
// An error of the port.
HttpProblem fromError(const Error& error);

} // namespace problem

} // namespace redrive
