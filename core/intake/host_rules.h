// Who may talk to this server from a browser: the Host allow-list against DNS rebinding, Origin and
// Sec-Fetch-Site against foreign pages. Immutable, any thread.
#pragma once

#include "core/intake/http_head.h"

#include <QByteArray>
#include <QStringList>

namespace redrive {

class HostRules final
{
public:
    // localhost, 127.0.0.1, [::1] and the addresses listened on, with any port; `hosts` with any port, or
    // with the one they name.
    HostRules(const QStringList& hosts, const QStringList& listenHosts);

    // A Host field or the authority of an absolute target.
    bool accepts(QByteArrayView host) const;
    // False for a request that another site's page made.
    static bool sameSite(const HttpHead& head);

private:
    QList<QByteArray> m_anyPort;  // lower case
    QList<QByteArray> m_withPort; // lower case
};

} // namespace redrive
