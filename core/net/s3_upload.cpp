#include "core/net/s3_upload.h"

#include "core/net/target_url.h"

#include <QCryptographicHash>

#include <cstring>
#include <curl/curl.h>
#include <memory>
#include <new>
#include <sys/socket.h>

namespace redrive {

namespace {

constexpr long kConnectSeconds = 15;
constexpr long kStalledSeconds = 60; // without a byte
constexpr long kTotalSeconds = 3'600;
constexpr qsizetype kMostAnswer = 64 * 1024;
constexpr qsizetype kMostWords = 300; // characters of what a service says
constexpr qsizetype kShortestSecret = 4;

struct Exchange
{
    QFile& file;
    const TargetGuard& guard;
    const std::function<bool()>& goOn;
    quint16 port = 0;
    std::optional<GuardRefusal> refusal;
    QByteArray answer;
    QByteArray etag;

    static size_t read(char* into, size_t size, size_t count, void* self)
    {
        const qint64 bytes = static_cast<Exchange*>(self)->file.read(into, qint64(size * count));
        return bytes < 0 ? size_t(CURL_READFUNC_ABORT) : size_t(bytes);
    }
    static size_t body(char* data, size_t size, size_t count, void* self)
    {
        auto& answer = static_cast<Exchange*>(self)->answer;
        answer += QByteArrayView(data, std::min(qsizetype(size * count), kMostAnswer - answer.size()));
        return size * count;
    }
    static size_t header(char* data, size_t size, size_t count, void* self)
    {
        const QByteArray line(data, qsizetype(size * count));
        if (line.left(5).toLower() == "etag:")
            static_cast<Exchange*>(self)->etag = line.mid(5).trimmed().replace('"', "").left(200);
        return size * count;
    }
    static int progress(void* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t)
    {
        return static_cast<Exchange*>(self)->goOn() ? 0 : 1;
    }
    static curl_socket_t openSocket(void* self, curlsocktype, curl_sockaddr* address)
    {
        auto* exchange = static_cast<Exchange*>(self);
        const auto ip = IpAddress::fromSockaddr(&address->addr);
        if (!ip)
            return CURL_SOCKET_BAD;
        exchange->refusal = exchange->guard.judge(*ip, exchange->port);
        if (exchange->refusal)
            return CURL_SOCKET_BAD;
        return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
    }
};

using Headers = std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)>;
using Easy = std::unique_ptr<CURL, decltype(&curl_easy_cleanup)>;

Result<QByteArray> hashOf(QFile& file)
{
    QCryptographicHash hash(QCryptographicHash::Sha256);
    if (!hash.addData(&file) || !file.seek(0))
        return fail(ErrorKind::Internal, u"%1 cannot be read"_s.arg(file.fileName()), file.errorString());
    return hash.result().toHex();
}

QString element(const QByteArray& xml, const QByteArray& name)
{
    const qsizetype begin = xml.indexOf('<' + name + '>');
    const qsizetype end = xml.indexOf("</" + name + '>', begin);
    if (begin < 0 || end < 0)
        return {};
    return QString::fromUtf8(xml.mid(begin + name.size() + 2, end - begin - name.size() - 2))
        .simplified()
        .left(kMostWords);
}

QString withoutKeys(QString text, const S3Bucket& bucket)
{
    for (const QByteArray& key : {bucket.secretKey, bucket.accessKey})
        if (key.size() >= kShortestSecret)
            text.replace(QString::fromUtf8(key), u"***"_s);
    return text;
}

// 4xx but for time-outs and limits is the service's last word.
bool mayBeOverLater(long status)
{
    return status >= 500 || status == 408 || status == 429;
}

Error refusedBy(const S3Bucket& bucket, long status, const QByteArray& answer)
{
    const QString code = element(answer, "Code");
    const QString message = element(answer, "Message");
    QString text = u"the bucket %1 answered HTTP %2"_s.arg(bucket.bucket, QString::number(status));
    if (!code.isEmpty())
        text += u" "_s + code;
    return {mayBeOverLater(status) ? ErrorKind::ConnectionLost : ErrorKind::Refused,
            withoutKeys(text, bucket),
            withoutKeys(message, bucket),
            {}};
}

void setUp(CURL* curl, const S3Bucket& bucket, const TargetUrl& target, qint64 bytes, Exchange& exchange)
{
    const auto set = [curl](CURLoption option, auto value) { curl_easy_setopt(curl, option, value); };
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_URL, target.encoded.constData());
    set(CURLOPT_PROTOCOLS_STR, "http,https");
    set(CURLOPT_HTTP_VERSION, long(CURL_HTTP_VERSION_1_1));
    set(CURLOPT_HTTP09_ALLOWED, 0L);
    set(CURLOPT_PROXY, "");
    set(CURLOPT_NETRC, long(CURL_NETRC_IGNORED));
    set(CURLOPT_FOLLOWLOCATION, 0L);
    set(CURLOPT_PATH_AS_IS, 1L); // what is signed is what is sent
    set(CURLOPT_SSLVERSION, long(CURL_SSLVERSION_TLSv1_2));
    if (!bucket.caFile.isEmpty())
        set(CURLOPT_CAINFO, QFile::encodeName(bucket.caFile).constData());
    set(CURLOPT_CONNECTTIMEOUT, kConnectSeconds);
    set(CURLOPT_TIMEOUT, kTotalSeconds);
    set(CURLOPT_LOW_SPEED_LIMIT, 1L);
    set(CURLOPT_LOW_SPEED_TIME, kStalledSeconds);
    set(CURLOPT_UPLOAD, 1L);
    set(CURLOPT_INFILESIZE_LARGE, curl_off_t(bytes));
    set(CURLOPT_READFUNCTION, &Exchange::read);
    set(CURLOPT_READDATA, &exchange);
    set(CURLOPT_WRITEFUNCTION, &Exchange::body);
    set(CURLOPT_WRITEDATA, &exchange);
    set(CURLOPT_HEADERFUNCTION, &Exchange::header);
    set(CURLOPT_HEADERDATA, &exchange);
    set(CURLOPT_NOPROGRESS, 0L);
    set(CURLOPT_XFERINFOFUNCTION, &Exchange::progress);
    set(CURLOPT_XFERINFODATA, &exchange);
    set(CURLOPT_OPENSOCKETFUNCTION, &Exchange::openSocket);
    set(CURLOPT_OPENSOCKETDATA, &exchange);
    const QByteArray scheme = "aws:amz:" + bucket.region.toUtf8() + ":s3";
    set(CURLOPT_AWS_SIGV4, scheme.constData());
    set(CURLOPT_USERNAME, bucket.accessKey.constData());
    set(CURLOPT_PASSWORD, bucket.secretKey.constData());
}

} // namespace

Result<S3Object> putObject(const S3Bucket& bucket, const QString& key, QFile& file, const TargetGuard& guard,
                           const std::function<bool()>& goOn)
{
    static const CURLcode once = curl_global_init(CURL_GLOBAL_DEFAULT);
    Q_UNUSED(once);
    QString base = bucket.url;
    while (base.endsWith(u'/'))
        base.chop(1);
    REDRIVE_ASSIGN(target, parseTargetUrl(base + u'/' + bucket.bucket + u'/' + key));
    const qint64 bytes = file.size();
    REDRIVE_ASSIGN(hash, hashOf(file));

    Exchange exchange{file, guard, goOn, target.port, {}, {}, {}};
    Easy easy(curl_easy_init(), &curl_easy_cleanup);
    if (!easy)
        throw std::bad_alloc();
    setUp(easy.get(), bucket, target, bytes, exchange);
    // This version of libcurl hashes only what it holds in memory; a hash that is given is signed instead.
    curl_slist* lines = curl_slist_append(nullptr, ("x-amz-content-sha256: " + hash).constData());
    const Headers headers(curl_slist_append(lines, "Content-Type: application/gzip"), &curl_slist_free_all);
    curl_easy_setopt(easy.get(), CURLOPT_HTTPHEADER, headers.get());
    char words[CURL_ERROR_SIZE] = {};
    curl_easy_setopt(easy.get(), CURLOPT_ERRORBUFFER, words);

    const CURLcode result = curl_easy_perform(easy.get());
    if (exchange.refusal)
        return fail(ErrorKind::Refused, exchange.refusal->text());
    if (result == CURLE_ABORTED_BY_CALLBACK)
        return fail(ErrorKind::Cancelled, u"the engine is stopping"_s);
    long status = 0;
    curl_easy_getinfo(easy.get(), CURLINFO_RESPONSE_CODE, &status);
    if (status / 100 != 2 && status != 0)
        return fail(refusedBy(bucket, status, exchange.answer));
    if (result != CURLE_OK)
        return fail(ErrorKind::ConnectionLost, u"the bucket %1 cannot be reached"_s.arg(bucket.bucket),
                    withoutKeys(QString::fromUtf8(*words ? words : curl_easy_strerror(result)), bucket));
    return S3Object{QString::fromUtf8(exchange.etag), bytes};
}

} // namespace redrive
