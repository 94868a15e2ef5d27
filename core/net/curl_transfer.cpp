#include "core/net/curl_transfer.h"

#include "core/net/curl_outcome.h"
#include "core/net/peer_certificate.h"
#include "core/net/socket_poller.h"

#include <cstring>
#include <new>
#include <sys/socket.h>
#include <unistd.h>

namespace redrive {

namespace {

constexpr long kBufferBytes = 16 * 1024; // libcurl's least for what is sent; each exchange has one of its own
constexpr long kAuthoritiesKeptSeconds = 600; // then a changed file is read

qint64 microseconds(CurlTransfer::Time from, CurlTransfer::Time to)
{
    return std::chrono::duration_cast<std::chrono::microseconds>(to - from).count();
}

} // namespace

CurlTransfer::CurlTransfer(const HttpSenderOptions& options, SocketPoller& poller)
    : m_easy(curl_easy_init()), m_guard(options.guard)
{
    if (!m_easy)
        throw std::bad_alloc();
    setConstantOptions(options, poller);
}

CurlTransfer::~CurlTransfer()
{
    curl_easy_cleanup(m_easy);
    curl_slist_free_all(m_headers);
    curl_slist_free_all(m_resolved);
}

void CurlTransfer::setConstantOptions(const HttpSenderOptions& options, SocketPoller& poller)
{
    const auto set = [this](CURLoption option, auto value) { curl_easy_setopt(m_easy, option, value); };
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_PRIVATE, this);
    set(CURLOPT_ERRORBUFFER, m_errorText);
    set(CURLOPT_PROTOCOLS_STR, "http,https");
    set(CURLOPT_HTTP_VERSION, long(CURL_HTTP_VERSION_1_1));
    set(CURLOPT_HTTP09_ALLOWED, 0L);
    set(CURLOPT_PROXY, "");
    set(CURLOPT_NETRC, long(CURL_NETRC_IGNORED));
    set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1L);
    set(CURLOPT_FOLLOWLOCATION, 0L);
    set(CURLOPT_PATH_AS_IS, 1L);
    set(CURLOPT_SSLVERSION, long(CURL_SSLVERSION_TLSv1_2));
    set(CURLOPT_SSL_VERIFYPEER, 1L);
    set(CURLOPT_SSL_VERIFYHOST, 2L);
    // Authorities come from one file alone: only then does libcurl keep them between connections. Reading
    // them anew takes this thread tens of milliseconds, at the cost of everybody else.
    set(CURLOPT_CAPATH, static_cast<const char*>(nullptr));
    set(CURLOPT_CA_CACHE_TIMEOUT, kAuthoritiesKeptSeconds);
    set(CURLOPT_SSL_CTX_FUNCTION, &CurlTransfer::onTlsContext);
    set(CURLOPT_SSL_CTX_DATA, this);
    if (!options.caFile.isEmpty())
        set(CURLOPT_CAINFO, options.caFile.toLocal8Bit().constData());
    set(CURLOPT_MAXAGE_CONN, long(options.idleConnectionSeconds));
    set(CURLOPT_UPLOAD_BUFFERSIZE, kBufferBytes);
    set(CURLOPT_BUFFERSIZE, kBufferBytes / 2);
    set(CURLOPT_POST, 1L);
    set(CURLOPT_HEADERFUNCTION, &CurlTransfer::onHeader);
    set(CURLOPT_HEADERDATA, this);
    set(CURLOPT_WRITEFUNCTION, &CurlTransfer::onBody);
    set(CURLOPT_WRITEDATA, this);
    set(CURLOPT_PREREQFUNCTION, &CurlTransfer::onRequest);
    set(CURLOPT_PREREQDATA, this);
    set(CURLOPT_OPENSOCKETFUNCTION, &CurlTransfer::openSocket);
    set(CURLOPT_OPENSOCKETDATA, this);
    set(CURLOPT_CLOSESOCKETFUNCTION, &CurlTransfer::closeSocket);
    set(CURLOPT_CLOSESOCKETDATA, &poller);
}

void CurlTransfer::begin(HttpRequest request, HttpSender::Callback callback,
                         std::shared_ptr<const TargetUrl> target, Time now)
{
    m_request = std::move(request);
    m_callback = std::move(callback);
    m_target = std::move(target);
    m_phase = Phase::Resolving;
    m_begun = m_prepared = m_requestReady = m_firstByte = now;
    m_response = {};
    m_resendRefused = m_socketOpened = false;
    m_refusal.reset();
    m_errorText[0] = '\0';
    m_outcome = {};
    m_outcome.token = m_request.token;
}

void CurlTransfer::prepare(const Addresses& addresses, Time now)
{
    m_phase = Phase::Connecting;
    m_prepared = now;
    m_outcome.dnsUs = addresses.empty() ? 0 : microseconds(m_begun, now);

    curl_easy_setopt(m_easy, CURLOPT_URL, m_target->encoded.constData());
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline() - now).count();
    curl_easy_setopt(m_easy, CURLOPT_CONNECTTIMEOUT_MS, long(std::max<qint64>(1, left)));

    // The body is not copied: m_request keeps it until clear().
    const QByteArray* body = m_request.body.get();
    curl_easy_setopt(m_easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body ? body->size() : 0));
    curl_easy_setopt(m_easy, CURLOPT_POSTFIELDS, body ? body->constData() : "");
    setHeaders();

    if (!addresses.empty()) {
        QByteArray entry = '+' + m_target->host + ':' + QByteArray::number(m_target->port) + ':';
        for (const IpAddress& address : addresses) {
            const QByteArray text = address.toString().toLatin1();
            entry += (address.isV6 ? '[' + text + ']' : text) + ',';
        }
        entry.chop(1);
        m_resolved = curl_slist_append(nullptr, entry.constData());
    }
    curl_easy_setopt(m_easy, CURLOPT_RESOLVE, m_resolved);
}

void CurlTransfer::addHeader(const QByteArray& line)
{
    curl_slist* list = curl_slist_append(m_headers, line.constData());
    if (!list)
        throw std::bad_alloc();
    m_headers = list;
}

void CurlTransfer::setHeaders()
{
    bool hasType = false;
    for (const auto& [name, value] : m_request.headers) {
        hasType = hasType || name.compare("Content-Type", Qt::CaseInsensitive) == 0;
        // libcurl's own spelling of a field with an empty value.
        addHeader(QByteArrayView(value).trimmed().isEmpty() ? name + ';' : name + ": " + value);
    }
    if (!hasType)
        addHeader("Content-Type:");
    addHeader("Expect:");
    curl_easy_setopt(m_easy, CURLOPT_HTTPHEADER, m_headers);
}

void CurlTransfer::clear()
{
    curl_easy_setopt(m_easy, CURLOPT_HTTPHEADER, nullptr);
    curl_easy_setopt(m_easy, CURLOPT_RESOLVE, nullptr);
    curl_easy_setopt(m_easy, CURLOPT_POSTFIELDS, "");
    curl_slist_free_all(m_headers);
    curl_slist_free_all(m_resolved);
    m_headers = m_resolved = nullptr;
    m_request = {};
    m_callback = nullptr;
    m_target.reset();
}

CurlTransfer::Time CurlTransfer::deadline() const
{
    using std::chrono::milliseconds;
    const Time total = m_begun + milliseconds(m_request.totalTimeoutMs);
    switch (m_phase) {
    case Phase::Resolving:
    case Phase::Connecting:
        return std::min(total, m_begun + milliseconds(m_request.connectTimeoutMs));
    case Phase::Waiting:
        return std::min(total, m_requestReady + milliseconds(m_request.firstByteTimeoutMs));
    case Phase::Reading:
        break;
    }
    return total;
}

void CurlTransfer::noticeFirstByte()
{
    if (m_phase != Phase::Waiting)
        return;
    curl_off_t sincePrepared = 0; // microseconds
    curl_easy_getinfo(m_easy, CURLINFO_STARTTRANSFER_TIME_T, &sincePrepared);
    if (sincePrepared == 0)
        return;
    m_phase = Phase::Reading;
    m_firstByte = std::max(m_requestReady, m_prepared + std::chrono::microseconds(sincePrepared));
}

CurlTransfer::Time CurlTransfer::nextCheck(Time now) const
{
    if (m_phase >= Phase::Waiting)
        return deadline();
    return std::min(deadline(), now + std::chrono::milliseconds(m_request.firstByteTimeoutMs));
}

HttpOutcome CurlTransfer::timeOut(Time now)
{
    const auto seconds = [](int ms) { return QString::number(ms / 1000.0); };
    if (now >= m_begun + std::chrono::milliseconds(m_request.totalTimeoutMs))
        return cut("timeout_total",
                   u"the exchange was not complete after %1 s"_s.arg(seconds(m_request.totalTimeoutMs)), now);
    if (m_phase == Phase::Waiting)
        return cut("timeout_first_byte",
                   u"no answer began within %1 s"_s.arg(seconds(m_request.firstByteTimeoutMs)), now);
    return cut("timeout_connect",
               (m_phase == Phase::Resolving ? u"the name was not resolved within %1 s"_s
                                            : u"no connection within %1 s"_s)
                   .arg(seconds(m_request.connectTimeoutMs)),
               now);
}

bool CurlTransfer::wroteBytes() const
{
    long written = 0;
    curl_easy_getinfo(m_easy, CURLINFO_REQUEST_SIZE, &written);
    return m_phase >= Phase::Waiting && (written > 0 || m_phase == Phase::Reading);
}

void CurlTransfer::fillPeer(HttpOutcome& outcome) const
{
    if (m_phase < Phase::Waiting)
        return; // the address last tried stands there
    const char* peer = nullptr;
    long port = 0;
    curl_easy_getinfo(m_easy, CURLINFO_PRIMARY_IP, &peer);
    curl_easy_getinfo(m_easy, CURLINFO_PRIMARY_PORT, &port);
    outcome.peerAddress = QString::fromLatin1(peer);
    outcome.peerPort = quint16(port);
}

void CurlTransfer::fillTimes(HttpOutcome& outcome) const
{
    long connects = 0;
    curl_easy_getinfo(m_easy, CURLINFO_NUM_CONNECTS, &connects);
    if (connects == 0)
        return;
    curl_off_t looked = 0, connected = 0, secured = 0;
    curl_easy_getinfo(m_easy, CURLINFO_NAMELOOKUP_TIME_T, &looked);
    curl_easy_getinfo(m_easy, CURLINFO_CONNECT_TIME_T, &connected);
    curl_easy_getinfo(m_easy, CURLINFO_APPCONNECT_TIME_T, &secured);
    outcome.connectUs = std::max<curl_off_t>(0, connected - looked);
    outcome.tlsUs = secured > connected ? secured - connected : 0;
}

HttpOutcome CurlTransfer::outcomeSoFar(Time now)
{
    HttpOutcome outcome = std::move(m_outcome);
    outcome.totalUs = microseconds(m_begun, now);
    // Until then the handle still tells of its last exchange.
    if (m_socketOpened || m_phase >= Phase::Waiting) {
        fillTimes(outcome);
        fillPeer(outcome);
    }
    if (m_phase == Phase::Reading) {
        long status = 0;
        curl_easy_getinfo(m_easy, CURLINFO_RESPONSE_CODE, &status);
        outcome.status = int(status);
        outcome.firstByteUs = microseconds(m_requestReady, m_firstByte);
        outcome.responseHeaders = m_response.headers();
        outcome.responseBody = m_response.body();
        outcome.responseCut = m_response.bodyCut();
        outcome.retryAfter = m_response.field("Retry-After");
    }
    return outcome;
}

HttpOutcome CurlTransfer::cut(const char* errorCode, QString text, Time now)
{
    HttpOutcome outcome = outcomeSoFar(now);
    outcome.outcome = wroteBytes() ? HttpOutcome::Class::Unknown : HttpOutcome::Class::NotSent;
    outcome.errorCode = QString::fromLatin1(errorCode);
    outcome.errorText = std::move(text);
    return outcome;
}

HttpOutcome CurlTransfer::finish(CURLcode code, Time now)
{
    if (code == CURLE_OK && !m_response.headersComplete())
        return cut("closed_in_answer", u"the connection was closed within the answer's headers"_s, now);
    if (code == CURLE_OK && !m_response.isHttp1())
        return cut("bad_answer", u"the answer is not HTTP/1"_s, now);
    if (code == CURLE_OK || m_response.bodyCut()) {
        HttpOutcome outcome = outcomeSoFar(now);
        outcome.outcome = HttpOutcome::Class::Answered;
        return outcome;
    }
    if (m_refusal && m_phase == Phase::Connecting) {
        HttpOutcome outcome = cut("blocked", m_refusal->text(), now);
        outcome.permanent = true;
        return outcome;
    }
    if (m_resendRefused)
        return cut("closed_without_answer", u"the server closed the connection without answering"_s, now);
    if (m_response.headersTooLarge())
        return cut("headers_too_large", u"the answer's headers are larger than 64 KiB"_s, now);

    long systemError = 0;
    curl_easy_getinfo(m_easy, CURLINFO_OS_ERRNO, &systemError);
    const CurlFailure failure{code, systemError, m_phase >= Phase::Waiting, m_phase == Phase::Reading};
    const char* words = *m_errorText ? m_errorText : curl_easy_strerror(code);
    return cut(errorCodeOf(failure), QString::fromLocal8Bit(words).simplified(), now);
}

size_t CurlTransfer::onHeader(char* data, size_t size, size_t count, void* self)
{
    auto* transfer = static_cast<CurlTransfer*>(self);
    const size_t bytes = size * count;
    if (transfer->m_phase != Phase::Reading) {
        transfer->m_phase = Phase::Reading;
        transfer->m_firstByte = std::chrono::steady_clock::now();
    }
    return transfer->m_response.takeHeader({data, qsizetype(bytes)}) ? bytes : 0;
}

size_t CurlTransfer::onBody(char* data, size_t size, size_t count, void* self)
{
    const size_t bytes = size * count;
    return static_cast<CurlTransfer*>(self)->m_response.takeBody({data, qsizetype(bytes)}) ? bytes : 0;
}

int CurlTransfer::onRequest(void* self, char*, char*, int, int)
{
    auto* transfer = static_cast<CurlTransfer*>(self);
    // libcurl comes here a second time to send again by itself, when a kept connection was closed on it.
    if (transfer->wroteBytes()) {
        transfer->m_resendRefused = true;
        return CURL_PREREQFUNC_ABORT;
    }
    transfer->m_phase = Phase::Waiting;
    transfer->m_requestReady = std::chrono::steady_clock::now();
    if (transfer->m_target->isTls)
        transfer->noteTls();
    return CURL_PREREQFUNC_OK;
}

CURLcode CurlTransfer::onTlsContext(CURL*, void* context, void* self)
{
    noteExpiryInHandshake(static_cast<ssl_ctx_st*>(context),
                          &static_cast<CurlTransfer*>(self)->m_outcome.certificateExpiryMs);
    return CURLE_OK;
}

void CurlTransfer::noteTls()
{
    const curl_tlssessioninfo* session = nullptr;
    curl_easy_getinfo(m_easy, CURLINFO_TLS_SSL_PTR, &session);
    if (!session || session->backend != CURLSSLBACKEND_OPENSSL || !session->internals)
        return;
    const auto* connection = static_cast<ssl_st*>(session->internals);
    endNoting(connection); // it may outlive this transfer
    const PeerTls tls = describePeer(connection);
    m_outcome.tlsVersion = tls.version;
    m_outcome.certificateExpiryMs = tls.certificateExpiryMs;
}

curl_socket_t CurlTransfer::openSocket(void* self, curlsocktype, curl_sockaddr* address)
{
    auto* transfer = static_cast<CurlTransfer*>(self);
    const auto ip = IpAddress::fromSockaddr(&address->addr);
    if (!ip)
        return CURL_SOCKET_BAD;
    if (auto refusal = transfer->m_guard.judge(*ip, transfer->m_target->port)) {
        transfer->m_refusal = std::move(refusal);
        return CURL_SOCKET_BAD;
    }
    transfer->m_socketOpened = true;
    transfer->m_outcome.peerAddress = ip->toString();
    transfer->m_outcome.peerPort = transfer->m_target->port;
    return socket(address->family, address->socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, address->protocol);
}

int CurlTransfer::closeSocket(void* poller, curl_socket_t socket)
{
    static_cast<SocketPoller*>(poller)->forget(socket);
    return close(socket);
}

} // namespace redrive
