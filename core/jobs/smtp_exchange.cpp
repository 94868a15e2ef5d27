#include "core/jobs/smtp_exchange.h"

#include "core/jobs/smtp_replies.h"
#include "core/jobs/smtp_watch.h"

#include <QFile>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>

namespace redrive {

namespace {

constexpr long kConnectMs = 10'000;
constexpr int kPollMs = 1'000; // the watch wakes it earlier
constexpr qsizetype kShortestSecret = 4;

struct CurlEasy
{
    CURL* handle = curl_easy_init();
    ~CurlEasy() { curl_easy_cleanup(handle); }
};

struct CurlMulti
{
    explicit CurlMulti(SmtpWatch& toWake) : watch(toWake) { watch.setMulti(handle); }
    ~CurlMulti()
    {
        watch.setMulti(nullptr);
        curl_multi_cleanup(handle);
    }
    CurlMulti(const CurlMulti&) = delete;
    CurlMulti& operator=(const CurlMulti&) = delete;

    CURLM* handle = curl_multi_init();
    SmtpWatch& watch;
};

struct Transfer
{
    const QByteArray& text;
    SmtpWatch& watch;
    qsizetype sent = 0;
    SmtpReplies replies;
    bool leaving = false; // QUIT was sent: what the server says now is about nothing

    static size_t read(char* buffer, size_t size, size_t count, void* self)
    {
        auto* transfer = static_cast<Transfer*>(self);
        const qsizetype part = std::min(qsizetype(size * count), transfer->text.size() - transfer->sent);
        std::memcpy(buffer, transfer->text.constData() + transfer->sent, size_t(part));
        transfer->sent += part;
        return size_t(part);
    }
    static size_t header(char* line, size_t size, size_t count, void* self)
    {
        auto* transfer = static_cast<Transfer*>(self);
        if (!transfer->leaving)
            transfer->replies.takeLine({line, qsizetype(size * count)});
        if (transfer->replies.accepted())
            transfer->watch.settled();
        return size * count;
    }
    static int sending(CURL*, curl_infotype type, char* data, size_t size, void* self)
    {
        auto* transfer = static_cast<Transfer*>(self);
        if (type == CURLINFO_HEADER_OUT && QByteArrayView(data, qsizetype(size)).startsWith("QUIT")) {
            transfer->leaving = true;
            transfer->watch.settled();
        }
        return 0;
    }
};

using RecipientList = std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)>;

RecipientList recipientList(const QList<QByteArray>& recipients)
{
    curl_slist* list = nullptr;
    for (const QByteArray& recipient : recipients)
        list = curl_slist_append(list, ('<' + recipient + '>').constData());
    return RecipientList(list, &curl_slist_free_all);
}

long useOfTls(SmtpTls tls)
{
    switch (tls) {
    case SmtpTls::Required:
        return CURLUSESSL_ALL;
    case SmtpTls::Never:
        return CURLUSESSL_NONE;
    case SmtpTls::WhereOffered:
        break;
    }
    return CURLUSESSL_TRY;
}

void setUpConnection(CURL* curl, const SmtpServer& server, SmtpWatch& watch)
{
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_QUICK_EXIT, 1L); // does not wait for a name that is being looked up
    curl_easy_setopt(curl, CURLOPT_FORBID_REUSE, 1L);
    curl_easy_setopt(curl, CURLOPT_URL, server.at.url.toUtf8().constData());
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "smtp,smtps");
    curl_easy_setopt(curl, CURLOPT_PROXY, "");
    curl_easy_setopt(curl, CURLOPT_NETRC, long(CURL_NETRC_IGNORED));
    curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, kConnectMs);
    curl_easy_setopt(curl, CURLOPT_SSLVERSION, long(CURL_SSLVERSION_TLSv1_2));
    curl_easy_setopt(curl, CURLOPT_USE_SSL, useOfTls(server.at.tls));
    if (!server.caFile.isEmpty())
        curl_easy_setopt(curl, CURLOPT_CAINFO, QFile::encodeName(server.caFile).constData());
    if (!server.at.user.isEmpty()) {
        curl_easy_setopt(curl, CURLOPT_USERNAME, server.at.user.toUtf8().constData());
        curl_easy_setopt(curl, CURLOPT_PASSWORD, server.at.password.constData());
    }
    curl_easy_setopt(curl, CURLOPT_OPENSOCKETFUNCTION, &SmtpWatch::openSocket);
    curl_easy_setopt(curl, CURLOPT_OPENSOCKETDATA, &watch);
    curl_easy_setopt(curl, CURLOPT_CLOSESOCKETFUNCTION, &SmtpWatch::closeSocket);
    curl_easy_setopt(curl, CURLOPT_CLOSESOCKETDATA, &watch);
}

void setUpMail(CURL* curl, const QByteArray& from, curl_slist* recipients, Transfer& transfer)
{
    curl_easy_setopt(curl, CURLOPT_MAIL_FROM, ('<' + from + '>').constData());
    curl_easy_setopt(curl, CURLOPT_MAIL_RCPT, recipients);
    curl_easy_setopt(curl, CURLOPT_UPLOAD, 1L);
    curl_easy_setopt(curl, CURLOPT_READFUNCTION, &Transfer::read);
    curl_easy_setopt(curl, CURLOPT_READDATA, &transfer);
    curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, &Transfer::header);
    curl_easy_setopt(curl, CURLOPT_HEADERDATA, &transfer);
    curl_easy_setopt(curl, CURLOPT_DEBUGFUNCTION, &Transfer::sending);
    curl_easy_setopt(curl, CURLOPT_DEBUGDATA, &transfer);
    curl_easy_setopt(curl, CURLOPT_VERBOSE, 1L); // or nothing is debugged
}

// A server may repeat what it was sent.
QString withoutPassword(QString text, const SmtpUrl& at)
{
    if (at.password.size() < kShortestSecret)
        return text;
    const QByteArray plain = '\0' + at.user.toUtf8() + '\0' + at.password;
    for (const QByteArray& secret : {plain.toBase64(), at.password.toBase64(), at.password})
        text.replace(QString::fromUtf8(secret), u"***"_s);
    return text;
}

SmtpOutcome outcomeOf(CURLcode result, const SmtpReplies& replies, SmtpWatch::Cut cut, const char* words)
{
    SmtpOutcome outcome;
    outcome.replyCode = replies.code();
    // Of a connection that broke, the last reply says nothing.
    const bool broke = result == CURLE_RECV_ERROR || result == CURLE_GOT_NOTHING;
    if (replies.accepted()) {
        outcome.end = SmtpOutcome::End::Accepted;
    } else if (cut == SmtpWatch::Cut::Stopped) {
        outcome.end = SmtpOutcome::End::Cancelled;
        outcome.error = u"stopped"_s;
    } else if (cut == SmtpWatch::Cut::TimeLimit) {
        outcome.end = SmtpOutcome::End::TimedOut;
    } else if (replies.code() >= 400 && !broke) {
        outcome.end = replies.code() >= 500 ? SmtpOutcome::End::Refused : SmtpOutcome::End::Failed;
        outcome.error = u"SMTP "_s + replies.text();
    } else {
        outcome.error = QString::fromUtf8(*words ? words : curl_easy_strerror(result)).simplified();
    }
    return outcome;
}

// The result of the one transfer, or that of a cut.
CURLcode perform(CURLM* multi, const SmtpWatch& watch)
{
    for (;;) {
        int running = 0;
        curl_multi_perform(multi, &running);
        int left = 0;
        if (const CURLMsg* message = curl_multi_info_read(multi, &left);
            message && message->msg == CURLMSG_DONE)
            return message->data.result;
        if (watch.cut() != SmtpWatch::Cut::No)
            return CURLE_ABORTED_BY_CALLBACK;
        curl_multi_poll(multi, nullptr, 0, kPollMs, nullptr);
    }
}

} // namespace

SmtpOutcome sendBySmtp(const SmtpServer& server, const SmtpMail& mail, qint64 timeLimitMs,
                       const std::function<bool()>& goOn)
{
    static const CURLcode once = curl_global_init(CURL_GLOBAL_DEFAULT);
    Q_UNUSED(once);
    const auto until = timeLimitMs > 0
                           ? std::chrono::steady_clock::now() + std::chrono::milliseconds(timeLimitMs)
                           : SmtpWatch::Time::max();
    const RecipientList recipients = recipientList(mail.recipients);
    char words[CURL_ERROR_SIZE] = {};
    SmtpWatch watch(goOn, until);
    Transfer transfer{mail.text, watch, 0, {}, false};
    CurlMulti multi(watch);
    CurlEasy easy;
    setUpConnection(easy.handle, server, watch);
    setUpMail(easy.handle, mail.from, recipients.get(), transfer);
    curl_easy_setopt(easy.handle, CURLOPT_ERRORBUFFER, words);
    curl_multi_add_handle(multi.handle, easy.handle);
    const CURLcode result = perform(multi.handle, watch);
    curl_multi_remove_handle(multi.handle, easy.handle);
    SmtpOutcome outcome = outcomeOf(result, transfer.replies, watch.cut(), words);
    outcome.error = withoutPassword(outcome.error, server.at);
    return outcome;
}

} // namespace redrive
