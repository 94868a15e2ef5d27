#include "core/domain/archive_line.h"

#include "core/base/json_chars.h"
#include "core/base/json_text.h"

namespace redrive {

namespace {

class Writer final
{
public:
    explicit Writer(QByteArray& out) : m_out(out) { m_out += '{'; }
    ~Writer() { m_out += '}'; }
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;

    QByteArray& key(const char* name)
    {
        if (m_any)
            m_out += ',';
        m_any = true;
        m_out += '"';
        m_out += name;
        m_out += "\":";
        return m_out;
    }
    void add(const char* name, qint64 value) { key(name) += QByteArray::number(value); }
    // Empty: left out.
    void add(const char* name, QString value)
    {
        if (value.isEmpty())
            return;
        value.replace(QChar(), QChar::ReplacementCharacter); // no JSON of ours holds NUL
        appendJsonString(key(name), QStringView(value));
    }
    void add(const char* text, const char* base64, const std::optional<QByteArray>& bytes, bool isText)
    {
        if (!bytes)
            return;
        if (isText && json::isText(bytes->cbegin(), bytes->cend()))
            appendJsonString(key(text), QByteArrayView(*bytes));
        else
            key(base64) += '"' + bytes->toBase64() + '"';
    }

private:
    QByteArray& m_out;
    bool m_any = false;
};

void addJob(Writer& letter, const ArchivedLetter::Job& job)
{
    Writer line(letter.key("job"));
    line.add("run", job.run);
    line.add("attempts", job.attempts);
    line.add("crashes", job.crashes);
    line.add("queue", job.queue);
    line.add("reason", job.reason);
    line.add("error", job.error);
    line.add("parentId", job.parentId);
    line.add("createdAt", job.createdAtMs);
    line.add("updatedAt", job.updatedAtMs);
}

void addDelivery(Writer& letter, const ArchivedLetter::Delivery& delivery)
{
    Writer line(letter.key("delivery"));
    line.add("jobId", delivery.jobId);
    line.add("url", delivery.url);
    line.add("settings", "settingsBase64", delivery.settings, true);
    line.add("attempts", delivery.attempts);
    line.add("spent", delivery.spent);
    line.add("budget", delivery.budget);
    if (delivery.retryBaseMs)
        line.add("retryBase", *delivery.retryBaseMs);
    line.add("reason", delivery.reason);
    line.add("error", delivery.error);
    line.add("createdAt", delivery.createdAtMs);
    line.add("updatedAt", delivery.updatedAtMs);
    if (!delivery.event)
        return;
    Writer event(line.key("event"));
    event.add("id", delivery.event->id);
    event.add("run", delivery.event->run);
    event.add("createdAt", delivery.event->createdAtMs);
}

} // namespace

QByteArray archiveLine(const ArchivedLetter& letter, qint64 archivedAtMs)
{
    QByteArray text;
    text.reserve(512 + (letter.body ? letter.body->size() * 5 / 4 : 0));
    {
        Writer line(text);
        line.add("v", kArchiveLineVersion);
        line.add("no", letter.no);
        line.add("kind", toText(letter.kind));
        line.add("id", letter.subjectId);
        line.add("state", toText(letter.state));
        line.add("queue", letter.sourceQueue);
        line.add("deadLetterQueue", letter.deadLetterQueue);
        line.add("type", letter.type);
        line.add("endpoint", letter.endpointId);
        line.add("run", letter.run);
        line.add("attempts", letter.attempts);
        if (letter.maxAttempts)
            line.add("maxAttempts", *letter.maxAttempts);
        line.add("reason", letter.reason);
        line.add("error", letter.error);
        line.add("sentAt", letter.sentAtMs);
        line.add("deadAt", letter.deadAtMs);
        line.add("changedAt", letter.changedAtMs);
        line.add("archivedAt", archivedAtMs);
        line.add("contentType", letter.contentType);
        line.add("body", "bodyBase64", letter.body, letter.contentType != u"bytes");
        if (letter.job)
            addJob(line, *letter.job);
        if (letter.delivery)
            addDelivery(line, *letter.delivery);
    }
    return text += '\n';
}

} // namespace redrive
