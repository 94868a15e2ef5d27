#include "core/jobs/smtp_exchange.h"

#include <curl/curl.h>

#include <QFile>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>

#include <sys/socket.h>

namespace redrive {

namespace {

constexpr int kLookMs = 50;
constexpr long kConnectMs = 10'000;
constexpr qsizetype kMaxReply = 500;

struct CurlEasy
{
    CURL* handle = curl_easy_init();
    ~CurlEasy() { curl_easy_cleanup(handle); }
};

struct CurlMulti
{
    CURLM* handle = curl_multi_init();
    ~CurlMulti() { curl_multi_cleanup(handle); }
};

struct Transfer
{
    const QByteArray& text;
    qsizetype sent = 0;
    QByteArray refusal; // the server's last line that was one
    curl_socket_t socket = CURL_SOCKET_BAD;

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
        if (size * count > 0 && (*line == '4' || *line == '5'))
            static_cast<Transfer*>(self)->refusal =
                QByteArray(line, qsizetype(size * count)).left(kMaxReply).trimmed();
        return size * count;
    }
    static curl_socket_t openSocket(void* self, curlsocktype, curl_sockaddr* address)
    {
        auto* transfer = static_cast<Transfer*>(self);
        transfer->socket = ::socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
        return transfer->socket;
    }
    // libcurl would wait for the answer to its QUIT.
    void cutOff() const
    {
        if (socket != CURL_SOCKET_BAD)
            ::shutdown(socket, SHUT_RDWR);
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

void setUp(CURL* curl, const SmtpServer& server, const SmtpMail& mail, Transfer& transfer,
           curl_slist* recipients)
{
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_URL, server.url.toUtf8().constData());
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "smtp,smtps");
    curl_easy_setopt(curl, CURLOPT_PROXY, "");
    curl_easy_setopt(curl, CURLOPT_NETRC, long(CURL_NETRC_IGNORED));
    curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, kConnectMs);
    curl_easy_setopt(curl, CURLOPT_SSLVERSION, long(CURL_SSLVERSION_TLSv1_2));
    curl_easy_setopt(curl, CURLOPT_USE_SSL,
                     long(server.password.isEmpty() ? CURLUSESSL_TRY : CURLUSESSL_ALL));
    if (!server.caFile.isEmpty())
        curl_easy_setopt(curl, CURLOPT_CAINFO, QFile::encodeName(server.caFile).constData());
    if (!server.user.isEmpty()) {
        curl_easy_setopt(curl, CURLOPT_USERNAME, server.user.toUtf8().constData());
        curl_easy_setopt(curl, CURLOPT_PASSWORD, server.password.constData());
    }
    curl_easy_setopt(curl, CURLOPT_MAIL_FROM, ('<' + mail.from + '>').constData());
    curl_easy_setopt(curl, CURLOPT_MAIL_RCPT, recipients);
    curl_easy_setopt(curl, CURLOPT_UPLOAD, 1L);
    curl_easy_setopt(curl, CURLOPT_READFUNCTION, &Transfer::read);
    curl_easy_setopt(curl, CURLOPT_READDATA, &transfer);
    curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, &Transfer::header);
    curl_easy_setopt(curl, CURLOPT_HEADERDATA, &transfer);
    curl_easy_setopt(curl, CURLOPT_OPENSOCKETFUNCTION, &Transfer::openSocket);
    curl_easy_setopt(curl, CURLOPT_OPENSOCKETDATA, &transfer);
}

SmtpOutcome outcomeOf(CURL* curl, CURLcode result, const Transfer& transfer, const char* words)
{
    SmtpOutcome outcome;
    long code = 0;
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &code);
    outcome.replyCode = int(code);
    if (result == CURLE_OK) {
        outcome.end = SmtpOutcome::End::Accepted;
        return outcome;
    }
    if (code >= 400) {
        outcome.end = code >= 500 ? SmtpOutcome::End::Refused : SmtpOutcome::End::Failed;
        outcome.error =
            QStringLiteral("SMTP ") +
            (transfer.refusal.isEmpty() ? QString::number(code) : QString::fromUtf8(transfer.refusal));
        return outcome;
    }
    outcome.error = QString::fromUtf8(*words ? words : curl_easy_strerror(result));
    return outcome;
}

} // namespace

SmtpOutcome sendBySmtp(const SmtpServer& server, const SmtpMail& mail, qint64 timeLimitMs,
                       const std::function<bool()>& goOn)
{
    static const CURLcode once = curl_global_init(CURL_GLOBAL_DEFAULT);
    Q_UNUSED(once);
    const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(timeLimitMs);
    Transfer transfer{mail.text, 0, {}, CURL_SOCKET_BAD};
    const RecipientList recipients = recipientList(mail.recipients);
    char words[CURL_ERROR_SIZE] = {};
    CurlMulti multi;
    CurlEasy easy;
    setUp(easy.handle, server, mail, transfer, recipients.get());
    curl_easy_setopt(easy.handle, CURLOPT_ERRORBUFFER, words);
    curl_multi_add_handle(multi.handle, easy.handle);

    SmtpOutcome outcome;
    for (;;) {
        int running = 0;
        curl_multi_perform(multi.handle, &running);
        int left = 0;
        if (const CURLMsg* message = curl_multi_info_read(multi.handle, &left);
            message && message->msg == CURLMSG_DONE) {
            outcome = outcomeOf(easy.handle, message->data.result, transfer, words);
            break;
        }
        if (!goOn()) {
            outcome.end = SmtpOutcome::End::Cancelled;
            outcome.error = QStringLiteral("stopped");
            transfer.cutOff();
            break;
        }
        if (timeLimitMs > 0 && std::chrono::steady_clock::now() >= until) {
            outcome.end = SmtpOutcome::End::TimedOut;
            transfer.cutOff();
            break;
        }
        curl_multi_poll(multi.handle, nullptr, 0, kLookMs, nullptr);
    }
    curl_multi_remove_handle(multi.handle, easy.handle);
    return outcome;
}

} // namespace redrive
