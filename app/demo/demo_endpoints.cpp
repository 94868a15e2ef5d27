#include "app/demo/demo_endpoints.h"

namespace redrive {

namespace {

constexpr char kScript[] = R"({
    "/good": {"verify": true, "body": "thank you\n"},
    "/slow": {"delay": "2500ms", "body": "at last\n"},
    "/flaky": {"status": 503, "body": "try again\n", "times": 1},
    "/bucket/*": {"body": ""},
    "/alerts": {"status": 503, "body": "not now\n", "times": 1},
    "/dead": {"status": 500, "body": "database connection refused\n"}
})";

} // namespace

const QStringList& demoEndpoints()
{
    static const QStringList ids{u"good"_s, u"slow"_s, u"flaky"_s, u"dead"_s};
    return ids;
}

Result<std::unique_ptr<Receiver>> startDemoReceiver()
{
    REDRIVE_ASSIGN(script, ReceiverScript::read(kScript));
    ReceiverOptions options;
    options.desk.secrets = {{demoSecretName(), demoSecret(), true}};
    REDRIVE_ASSIGN(receiver, Receiver::start(std::move(options)));
    receiver->desk().setScript(std::move(script));
    return receiver;
}

QString demoEndpointUrl(const Receiver& receiver, const QString& id)
{
    return receiver.url(u'/' + id);
}

QString demoSecretName()
{
    return u"DEMO_WEBHOOK_SECRET"_s;
}

QByteArray demoSecret()
{
    return "whsec_ZGVtby1zZWNyZXQtb25seS1mb3ItbG9vcGJhY2s=";
}

} // namespace redrive
