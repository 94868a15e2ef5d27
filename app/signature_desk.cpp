#include "app/signature_desk.h"

#include "core/net/signature_check.h"

namespace redrive {

namespace {

QList<NamedSecret> secretsFor(const SignatureQuestion& question, const QHash<QString, QByteArray>& secrets)
{
    const bool asksForOne = !question.typedSecret.isEmpty() || !question.secretName.isEmpty();
    QList<NamedSecret> list;
    if (!question.typedSecret.isEmpty())
        list.append({u"typed here"_s, question.typedSecret, true});
    for (const QString& name : signingSecretNames(secrets))
        list.append({name, secrets.value(name), !asksForOne || name == question.secretName});
    return list;
}

} // namespace

QStringList signingSecretNames(const QHash<QString, QByteArray>& secrets)
{
    QStringList names;
    for (auto secret = secrets.cbegin(); secret != secrets.cend(); ++secret)
        if (secret->startsWith("whsec_"))
            names.append(secret.key());
    names.sort();
    return names;
}

SignatureAnswer answerSignature(const SignatureQuestion& question, const QHash<QString, QByteArray>& secrets,
                                qint64 nowSeconds)
{
    const auto request = readPastedRequest(question.request);
    if (!request)
        return {false, request.error().text()};
    const QList<NamedSecret> known = secretsFor(question, secrets);
    QByteArray withCarriageReturns = request->body;
    withCarriageReturns.replace("\n", "\r\n");
    for (const QByteArray& body : {request->body, withCarriageReturns}) {
        const SignatureFinding finding =
            checkSignature(request->fields, body, known, nowSeconds, SignatureSearch::Exact);
        if (!finding.key.isEmpty())
            return {finding.isGood(), finding.text};
    }
    return {false, checkSignature(request->fields, request->body, known, nowSeconds).text};
}

} // namespace redrive
