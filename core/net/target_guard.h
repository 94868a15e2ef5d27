// Decides which addresses a webhook may reach (protection against server-side request forgery). Judges
// addresses, never names: whoever resolves a name judges every address of it and connects to a judged one.
// Immutable after make(); any thread.
#pragma once

#include "core/net/allow_entry.h"

#include <QList>
#include <QStringList>

namespace redrive {

struct GuardRefusal
{
    QString address;
    QString range;     // "private network (10.0.0.0/8)"
    QString allowLine; // allow_private_targets = ["10.0.0.7/32:8443"], the entries in force included

    QString text() const;
};

class TargetGuard final
{
public:
    // Allows the public internet only.
    TargetGuard() = default;
    // `entries` as in allow_private_targets; the error names every entry that cannot be read. Loopback is
    // allowed without an entry where `loopbackListener` says that the engine itself listens on loopback.
    static Result<TargetGuard> make(const QStringList& entries, bool loopbackListener);

    bool allows(const IpAddress& address, quint16 port) const;
    // Nothing where the address is allowed.
    std::optional<GuardRefusal> judge(const IpAddress& address, quint16 port) const;

private:
    bool coveredByEntry(const IpAddress& judged, quint16 port, bool exactOnly) const;
    QString allowLineFor(const IpAddress& judged, quint16 port) const;

    QList<AllowEntry> m_entries;
    bool m_allowLoopback = false;
};

} // namespace redrive
