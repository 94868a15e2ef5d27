#include "core/net/signature_fields.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace redrive {

namespace {

constexpr qsizetype kCodeBytes = 32;
constexpr qsizetype kMostVersionCharacters = 8; // after the v

struct Scheme
{
    const char* name;
    const char* id;
    const char* timestamp;
    const char* signature;
};

constexpr std::array<Scheme, 2> kSchemes{{
    {"Standard Webhooks v1", "webhook-id", "webhook-timestamp", "webhook-signature"},
    {"Standard Webhooks v1 (svix)", "svix-id", "svix-timestamp", "svix-signature"},
}};

QString textOf(const char* latin1)
{
    return QString::fromLatin1(latin1);
}

// The scheme of which most fields are there.
const Scheme* schemeOf(const HeaderFields& fields)
{
    const Scheme* best = nullptr;
    int most = 0;
    for (const Scheme& scheme : kSchemes) {
        int count = 0;
        for (const char* name : {scheme.id, scheme.timestamp, scheme.signature})
            count += !fieldValue(fields, name).isNull();
        if (count > most) {
            most = count;
            best = &scheme;
        }
    }
    return best;
}

// Anything else may be a signature without its version, of which nothing is ever shown.
bool isVersion(const QByteArray& text)
{
    return text.startsWith('v') && text.size() > 1 && text.size() <= 1 + kMostVersionCharacters &&
           std::all_of(text.begin(), text.end(), [](char c) { return std::isalnum(uchar(c)) != 0; });
}

void readCodes(SignatureFields& read)
{
    QStringList others;
    for (const QByteArray& entry : read.signature.simplified().split(' ')) {
        const qsizetype comma = entry.indexOf(',');
        if (entry.startsWith("v1,")) {
            const auto code =
                QByteArray::fromBase64Encoding(entry.mid(3), QByteArray::AbortOnBase64DecodingErrors);
            if (code && code.decoded.size() == kCodeBytes)
                read.codes.append(code.decoded);
        } else if (comma > 0 && isVersion(entry.first(comma))) {
            others.append(QString::fromUtf8(entry.first(comma)));
        }
    }
    if (!read.codes.isEmpty())
        return;
    read.problem = others.isEmpty()
                       ? u"The signature cannot be read: it must be \"v1,\" and the base64 of 32 bytes."_s
                       : u"There is no signature of version v1, only of %1."_s.arg(others.join(u", "_s));
}

} // namespace

SignatureFields readSignatureFields(const HeaderFields& fields)
{
    SignatureFields read;
    const Scheme* scheme = schemeOf(fields);
    if (!scheme) {
        read.missing = {textOf(kSchemes[0].id), textOf(kSchemes[0].timestamp), textOf(kSchemes[0].signature)};
        return read;
    }
    read.scheme = textOf(scheme->name);
    const auto take = [&](const char* name, QByteArray& value) {
        value = fieldValue(fields, name);
        if (value.isNull())
            read.missing.append(textOf(name));
    };
    take(scheme->id, read.id);
    take(scheme->timestamp, read.timestamp);
    take(scheme->signature, read.signature);
    if (!read.missing.isEmpty())
        return read;
    readCodes(read);
    bool ok = false;
    read.seconds = read.timestamp.toLongLong(&ok);
    if (!ok || read.seconds < 0)
        read.problem = u"%1 is no time in unix seconds."_s.arg(textOf(scheme->timestamp));
    return read;
}

} // namespace redrive
