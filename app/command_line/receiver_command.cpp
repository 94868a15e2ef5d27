#include "app/command_line/commands.h"
#include "app/command_line/output.h"
#include "app/known_secrets.h"
#include "app/stop_signals.h"
#include "core/config/listen_address.h"
#include "core/receiver/made_certificate.h"
#include "core/receiver/receiver.h"

#include <QCoreApplication>
#include <QFile>

namespace redrive {

namespace {

constexpr qint64 kDayS = 86'400;

CertificateWish wishFor(const QString& kind)
{
    CertificateWish wish;
    if (kind == u"expired") {
        wish.startsInSeconds = -30 * kDayS;
        wish.endsInSeconds = -kDayS;
    } else if (kind == u"wrong-name") {
        wish.name = "DNS:somebody-else.example";
    }
    return wish;
}

Status setAddress(const QString& text, ReceiverOptions& options)
{
    REDRIVE_ASSIGN(address, parseListenAddress(text.isEmpty() ? u"127.0.0.1:0"_s : text));
    const bool ipv6 = address.host == QHostAddress(QHostAddress::LocalHostIPv6);
    if (!ipv6 && address.host != QHostAddress(QHostAddress::LocalHost))
        return fail(ErrorKind::Refused,
                    u"the receiver listens on 127.0.0.1 or [::1] only, not on '%1'"_s.arg(text));
    options.ipv6 = ipv6;
    options.port = address.port;
    return {};
}

Status setCertificate(const Invocation& invocation, ReceiverOptions& options)
{
    if (!invocation.certificateFile.isEmpty()) {
        REDRIVE_ASSIGN(tls, TlsContext::load({invocation.certificateFile, invocation.keyFile}));
        options.tls = tls;
        QFile file(invocation.certificateFile);
        if (file.open(QIODevice::ReadOnly))
            options.desk.certificate = file.readAll();
    } else if (!invocation.tlsKind.isEmpty()) {
        REDRIVE_ASSIGN(made, makeCertificate(wishFor(invocation.tlsKind)));
        REDRIVE_ASSIGN(tls, TlsContext::ofPem(made.certificate, made.key));
        options.tls = tls;
        options.desk.certificate = made.certificate;
    }
    return {};
}

Result<std::unique_ptr<Receiver>> start(const Invocation& invocation)
{
    ReceiverOptions options;
    REDRIVE_TRY(setAddress(invocation.listen, options));
    REDRIVE_TRY(setCertificate(invocation, options));
    REDRIVE_ASSIGN(secrets, signingSecrets(invocation));
    options.desk.secrets = secrets;
    options.desk.scriptFile = invocation.scriptFile;
    options.desk.onNotice = printNotice;
    options.desk.onArrival = [json = invocation.json](const Arrival& arrival) {
        if (json)
            printLine(arrivalJson(arrival));
        else
            printLine(arrivalLine(arrival).toUtf8());
    };
    return Receiver::start(std::move(options));
}

} // namespace

int runReceiver(const Invocation& invocation)
{
    const StopSignals signals([](int) { QCoreApplication::quit(); });
    const auto receiver = start(invocation);
    if (!receiver)
        return failed(receiver.error());
    const QString url = (*receiver)->url({});
    if (invocation.json)
        JsonLine().add("listen", url).print();
    else
        printLine(u"Listening on %1"_s.arg(url));
    return QCoreApplication::exec();
}

} // namespace redrive
