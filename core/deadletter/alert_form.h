// The request that carries an alert, in the form that its target reads. Pure; any thread.
#pragma once

#include "core/deadletter/alert_target.h"
#include "core/net/http_exchange.h"

namespace redrive {

// Who alerts.
struct AlertSource
{
    QString host;
    QString environment; // may be empty
};

AlertSource alertSource(const Settings& settings);

// Slack: {"text"}. PagerDuty: an Events v2 trigger whose dedup_key is the group's. Json: see the README.
QByteArray alertBody(const PostTarget& target, const Alert& alert, const AlertSource& source);
// Without its token.
HttpRequest alertRequest(const PostTarget& target, const Alert& alert, const AlertSource& source);

// For Slack: nothing in it is a link, a mention or an entity.
QString slackEscaped(const QString& text);

} // namespace redrive
