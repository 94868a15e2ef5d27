// The demo's webhook endpoints, all on one receiver on loopback: good and slow accept, flaky accepts each
// event the second time, dead never. Any thread.
#pragma once

#include "core/receiver/receiver.h"

#include <QStringList>

namespace redrive {

// Their ids: good, slow, flaky, dead.
const QStringList& demoEndpoints();

Result<std::unique_ptr<Receiver>> startDemoReceiver();
QString demoEndpointUrl(const Receiver& receiver, const QString& id);

// What deliveries to `good` are signed with; it accepts no others.
QString demoSecretName();
QByteArray demoSecret();

} // namespace redrive
