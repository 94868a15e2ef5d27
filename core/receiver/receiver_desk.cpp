#include "core/receiver/receiver_desk.h"

#include "core/base/bounded_read.h"

#include <QFile>

#include <sys/stat.h>

namespace redrive {

namespace {

constexpr qint64 kMostScriptBytes = 1'000'000;

Behaviour answer(int status, const QByteArray& body,
                 const QByteArray& contentType = "text/plain; charset=utf-8")
{
    Behaviour behaviour;
    behaviour.status = status;
    behaviour.body = body;
    behaviour.contentType = contentType;
    return behaviour;
}

QByteArray pathOf(const QByteArray& target)
{
    const qsizetype mark = target.indexOf('?');
    return mark < 0 ? target : target.first(mark);
}

// Changes with the file, whatever way it is written anew.
QByteArray stampOf(const QString& path)
{
    struct stat facts = {};
    if (::stat(QFile::encodeName(path).constData(), &facts) != 0)
        return "gone";
    return QByteArray::number(quint64(facts.st_ino)) + ' ' + QByteArray::number(qint64(facts.st_size)) + ' ' +
           QByteArray::number(qint64(facts.st_mtim.tv_sec)) + '.' +
           QByteArray::number(qint64(facts.st_mtim.tv_nsec));
}

Result<ReceiverScript> scriptFrom(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return fail(ErrorKind::NotFound, u"the script %1 cannot be read"_s.arg(path), file.errorString());
    REDRIVE_ASSIGN(text, readAtMost(file, kMostScriptBytes, u"the script "_s + path));
    auto script = ReceiverScript::read(text);
    if (!script)
        return fail(ErrorKind::InvalidInput, u"the script %1 cannot be used"_s.arg(path),
                    script.error().text());
    return script;
}

} // namespace

ReceiverDesk::ReceiverDesk(Setup setup, const Clock& clock) : m_setup(std::move(setup)), m_clock(clock) {}

Behaviour ReceiverDesk::take(const ReceivedHead& head, const QByteArray& body)
{
    if (head.target.startsWith("/_"))
        return head.ofOurs
                   ? control(head, body)
                   : answer(403, "control routes answer only to a loopback name, and to no web page\n");
    Arrival arrival;
    arrival.atMs = m_clock.wallMs();
    arrival.method = head.method;
    arrival.target = head.target;
    arrival.webhookId = fieldValue(head.fields, "webhook-id");
    arrival.bodyBytes = body.size();
    arrival.signature = checkSignature(head.fields, body, m_setup.secrets, arrival.atMs / 1000);
    lookAtScriptFile();
    Behaviour behaviour;
    {
        std::lock_guard lock(m_mutex);
        arrival.attempt = countAttempt(pathOf(head.target), arrival.webhookId);
        behaviour = decide(head.target, arrival.attempt, arrival);
        arrival.no = ++m_lastNo;
        keep(arrival, head.text + body);
    }
    if (m_setup.onArrival)
        m_setup.onArrival(arrival);
    return behaviour;
}

Behaviour ReceiverDesk::decide(const QByteArray& target, qint64 attempt, Arrival& arrival)
{
    Result<Behaviours> steps = Behaviours();
    if (const Behaviours* scripted = m_script.find(pathOf(target)))
        steps = *scripted;
    else
        steps = behavioursOf(target);
    Behaviour behaviour =
        steps ? behaviourFor(*steps, attempt) : answer(400, steps.error().message.toUtf8() + '\n');
    if (behaviour.verifies && !arrival.signature.isGood()) {
        behaviour.status = 401;
        behaviour.body = arrival.signature.text.toUtf8() + '\n';
    }
    arrival.answer = behaviourWords(behaviour);
    return behaviour;
}

void ReceiverDesk::noteRefused(int status, const QString& why)
{
    Arrival arrival;
    arrival.atMs = m_clock.wallMs();
    arrival.method = "?";
    arrival.target = "?";
    arrival.answer = u"%1, refused: %2"_s.arg(status).arg(why);
    {
        std::lock_guard lock(m_mutex);
        arrival.no = ++m_lastNo;
        keep(arrival, {});
    }
    if (m_setup.onArrival)
        m_setup.onArrival(arrival);
}

// The oldest is forgotten first: what sends ever new ids takes no more memory than this.
qint64 ReceiverDesk::countAttempt(const QByteArray& path, const QByteArray& id)
{
    std::string key = (path + '\n' + id).toStdString();
    const auto [entry, isNew] = m_attempts.try_emplace(key, 0);
    const qint64 attempt = ++entry->second;
    if (isNew)
        m_attemptOrder.push_back(std::move(key));
    if (m_attemptOrder.size() > kKnownAttempts) {
        m_attempts.erase(m_attemptOrder.front());
        m_attemptOrder.pop_front();
    }
    return attempt;
}

void ReceiverDesk::keep(const Arrival& arrival, QByteArray text)
{
    m_keptBytes += text.size();
    m_kept.push_back({arrival, std::move(text)});
    if (m_kept.size() > kKeptArrivals) {
        m_keptBytes -= m_kept.front().text.size();
        m_kept.pop_front();
    }
    for (auto oldest = m_kept.begin(); m_keptBytes > kKeptBytes; ++oldest) {
        m_keptBytes -= oldest->text.size();
        oldest->text.clear();
    }
}

void ReceiverDesk::setScript(ReceiverScript script)
{
    std::lock_guard lock(m_mutex);
    m_script = std::move(script);
}

Status ReceiverDesk::readScriptFile()
{
    const QByteArray stamp = stampOf(m_setup.scriptFile); // before: what is written meanwhile is read again
    {
        std::lock_guard lock(m_mutex);
        if (stamp == m_scriptStamp)
            return {};
        m_scriptStamp = stamp;
    }
    REDRIVE_ASSIGN(script, scriptFrom(m_setup.scriptFile));
    setScript(std::move(script));
    return {};
}

void ReceiverDesk::lookAtScriptFile()
{
    if (m_setup.scriptFile.isEmpty())
        return;
    if (const Status read = readScriptFile(); !read && m_setup.onNotice)
        m_setup.onNotice(read.error().text() + u"; the one before stays"_s);
}

Behaviour ReceiverDesk::control(const ReceivedHead& head, const QByteArray& body)
{
    const QByteArray path = pathOf(head.target);
    const bool gets = head.method == "GET" || head.method == "HEAD";
    if (path == "/_arrivals" && gets)
        return listArrivals(head.target.mid(path.size()));
    if (path == "/_arrivals" && head.method == "DELETE") {
        forgetAll();
        return answer(200, "forgotten\n");
    }
    if (path.startsWith("/_arrivals/") && gets)
        return oneArrival(path.mid(11));
    if (path == "/_script" && gets) {
        std::lock_guard lock(m_mutex);
        return answer(200, m_script.text(), "application/json");
    }
    if (path == "/_script" && (head.method == "POST" || head.method == "PUT")) {
        auto script = ReceiverScript::read(body);
        if (!script)
            return answer(400, script.error().text().toUtf8() + '\n');
        setScript(std::move(*script));
        return answer(200, "taken over\n");
    }
    if (path == "/_certificate" && gets && !m_setup.certificate.isEmpty())
        return answer(200, m_setup.certificate, "application/x-pem-file");
    return answer(
        404,
        "GET /_arrivals, GET /_arrivals/N, DELETE /_arrivals, GET or POST /_script, GET /_certificate\n");
}

Behaviour ReceiverDesk::listArrivals(const QByteArray& query) const
{
    const quint64 since = query.startsWith("?since=") ? query.mid(7).toULongLong() : 0;
    QByteArray lines;
    for (const Arrival& arrival : arrivals())
        if (arrival.no > since)
            lines += arrivalJson(arrival) + '\n';
    return answer(200, lines, "application/x-ndjson");
}

Behaviour ReceiverDesk::oneArrival(const QByteArray& number) const
{
    std::lock_guard lock(m_mutex);
    for (const Kept& kept : m_kept)
        if (QByteArray::number(kept.arrival.no) == number && !kept.text.isEmpty())
            return answer(200, kept.text, "application/octet-stream");
    return answer(404, "there is no such arrival, or it is kept no longer\n");
}

void ReceiverDesk::forgetAll()
{
    std::lock_guard lock(m_mutex);
    m_attempts.clear();
    m_attemptOrder.clear();
    m_kept.clear();
    m_keptBytes = 0;
}

QList<Arrival> ReceiverDesk::arrivals() const
{
    std::lock_guard lock(m_mutex);
    QList<Arrival> list;
    for (const Kept& kept : m_kept)
        list.append(kept.arrival);
    return list;
}

} // namespace redrive
