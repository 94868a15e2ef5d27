// libcurl's error codes as the stable words of HttpOutcome::errorCode. Pure; any thread.
#pragma once

#include <curl/curl.h>

namespace redrive {

struct CurlFailure
{
    CURLcode code;
    long systemError;   // errno of the failing call, 0 if none
    bool connected;     // the connection was ready for the request
    bool answerStarted; // at least one byte of the answer came
};

const char* errorCodeOf(const CurlFailure& failure);

} // namespace redrive
