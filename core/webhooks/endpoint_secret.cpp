#include "core/webhooks/endpoint_secret.h"

#include "core/base/log.h"
#include "core/net/signing_secret.h"

#include <QRandomGenerator>

namespace redrive {

namespace {

constexpr qsizetype kMostOfId = 60;

QString nameFor(const QString& endpointId)
{
    QString name = u"WEBHOOK_"_s;
    for (const QChar c : endpointId.left(kMostOfId).toUpper())
        name += c.unicode() < 128 && c.isLetterOrNumber() ? c : u'_';
    return name + u'_' + QString::number(QRandomGenerator::system()->bounded(0x1000, 0x10000), 16).toUpper();
}

} // namespace

Result<MadeSecret> makeEndpointSecret(const QString& endpointId, const SecretKeeper& keep)
{
    if (!keep)
        return fail(ErrorKind::Refused,
                    u"there is no place here to keep a new secret: name one that exists"_s, {}, u"secret"_s);
    MadeSecret made{nameFor(endpointId), makeSigningSecret()};
    maskInLog(QString::fromLatin1(made.value));
    REDRIVE_TRY(keep(made.name, made.value));
    return made;
}

} // namespace redrive
