// Keeps the certificate in use as its files are: a renewed one is taken over without a restart, one that
// cannot be used is reported and the one before stays. Intake thread, except state().
#pragma once

#include "core/intake/tls_context.h"

#include <mutex>
#include <optional>

namespace redrive {

struct TlsState
{
    std::optional<qint64> certificateEndsAtMs; // unix; nothing: no TLS
    QString problem;                           // why the files as they are now cannot be used
};

inline constexpr qint64 kCertificateWarningMs = 30 * 86'400'000LL;

class TlsKeeper final
{
public:
    explicit TlsKeeper(TlsFiles files) : m_files(std::move(files)) {}

    // The first time; an error: there is nothing to listen with.
    Status load();
    // Looks at the files, and takes them over when they have changed. Warns in the log, once a day, of a
    // certificate that ends within 30 days.
    void look(qint64 nowMs);
    const std::shared_ptr<const TlsContext>& current() const { return m_current; }
    TlsState state() const; // any thread

private:
    QByteArray stamp() const;
    void setState(TlsState state);

    const TlsFiles m_files;
    std::shared_ptr<const TlsContext> m_current;
    QByteArray m_stamp; // of the files last looked at
    qint64 m_warnedAtMs = 0;

    mutable std::mutex m_mutex; // guards m_state
    TlsState m_state;
};

} // namespace redrive
