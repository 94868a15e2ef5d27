#include "core/domain/archive_line.h"

#include "core/base/json_gate.h"
#include "core/base/json_slice.h"

namespace redrive {

namespace {

constexpr qint64 kLatestMs = 253'402'300'799'999; // the end of the year 9999
constexpr qint64 kMostCount = 1'000'000'000;
constexpr qsizetype kLongestName = 1'000; // characters of an id or a name

// Reads members and remembers the first fault.
class Reader final
{
public:
    explicit Reader(JsonSlice object, std::optional<QString>& fault) : m_object(object), m_fault(fault) {}

    qint64 number(const char* name, qint64 most, std::optional<qint64> missing = {})
    {
        const JsonSlice value = m_object.member(name);
        if (!value.exists() && missing)
            return *missing;
        const auto number = value.toInteger();
        if (number && *number >= 0 && *number <= most)
            return *number;
        wrong(name);
        return 0;
    }
    int count(const char* name) { return int(number(name, kMostCount)); }
    qint64 time(const char* name) { return number(name, kLatestMs); }
    QString text(const char* name, bool required = false)
    {
        const JsonSlice value = m_object.member(name);
        const auto text = value.toText();
        if (value.exists() ? !text : required)
            wrong(name);
        return text.value_or(QString());
    }
    QString name(const char* key, bool required = false)
    {
        const QString value = text(key, required);
        if ((required && value.isEmpty()) || value.size() > kLongestName)
            wrong(key);
        return value;
    }
    std::optional<QByteArray> bytes(const char* text, const char* base64)
    {
        if (const JsonSlice value = m_object.member(text); value.exists()) {
            if (!value.isString())
                wrong(text);
            return value.toUtf8();
        }
        const JsonSlice value = m_object.member(base64);
        if (!value.exists())
            return std::nullopt;
        const auto decoded = QByteArray::fromBase64Encoding(value.toUtf8().value_or("!"),
                                                            QByteArray::AbortOnBase64DecodingErrors);
        if (!value.isString() || !decoded)
            wrong(base64);
        return *decoded;
    }
    std::optional<Reader> object(const char* name)
    {
        const JsonSlice value = m_object.member(name);
        if (!value.exists())
            return std::nullopt;
        if (!value.isObject())
            wrong(name);
        return Reader(value, m_fault);
    }
    void wrong(const char* name)
    {
        if (!m_fault)
            m_fault = QString::fromLatin1(name);
    }

private:
    JsonSlice m_object;
    std::optional<QString>& m_fault;
};

ArchivedLetter::Job readJob(Reader& line)
{
    ArchivedLetter::Job job;
    job.run = line.count("run");
    job.attempts = line.count("attempts");
    job.crashes = line.count("crashes");
    job.queue = line.name("queue");
    job.reason = line.text("reason");
    job.error = line.text("error");
    job.parentId = line.name("parentId");
    job.createdAtMs = line.time("createdAt");
    job.updatedAtMs = line.time("updatedAt");
    return job;
}

ArchivedLetter::Delivery readDelivery(Reader& line)
{
    ArchivedLetter::Delivery delivery;
    delivery.jobId = line.name("jobId");
    delivery.url = line.text("url");
    delivery.settings = line.bytes("settings", "settingsBase64");
    delivery.attempts = line.count("attempts");
    delivery.spent = line.count("spent");
    delivery.budget = line.count("budget");
    if (const qint64 base = line.number("retryBase", kLatestMs, -1); base >= 0)
        delivery.retryBaseMs = base;
    delivery.reason = line.text("reason");
    delivery.error = line.text("error");
    delivery.createdAtMs = line.time("createdAt");
    delivery.updatedAtMs = line.time("updatedAt");
    if (auto event = line.object("event"))
        delivery.event = {event->name("id", true), event->count("run"), event->time("createdAt")};
    return delivery;
}

Result<JsonSlice> letterOf(QByteArrayView line)
{
    if (const auto fault = checkJson(line))
        return fail(ErrorKind::InvalidInput, u"is no JSON"_s, fault->text());
    const JsonSlice object(line);
    const auto version = object.member("v").toInteger();
    if (!version || *version < 1)
        return fail(ErrorKind::InvalidInput, u"is no line of an archive"_s, {}, u"v"_s);
    if (*version > kArchiveLineVersion)
        return fail(ErrorKind::InvalidInput,
                    u"is of a newer Redrive: version %1, this one reads %2"_s.arg(
                        QString::number(*version), QString::number(kArchiveLineVersion)),
                    {}, u"v"_s);
    return object;
}

Status statusOf(const std::optional<QString>& fault)
{
    if (!fault)
        return {};
    return fail(ErrorKind::InvalidInput, u"'%1' is missing or wrong"_s.arg(*fault), {}, *fault);
}

LetterMark readMark(Reader& line)
{
    LetterMark mark;
    mark.no = line.number("no", kLatestMs);
    mark.subjectId = line.name("id", true);
    const auto state = letterStateFrom(line.text("state", true));
    if (!state || *state == LetterState::Requeued)
        line.wrong("state");
    mark.state = state.value_or(LetterState::Open);
    mark.deadAtMs = line.time("deadAt");
    mark.changedAtMs = line.time("changedAt");
    return mark;
}

} // namespace

Result<ArchivedLetter> readArchiveLine(QByteArrayView text)
{
    REDRIVE_ASSIGN(object, letterOf(text));
    std::optional<QString> fault;
    Reader line(object, fault);
    ArchivedLetter letter;
    const LetterMark mark = readMark(line);
    letter.no = mark.no;
    letter.subjectId = mark.subjectId;
    letter.state = mark.state;
    letter.deadAtMs = mark.deadAtMs;
    letter.changedAtMs = mark.changedAtMs;
    const auto kind = letterKindFrom(line.text("kind", true));
    if (!kind)
        line.wrong("kind");
    letter.kind = kind.value_or(LetterKind::Job);
    letter.sourceQueue = line.name("queue");
    letter.deadLetterQueue = line.name("deadLetterQueue");
    letter.type = line.name("type");
    letter.endpointId = line.name("endpoint");
    letter.run = line.count("run");
    letter.attempts = line.count("attempts");
    if (const qint64 most = line.number("maxAttempts", kMostCount, -1); most >= 0)
        letter.maxAttempts = int(most);
    letter.reason = line.text("reason");
    letter.error = line.text("error");
    letter.sentAtMs = line.time("sentAt");
    letter.contentType = line.text("contentType", true);
    if (letter.contentType != u"json" && letter.contentType != u"text" && letter.contentType != u"bytes")
        line.wrong("contentType");
    letter.body = line.bytes("body", "bodyBase64");
    if (auto job = line.object("job"))
        letter.job = readJob(*job);
    if (auto delivery = line.object("delivery"))
        letter.delivery = readDelivery(*delivery);
    REDRIVE_TRY(statusOf(fault));
    return letter;
}

Result<LetterMark> readLetterMark(QByteArrayView text)
{
    REDRIVE_ASSIGN(object, letterOf(text));
    std::optional<QString> fault;
    Reader line(object, fault);
    LetterMark mark = readMark(line);
    REDRIVE_TRY(statusOf(fault));
    return mark;
}

} // namespace redrive
