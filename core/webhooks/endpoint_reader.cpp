#include "core/webhooks/endpoint_reader.h"

#include "core/config/endpoint_schedule.h"
#include "core/net/header_rules.h"
#include "core/net/target_url.h"

#include <QSet>

#include <algorithm>

namespace redrive {

namespace {

constexpr int kMaxIdLength = 200;
constexpr int kMaxEntries = 100;
constexpr int kMaxInFlight = 1'000;
constexpr double kMaxScheduleSeconds = 30 * 86'400.0;
constexpr double kMaxRate = 100'000;

// As in the configuration. The text is never repeated in a message: it may be the secret itself.
bool isSecretName(const QString& text)
{
    const auto fits = [](QChar c) { return c == u'_' || (c.unicode() < 128 && c.isLetterOrNumber()); };
    return !text.isEmpty() && !text.at(0).isDigit() && std::all_of(text.begin(), text.end(), fits) &&
           !text.startsWith(u"whsec_");
}

class EndpointReader
{
public:
    EndpointReader(const JsonSlice& object, const QString& where, EndpointSettings& endpoint)
        : m_object(object), m_where(where), m_endpoint(endpoint)
    {
    }

    Status read()
    {
        if (!m_object.isObject())
            return fail(ErrorKind::InvalidInput, m_where + u" must be an object"_s, {}, m_where);
        REDRIVE_TRY(readId());
        REDRIVE_TRY(readUrl());
        REDRIVE_TRY(readTexts("events", m_endpoint.events));
        REDRIVE_TRY(readTexts("secret", m_endpoint.secrets));
        if (!std::all_of(m_endpoint.secrets.begin(), m_endpoint.secrets.end(), isSecretName))
            return bad("secret", u"must be the name of a secret, never the secret itself"_s);
        REDRIVE_TRY(readSecretEnds());
        REDRIVE_TRY(readHeaders());
        REDRIVE_TRY(readLimits());
        REDRIVE_TRY(readSchedule());
        REDRIVE_TRY(readBool("paused", m_endpoint.paused));
        return readBool("allow_override", m_endpoint.allowOverride);
    }

private:
    tl::unexpected<Error> bad(const char* key, const QString& what) const
    {
        const QString field = m_where + u'.' + QLatin1String(key);
        return fail(ErrorKind::InvalidInput, field + u": "_s + what, {}, field);
    }

    Status readId()
    {
        const auto id = m_object.member("id").toText();
        if (!id || id->isEmpty() || id->size() > kMaxIdLength)
            return bad("id", u"must be a text of 1–%1 characters"_s.arg(kMaxIdLength));
        const auto isControl = [](QChar c) { return c.category() == QChar::Other_Control; };
        if (std::any_of(id->begin(), id->end(), isControl))
            return bad("id", u"must not hold control characters"_s);
        m_endpoint.id = *id;
        return {};
    }

    Status readUrl()
    {
        const JsonSlice value = m_object.member("url");
        if (!value.exists())
            return {};
        const auto url = value.toText();
        if (!url)
            return bad("url", u"must be a text"_s);
        if (const auto target = parseTargetUrl(*url); !target)
            return bad("url", target.error().text());
        m_endpoint.url = *url;
        return {};
    }

    // A text or a list of texts.
    Status readTexts(const char* key, QStringList& out)
    {
        const JsonSlice value = m_object.member(key);
        if (!value.exists())
            return {};
        QStringList texts;
        const auto add = [&](const JsonSlice& item) {
            const auto text = item.toText();
            if (!text || text->isEmpty() || texts.size() == kMaxEntries)
                return false;
            texts.append(*text);
            return true;
        };
        bool good = true;
        if (value.isArray()) {
            for (JsonElements items(value); good && items.next();)
                good = add(items.value());
        } else {
            good = add(value);
        }
        if (!good)
            return bad(key, u"must be a text or a list of up to %1 texts"_s.arg(kMaxEntries));
        out = texts;
        return {};
    }

    Status readSecretEnds()
    {
        const JsonSlice value = m_object.member("secret_until");
        if (!value.exists())
            return {};
        m_endpoint.secretUntilMs.clear();
        for (JsonMembers members(value); members.next();) {
            const auto endMs = members.value().toInteger();
            if (!endMs || !m_endpoint.secrets.contains(QString::fromUtf8(members.key())))
                return bad("secret_until", u"must be an object of times (unix ms) of its secrets"_s);
            m_endpoint.secretUntilMs.insert(QString::fromUtf8(members.key()), *endMs);
        }
        return {};
    }

    Status readHeaders()
    {
        const JsonSlice value = m_object.member("headers");
        if (!value.exists())
            return {};
        if (!value.isObject())
            return bad("headers", u"must be an object of texts"_s);
        m_endpoint.headers.clear();
        QSet<QString> seen;
        for (JsonMembers members(value); members.next();) {
            const auto text = members.value().toText();
            if (!text || m_endpoint.headers.size() == kMaxEntries)
                return bad("headers", u"must be an object of up to %1 texts"_s.arg(kMaxEntries));
            if (const auto checked = checkCustomHeader(members.key(), text->toUtf8()); !checked)
                return bad("headers", checked.error().message);
            const QString name = QString::fromUtf8(members.key());
            if (name.startsWith(u"webhook-", Qt::CaseInsensitive))
                return bad("headers", u"names that begin with webhook- are reserved"_s);
            if (seen.contains(name.toLower()))
                return bad("headers", u"'%1' stands twice"_s.arg(name));
            seen.insert(name.toLower());
            m_endpoint.headers.insert(name, *text);
        }
        return {};
    }

    Status readLimits()
    {
        if (const JsonSlice value = m_object.member("max_in_flight"); value.exists()) {
            const auto limit = value.toInteger();
            if (!limit || *limit < 1 || *limit > kMaxInFlight)
                return bad("max_in_flight", u"must be a whole number from 1 to %1"_s.arg(kMaxInFlight));
            m_endpoint.maxInFlight = int(*limit);
        }
        if (const JsonSlice value = m_object.member("rate"); value.exists()) {
            const auto rate = value.toDouble();
            if (!rate || *rate <= 0 || *rate > kMaxRate)
                return bad("rate", u"must be a number above 0"_s);
            m_endpoint.ratePerSecond = *rate;
        }
        return {};
    }

    Status readSchedule()
    {
        const JsonSlice value = m_object.member("schedule");
        if (!value.exists())
            return {};
        const QString words =
            u"must be \"standard\" or a list of up to %1 numbers of seconds, each at most 30 days"_s.arg(
                kMaxEntries);
        if (const auto name = value.toText()) {
            const auto named = namedSchedule(*name);
            if (!named)
                return bad("schedule", words);
            m_endpoint.scheduleMs = *named;
            return {};
        }
        if (!value.isArray())
            return bad("schedule", words);
        m_endpoint.scheduleMs.clear();
        for (JsonElements items(value); items.next();) {
            const auto seconds = items.value().toDouble();
            if (!seconds || *seconds < 0 || *seconds > kMaxScheduleSeconds ||
                m_endpoint.scheduleMs.size() == kMaxEntries)
                return bad("schedule", words);
            m_endpoint.scheduleMs.append(qRound64(*seconds * 1000));
        }
        return {};
    }

    Status readBool(const char* key, bool& out)
    {
        const JsonSlice value = m_object.member(key);
        if (!value.exists())
            return {};
        const auto answer = value.toBool();
        if (!answer)
            return bad(key, u"must be true or false"_s);
        out = *answer;
        return {};
    }

    const JsonSlice& m_object;
    const QString& m_where;
    EndpointSettings& m_endpoint;
};

} // namespace

Result<EndpointSettings> readEndpoint(const JsonSlice& object, const QString& where,
                                      EndpointSettings defaults)
{
    REDRIVE_TRY(EndpointReader(object, where, defaults).read());
    return defaults;
}

} // namespace redrive
