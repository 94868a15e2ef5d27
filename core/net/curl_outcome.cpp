#include "core/net/curl_outcome.h"

#include <cerrno>

namespace redrive {

namespace {

const char* connectError(long systemError)
{
    switch (systemError) {
    case ECONNREFUSED:
        return "refused";
    case ENETUNREACH:
    case EHOSTUNREACH:
    case ENETDOWN:
    case EADDRNOTAVAIL:
    case EAFNOSUPPORT:
        return "unreachable";
    case ETIMEDOUT:
        return "timeout_connect";
    default:
        return "connect_failed";
    }
}

} // namespace

const char* errorCodeOf(const CurlFailure& failure)
{
    switch (failure.code) {
    case CURLE_COULDNT_RESOLVE_HOST:
        return "dns_failed";
    case CURLE_COULDNT_CONNECT:
        return connectError(failure.systemError);
    case CURLE_OPERATION_TIMEDOUT:
        return failure.connected ? "timeout_total" : "timeout_connect";
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CIPHER:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_INVALIDCERTSTATUS:
        return "tls_failed";
    case CURLE_GOT_NOTHING:
    case CURLE_SEND_FAIL_REWIND:
    case CURLE_ABORTED_BY_CALLBACK:
        return "closed_without_answer";
    case CURLE_PARTIAL_FILE:
        return "closed_in_answer";
    case CURLE_SEND_ERROR:
        return "reset";
    case CURLE_RECV_ERROR:
        if (failure.answerStarted && failure.systemError != ECONNRESET)
            return "bad_answer";
        return "reset";
    case CURLE_WEIRD_SERVER_REPLY:
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_BAD_CONTENT_ENCODING:
    case CURLE_WRITE_ERROR:
    case CURLE_HTTP2:
        return "bad_answer";
    case CURLE_OUT_OF_MEMORY: // also a field longer than libcurl buffers
        return failure.connected ? "headers_too_large" : "internal";
    default:
        return failure.connected ? "bad_answer" : "internal";
    }
}

} // namespace redrive
