#include "core/intake/socket_stream.h"

#include <openssl/err.h>
#include <openssl/ssl.h>

#include <cerrno>
#include <sys/socket.h>
#include <unistd.h>

namespace redrive {

namespace {

SocketStream::Step plainStep(ssize_t result)
{
    using Outcome = SocketStream::Outcome;
    if (result > 0)
        return {Outcome::Moved, qsizetype(result)};
    if (result == 0)
        return {Outcome::Ended, 0};
    return {errno == EAGAIN || errno == EINTR ? Outcome::Waits : Outcome::Failed, 0};
}

} // namespace

SocketStream::SocketStream(int socket, std::shared_ptr<const TlsContext> tls)
    : m_socket(socket), m_tls(std::move(tls))
{
    if (!m_tls)
        return;
    m_ssl = SSL_new(m_tls->handle());
    if (m_ssl && SSL_set_fd(m_ssl, m_socket) == 1)
        SSL_set_accept_state(m_ssl);
}

SocketStream::~SocketStream()
{
    SSL_free(m_ssl);
    ERR_clear_error();
    ::close(m_socket);
}

SocketStream::Step SocketStream::read(std::span<char> into)
{
    if (!m_tls)
        return plainStep(::recv(m_socket, into.data(), into.size(), 0));
    if (!m_ssl)
        return {};
    ERR_clear_error();
    return tlsStep(SSL_read(m_ssl, into.data(), int(into.size())));
}

SocketStream::Step SocketStream::write(std::span<const char> bytes)
{
    if (!m_tls)
        return plainStep(::send(m_socket, bytes.data(), bytes.size(), MSG_NOSIGNAL));
    if (!isReady())
        return {};
    ERR_clear_error();
    const Step step = tlsStep(SSL_write(m_ssl, bytes.data(), int(bytes.size())));
    m_writesFirst = false; // only read() waits for room by itself
    return step;
}

SocketStream::Step SocketStream::tlsStep(int result)
{
    m_writesFirst = false;
    if (result > 0)
        return {Outcome::Moved, result};
    switch (SSL_get_error(m_ssl, result)) {
    case SSL_ERROR_WANT_READ:
        return {Outcome::Waits, 0};
    case SSL_ERROR_WANT_WRITE:
        m_writesFirst = true;
        return {Outcome::Waits, 0};
    case SSL_ERROR_ZERO_RETURN:
        return {Outcome::Ended, 0};
    default:
        return {};
    }
}

bool SocketStream::isReady() const
{
    return !m_tls || (m_ssl && SSL_is_init_finished(m_ssl) == 1);
}

bool SocketStream::endOutput()
{
    if (m_tls && isReady()) {
        ERR_clear_error();
        SSL_shutdown(m_ssl); // says so once; the answer is not waited for
    }
    return ::shutdown(m_socket, SHUT_WR) == 0;
}

bool SocketStream::discard(std::span<char> scratch)
{
    const ssize_t got = ::recv(m_socket, scratch.data(), scratch.size(), 0);
    return got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR));
}

} // namespace redrive
