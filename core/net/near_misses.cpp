#include "core/net/near_misses.h"

#include "core/base/json_gate.h"
#include "core/base/json_slice.h"
#include "core/net/json_layouts.h"
#include "core/net/signature_code.h"
#include "core/net/signer.h"

namespace redrive {

namespace {

// One deviation: what was used in its place, and the words for it; none for what is right.
struct Variant
{
    QByteArray value;
    QString words;
};

QList<Variant> keyVariants(const QByteArray& secret)
{
    constexpr QByteArrayView marker = "whsec_";
    const QByteArray text = secret.trimmed();
    const QByteArray encoded = text.startsWith(marker) ? text.mid(marker.size()) : text;
    QList<Variant> variants;
    if (const auto key = parseSigningSecret(text))
        variants.append({key->bytes, {}});
    variants.append({text,
                     u"the secret was used as it is written, \"whsec_\" included: what follows the prefix "
                     "must be decoded from base64"_s});
    if (encoded != text)
        variants.append({encoded, u"the secret was used without \"whsec_\" but not decoded: what follows the "
                                  "prefix is base64"_s});
    else if (const auto key = parseSigningSecret(QByteArray(marker.data()) + text))
        variants.append({key->bytes, u"the secret is kept without its prefix \"whsec_\""_s});
    const auto urlSafe = QByteArray::fromBase64Encoding(encoded, QByteArray::Base64UrlEncoding |
                                                                     QByteArray::AbortOnBase64DecodingErrors);
    if (urlSafe && !urlSafe.decoded.isEmpty() && (encoded.contains('-') || encoded.contains('_')))
        variants.append({urlSafe.decoded,
                         u"the secret is written in the alphabet for URLs (- and _), where base64 "
                         "has + and /"_s});
    if (!secret.isEmpty() && secret != text)
        variants.append({secret, u"the secret was used with the white space around it"_s});
    return variants;
}

QByteArray withLineEnds(QByteArray body, const char* lineEnd)
{
    body.replace("\r\n", "\n");
    return body.replace("\n", lineEnd);
}

QByteArray withoutLastLineEnds(QByteArray body)
{
    while (body.endsWith('\n') || body.endsWith('\r'))
        body.chop(1);
    return body;
}

QList<Variant> bodyVariants(const QByteArray& body)
{
    QList<Variant> variants;
    const auto add = [&](const QByteArray& text, const QString& words) {
        if (text == body)
            return;
        for (const Variant& known : variants)
            if (known.value == text)
                return;
        variants.append({text, u"the body changed on the way: "_s + words});
    };
    add(withoutLastLineEnds(body), u"it was signed without the line end at its end"_s);
    add(body + '\n', u"it was signed with a line end (LF) at its end"_s);
    add(body + "\r\n", u"it was signed with a line end (CR LF) at its end"_s);
    add(body.trimmed(), u"it was signed without the white space around it"_s);
    add(withLineEnds(body, "\n"), u"it was signed with line ends LF, not CR LF"_s);
    add(withLineEnds(body, "\r\n"), u"it was signed with line ends CR LF, not LF"_s);
    add(withoutLastLineEnds(withLineEnds(body, "\n")),
        u"it was signed with line ends LF and none at its end"_s);
    if (body.startsWith("\xEF\xBB\xBF"))
        add(body.mid(3), u"it was signed without the byte order mark at its start"_s);
    add("\xEF\xBB\xBF" + body, u"it was signed with a byte order mark at its start"_s);
    add(QByteArray(), u"an empty body was signed"_s);
    for (const JsonLayout& layout : jsonLayouts(body)) {
        add(layout.text, u"its JSON was parsed and written again; it was signed "_s + layout.words);
        add(layout.text + '\n',
            u"its JSON was parsed and written again; it was signed with a line end at its end, "_s +
                layout.words);
    }
    return variants;
}

QList<Variant> idVariants(const SignatureFields& read, const HeaderFields& fields, const QByteArray& body)
{
    QList<Variant> variants;
    const auto add = [&](const QByteArray& id, const QString& words) {
        if (!id.isEmpty() && id != read.id)
            variants.append({id, words});
    };
    for (const char* name : {"webhook-id", "svix-id", "x-request-id", "x-webhook-id", "idempotency-key"})
        add(fieldValue(fields, name),
            u"another id was signed: that of the field %1"_s.arg(QString::fromLatin1(name)));
    if (!checkJson(body))
        for (const char* name : {"id", "event_id", "eventId", "webhook_id", "webhookId"})
            add(JsonSlice(QByteArrayView(body)).member(name).toUtf8().value_or(QByteArray()),
                u"another id was signed: that of the body's member \"%1\""_s.arg(QString::fromLatin1(name)));
    return variants;
}

QList<Variant> timeVariants(const SignatureFields& read)
{
    if (read.seconds <= 0)
        return {};
    return {
        {QByteArray::number(read.seconds) + "000",
         u"the time was signed in milliseconds, and sent in seconds"_s},
        {QByteArray::number(read.seconds / 1000),
         u"the time was signed in seconds, and sent in milliseconds"_s},
        {QByteArray::number(double(read.seconds), 'f', 1), u"the time was signed with a decimal point"_s}};
}

// Other ways to put together what is signed.
QList<Variant> textVariants(const SignatureFields& read, const QByteArray& body)
{
    return {
        {body, u"the body alone was signed: the id and the time belong before it, \"id.timestamp.body\""_s},
        {read.timestamp + '.' + body, u"the id is missing in what was signed: \"id.timestamp.body\""_s},
        {read.id + '.' + body, u"the time is missing in what was signed: \"id.timestamp.body\""_s},
        {read.id + read.timestamp + body,
         u"the dots are missing in what was signed: \"id.timestamp.body\""_s}};
}

// Codes as somebody may have written them.
QList<Variant> codeVariants(const SignatureFields& read)
{
    QList<Variant> codes;
    for (const QByteArray& code : read.codes)
        codes.append({code, {}});
    const auto add = [&](const QByteArray& code, const QString& words) {
        for (const Variant& known : codes)
            if (known.value == code)
                return;
        if (code.size() == 32)
            codes.append({code, words});
    };
    for (const QByteArray& entry : read.signature.simplified().split(' ')) {
        const qsizetype mark = std::max(entry.indexOf(','), entry.indexOf('='));
        const bool marked = entry.startsWith("v1,");
        for (const QByteArray& text : {entry.mid(marked ? 3 : 0), entry.mid(mark + 1)}) {
            const QString prefix =
                marked ? QString() : u"the signature is written without \"v1,\" before it"_s;
            add(QByteArray::fromBase64(text), prefix);
            add(QByteArray::fromBase64(text, QByteArray::Base64UrlEncoding),
                u"the signature is written in the alphabet for URLs (- and _), where base64 has + and /"_s);
            if (text.size() == 64)
                add(QByteArray::fromHex(text),
                    u"the signature is written in hexadecimal digits, not in base64"_s);
        }
    }
    return codes;
}

class Search final
{
public:
    Search(const SignatureFields& read, const HeaderFields& fields, const QByteArray& body)
        : m_read(read), m_body(body), m_codes(codeVariants(read)), m_bodies(bodyVariants(body)),
          m_ids(idVariants(read, fields, body)), m_times(timeVariants(read)),
          m_texts(textVariants(read, body))
    {
    }

    std::optional<NearMiss> run(const QList<NamedSecret>& secrets) const
    {
        for (const NamedSecret& secret : secrets)
            for (const Variant& key : keyVariants(secret.value))
                if (const QString words = tryKey(key); !words.isEmpty())
                    return NearMiss{secret.name, sentence(secret, words)};
        return std::nullopt;
    }

private:
    static QString sentence(const NamedSecret& secret, const QString& words)
    {
        return u"The key %1 nearly fits: %2."_s.arg(
            secret.expected ? secret.name : secret.name + u", which is not the one expected,"_s, words);
    }

    // The words of the least deviation with this key; empty: none fits.
    QString tryKey(const Variant& key) const
    {
        if (const QString words = tryText(key, signedPrefix(m_read.id, m_read.timestamp), m_body, {});
            !words.isEmpty())
            return words;
        for (const Variant& body : m_bodies)
            if (const QString words =
                    tryText(key, signedPrefix(m_read.id, m_read.timestamp), body.value, body.words);
                !words.isEmpty())
                return words;
        for (const Variant& id : m_ids)
            if (const QString words =
                    tryText(key, signedPrefix(id.value, m_read.timestamp), m_body, id.words);
                !words.isEmpty())
                return words;
        for (const Variant& time : m_times)
            if (const QString words = tryText(key, signedPrefix(m_read.id, time.value), m_body, time.words);
                !words.isEmpty())
                return words;
        for (const Variant& text : m_texts)
            if (const QString words = tryText(key, {}, text.value, text.words); !words.isEmpty())
                return words;
        return {};
    }

    QString tryText(const Variant& key, const QByteArray& prefix, const QByteArray& text,
                    const QString& textWords) const
    {
        const QByteArray code = signatureCode(key.value, prefix, text);
        for (const Variant& sent : m_codes) {
            if (!sameCode(sent.value, code))
                continue;
            QStringList words;
            for (const QString& part : {key.words, textWords, sent.words})
                if (!part.isEmpty())
                    words.append(part);
            return words.join(u"; and "_s);
        }
        return {};
    }

    const SignatureFields& m_read;
    const QByteArray& m_body;
    const QList<Variant> m_codes;
    const QList<Variant> m_bodies;
    const QList<Variant> m_ids;
    const QList<Variant> m_times;
    const QList<Variant> m_texts;
};

} // namespace

std::optional<NearMiss> nearestMiss(const SignatureFields& read, const HeaderFields& fields,
                                    const QByteArray& body, const QList<NamedSecret>& secrets)
{
    return Search(read, fields, body).run(secrets);
}

} // namespace redrive
