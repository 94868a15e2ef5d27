// What an engine is started with. Plain values.
#pragma once

#include "core/base/clock.h"
#include "core/config/settings.h"
#include "core/db/ballast.h"
#include "core/db/target.h"
#include "core/jobs/handler_registry.h"
#include "core/webhooks/endpoint_secret.h"

#include <functional>
#include <memory>

namespace redrive {

struct EngineOptions
{
    Settings settings;
    DatabaseTarget database;
    std::shared_ptr<Clock> clock = std::make_shared<SystemClock>();
    // False: no consumers, no deliveries, no sweep; actions are left to a running engine. Then a store that
    // cannot be written is read all the same.
    bool consume = true;
    bool listen = true; // serve HTTP on settings.listen
    QString readOnly;   // the name of a profile that opens read-only: its console's actions are refused
    qint64 leaseMs = 30'000;
    qint64 drainMs = 25'000;                    // how long a stopping engine waits for running jobs
    qint64 ballastBytes = Ballast::kUsualBytes; // space kept in hand for a full disk; 0: none
    // Finds a secret that settings.secrets does not have: one that was made since. Empty: there is none.
    // Called on the control thread.
    std::function<QByteArray(const QString&)> laterSecret;
    // Where the secret of the token is kept that is made at the first start, when nothing else would open
    // POST /ingest; empty: none is made.
    QString keptTokenFile;
    // Keeps a secret that is made for an endpoint; nothing: none is made. Called on the control thread.
    SecretKeeper keepSecret;
    SecretForgetter forgetSecret; // the same, of one that was made in vain
    // Adds job types beyond those built in and configured.
    std::function<void(HandlerRegistry&)> addHandlers;
};

} // namespace redrive
