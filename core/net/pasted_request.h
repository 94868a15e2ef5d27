// An HTTP request as people copy it: from a log, a terminal or a mail. Pure; any thread.
#pragma once

#include "core/base/result.h"

#include <QByteArray>
#include <QList>
#include <QPair>

namespace redrive {

using HeaderFields = QList<QPair<QByteArray, QByteArray>>;

struct PastedRequest
{
    HeaderFields fields; // names as they are written, values trimmed
    QByteArray body;
};

// The request line may be missing, lines may end in LF or CRLF, and each may begin with "> " as curl -v shows
// them. All that follows the first empty line is the body, up to Content-Length where white space follows it.
// InvalidInput: there is no header field; a line that is none, with its number.
Result<PastedRequest> readPastedRequest(const QByteArray& text);

// The value of the first field of that name, whatever its case; null: it was not sent.
QByteArray fieldValue(const HeaderFields& fields, QByteArrayView name);

} // namespace redrive
