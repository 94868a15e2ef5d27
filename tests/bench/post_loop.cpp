#include "tests/bench/post_loop.h"

#include "tests/bench/engine_run.h"

#include <curl/curl.h>

#include <vector>

namespace redrive::bench {

namespace {

size_t swallow(char*, size_t size, size_t count, void*)
{
    return size * count;
}

CURL* makeHandle(const QByteArray& url, const QByteArray& body, curl_slist* headers)
{
    CURL* easy = curl_easy_init();
    curl_easy_setopt(easy, CURLOPT_URL, url.constData());
    curl_easy_setopt(easy, CURLOPT_POSTFIELDS, body.constData());
    curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE, long(body.size()));
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, &swallow);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_PROXY, "");
    return easy;
}

} // namespace

double postLoop(quint16 port, int posts, int inFlight, const QByteArray& body)
{
    const QByteArray url = "http://127.0.0.1:" + QByteArray::number(port) + "/hook";
    curl_slist* headers = nullptr;
    for (const char* header :
         {"Content-Type: application/json", "Expect:", "User-Agent: Redrive/bench",
          "webhook-id: 0190a000-0000-7000-8000-000000000000", "webhook-timestamp: 1900000000"})
        headers = curl_slist_append(headers, header);
    CURLM* multi = curl_multi_init();
    curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, long(inFlight));
    std::vector<CURL*> handles;
    int begun = 0;
    const auto start = std::chrono::steady_clock::now();
    for (; begun < std::min(posts, inFlight); ++begun) {
        handles.push_back(makeHandle(url, body, headers));
        curl_multi_add_handle(multi, handles.back());
    }
    for (int done = 0; done < posts;) {
        int running = 0;
        curl_multi_perform(multi, &running);
        int left = 0;
        while (const CURLMsg* message = curl_multi_info_read(multi, &left)) {
            CURL* easy = message->easy_handle;
            long status = 0;
            curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
            if (status != 200)
                qFatal("the bare loop was answered %ld", status);
            ++done;
            curl_multi_remove_handle(multi, easy);
            if (begun < posts) {
                ++begun;
                curl_multi_add_handle(multi, easy);
            }
        }
        if (done < posts)
            curl_multi_poll(multi, nullptr, 0, 1'000, nullptr);
    }
    const double rate = posts / secondsSince(start);
    for (CURL* easy : handles)
        curl_easy_cleanup(easy);
    curl_multi_cleanup(multi);
    curl_slist_free_all(headers);
    return rate;
}

} // namespace redrive::bench
