// A test alert, to see whether a target takes it: recorded nowhere, grouped with nothing. Any thread.
#pragma once

#include "core/deadletter/alert_target.h"
#include "core/net/http_sender.h"

namespace redrive {

// Answers on the sender's thread, or at once where nothing can be sent: NotFound, Refused.
void sendAlertTest(const Settings& settings, const QString& targetId, qint64 nowMs, HttpSender& sender,
                   std::function<void(Result<AlertTestResult>)> answer);

} // namespace redrive
