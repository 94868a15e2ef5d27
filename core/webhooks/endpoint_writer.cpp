#include "core/webhooks/endpoint_writer.h"

#include "core/base/json_text.h"
#include "core/net/header_rules.h"
#include "core/webhooks/endpoint_reader.h"

namespace redrive {

namespace {

class ObjectWriter
{
public:
    QByteArray finish() { return m_text.append('}'); }

    void key(const char* name)
    {
        m_text.append(m_text.isEmpty() ? "{" : ",");
        appendJsonString(m_text, QByteArrayView(name));
        m_text.append(':');
    }
    void text(const char* name, const QString& value)
    {
        key(name);
        appendJsonString(m_text, value);
    }
    void raw(const char* name, const QByteArray& value)
    {
        key(name);
        m_text.append(value);
    }

private:
    QByteArray m_text;
};

template <typename List, typename Append>
QByteArray listOf(const List& values, Append append)
{
    QByteArray text("[");
    for (const auto& value : values) {
        if (text.size() > 1)
            text.append(',');
        append(text, value);
    }
    return text.append(']');
}

QByteArray textsOf(const QStringList& values)
{
    return listOf(values, [](QByteArray& out, const QString& value) { appendJsonString(out, value); });
}

// Seconds with as many decimals as it takes.
QByteArray secondsOf(qint64 ms)
{
    QByteArray text = QByteArray::number(ms / 1000);
    if (ms % 1000 == 0)
        return text;
    QByteArray decimals = QByteArray::number(ms % 1000 + 1000).mid(1);
    while (decimals.endsWith('0'))
        decimals.chop(1);
    return text + '.' + decimals;
}

template <typename Map, typename Append>
QByteArray objectOf(const Map& values, Append append)
{
    QByteArray text("{");
    for (auto value = values.begin(); value != values.end(); ++value) {
        if (text.size() > 1)
            text.append(',');
        appendJsonString(text, value.key());
        text.append(':');
        append(text, value.value());
    }
    return text.append('}');
}

} // namespace

QByteArray writeEndpoint(const EndpointSettings& settings)
{
    ObjectWriter object;
    object.text("id", settings.id);
    object.text("url", settings.url);
    if (!settings.events.isEmpty())
        object.raw("events", textsOf(settings.events));
    if (!settings.secrets.isEmpty())
        object.raw("secret", textsOf(settings.secrets));
    if (!settings.secretUntilMs.isEmpty())
        object.raw("secret_until", objectOf(settings.secretUntilMs, [](QByteArray& out, qint64 atMs) {
                       out.append(QByteArray::number(atMs));
                   }));
    if (!settings.headers.isEmpty())
        object.raw("headers", objectOf(settings.headers, [](QByteArray& out, const QString& value) {
                       appendJsonString(out, value);
                   }));
    object.raw("max_in_flight", QByteArray::number(settings.maxInFlight));
    if (settings.ratePerSecond)
        object.raw("rate", QByteArray::number(*settings.ratePerSecond, 'g', 12));
    if (!settings.scheduleMs.isEmpty())
        object.raw("schedule", listOf(settings.scheduleMs,
                                      [](QByteArray& out, qint64 ms) { out.append(secondsOf(ms)); }));
    if (settings.paused)
        object.raw("paused", "true");
    if (settings.allowOverride)
        object.raw("allow_override", "true");
    return object.finish();
}

QByteArray maskedEndpoint(const QByteArray& json)
{
    auto settings = readEndpoint(JsonSlice(json), u"endpoint"_s);
    if (!settings)
        return "{}";
    for (auto header = settings->headers.begin(); header != settings->headers.end(); ++header) {
        if (!isHarmlessHeader(header.key().toUtf8()))
            *header = kMasked;
    }
    return writeEndpoint(*settings);
}

} // namespace redrive
