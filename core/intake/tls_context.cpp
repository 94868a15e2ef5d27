#include "core/intake/tls_context.h"

#include <QFile>

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <ctime>

namespace redrive {

namespace {

using Bio = std::unique_ptr<BIO, decltype(&BIO_free_all)>;

Error because(const QString& message)
{
    const unsigned long code = ERR_peek_last_error();
    const char* reason = code ? ERR_reason_error_string(code) : nullptr;
    ERR_clear_error();
    return {ErrorKind::InvalidInput, message, reason ? QString::fromUtf8(reason) : QString(), u"tls"_s};
}

// A key that asks for a passphrase is refused: nobody is there to type it.
int noPassphrase(char*, int, int, void*)
{
    return 0;
}

qint64 endOf(SSL_CTX* context)
{
    const X509* certificate = SSL_CTX_get0_certificate(context);
    std::tm end{};
    if (!certificate || ASN1_TIME_to_tm(X509_get0_notAfter(certificate), &end) != 1)
        return 0;
    return qint64(timegm(&end)) * 1000;
}

} // namespace

Result<std::shared_ptr<TlsContext>> TlsContext::make()
{
    ERR_clear_error();
    SSL_CTX* context = SSL_CTX_new(TLS_server_method());
    if (!context)
        return fail(because(u"TLS cannot be set up"_s));
    std::shared_ptr<TlsContext> loaded(new TlsContext(context));
    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION |
                                     SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_IGNORE_UNEXPECTED_EOF);
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                  SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_default_passwd_cb(context, noPassphrase);
    return loaded;
}

Result<std::shared_ptr<const TlsContext>> TlsContext::load(const TlsFiles& files)
{
    REDRIVE_ASSIGN(loaded, make());
    SSL_CTX* context = loaded->handle();
    if (SSL_CTX_use_certificate_chain_file(context, QFile::encodeName(files.certificate).constData()) != 1)
        return fail(because(u"the certificate '%1' cannot be used"_s.arg(files.certificate)));
    if (SSL_CTX_use_PrivateKey_file(context, QFile::encodeName(files.key).constData(), SSL_FILETYPE_PEM) != 1)
        return fail(because(u"the key '%1' cannot be used"_s.arg(files.key)));
    if (SSL_CTX_check_private_key(context) != 1)
        return fail(
            because(u"the key '%1' is not that of the certificate '%2'"_s.arg(files.key, files.certificate)));
    loaded->m_endsAtMs = endOf(context);
    return std::shared_ptr<const TlsContext>(std::move(loaded));
}

Result<std::shared_ptr<const TlsContext>> TlsContext::ofPem(const QByteArray& certificate,
                                                            const QByteArray& key)
{
    REDRIVE_ASSIGN(loaded, make());
    SSL_CTX* context = loaded->handle();
    const Bio certificateText(BIO_new_mem_buf(certificate.constData(), int(certificate.size())),
                              &BIO_free_all);
    const Bio keyText(BIO_new_mem_buf(key.constData(), int(key.size())), &BIO_free_all);
    const std::unique_ptr<X509, decltype(&X509_free)> own(
        PEM_read_bio_X509(certificateText.get(), nullptr, nullptr, nullptr), &X509_free);
    const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> ownKey(
        PEM_read_bio_PrivateKey(keyText.get(), nullptr, noPassphrase, nullptr), &EVP_PKEY_free);
    if (!own || !ownKey || SSL_CTX_use_certificate(context, own.get()) != 1 ||
        SSL_CTX_use_PrivateKey(context, ownKey.get()) != 1)
        return fail(because(u"the certificate and its key cannot be used"_s));
    loaded->m_endsAtMs = endOf(context);
    return std::shared_ptr<const TlsContext>(std::move(loaded));
}

TlsContext::~TlsContext()
{
    SSL_CTX_free(m_context);
}

} // namespace redrive
