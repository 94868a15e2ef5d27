// The certificate and key of the TLS listener, ready for connections: TLS 1.2 and above. Immutable once
// loaded; connections keep the one they began with.
#pragma once

#include "core/base/result.h"

#include <QByteArray>

#include <memory>

struct ssl_ctx_st;

namespace redrive {

struct TlsFiles
{
    QString certificate; // PEM: the certificate, then those that lead to its root
    QString key;         // PEM, without a passphrase

    bool isEmpty() const { return certificate.isEmpty() && key.isEmpty(); }
};

class TlsContext final
{
public:
    // InvalidInput: a file cannot be read, or the two do not belong together. Blocking file reads.
    static Result<std::shared_ptr<const TlsContext>> load(const TlsFiles& files);
    // The same of PEM texts that are held in memory.
    static Result<std::shared_ptr<const TlsContext>> ofPem(const QByteArray& certificate,
                                                           const QByteArray& key);
    ~TlsContext();
    TlsContext(const TlsContext&) = delete;
    TlsContext& operator=(const TlsContext&) = delete;

    ssl_ctx_st* handle() const { return m_context; }
    qint64 endsAtMs() const { return m_endsAtMs; } // of the certificate, unix

private:
    explicit TlsContext(ssl_ctx_st* context) : m_context(context) {}
    static Result<std::shared_ptr<TlsContext>> make();

    ssl_ctx_st* m_context;
    qint64 m_endsAtMs = 0;
};

} // namespace redrive
