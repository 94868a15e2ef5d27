#include "app/command_line/commands.h"
#include "app/command_line/output.h"
#include "app/command_line/sent_bodies.h"
#include "app/place.h"
#include "core/engine/lone_turn.h"
#include "core/queue/send.h"
#include "core/store/queue_settings.h"

#include <QFile>

#include <cstdio>

namespace redrive {

namespace {

constexpr qint64 kMostRead = 64 * 1024 * 1024; // far over what a send may have

Result<QByteArray> inputOf(const Invocation& invocation)
{
    if (invocation.body != u"-"_s)
        return invocation.body->toUtf8();
    QFile input;
    if (!input.open(stdin, QIODevice::ReadOnly))
        return fail(ErrorKind::Internal, u"standard input cannot be read"_s);
    return input.read(kMostRead);
}

Result<QStringList> send(const Place& place, const QString& queue, const QList<OutgoingMessage>& messages,
                         std::optional<qint64> delayMs)
{
    QStringList notices;
    REDRIVE_ASSIGN(db, openForWork(place, notices));
    if (!place.settings.queueNames().contains(queue)) {
        REDRIVE_ASSIGN(state, queue_settings::pauseState(*db, queue));
        if (!state.known)
            notices.append(
                u"nothing in the configuration names the queue %1: the message waits there"_s.arg(queue));
    }
    for (const QString& notice : notices)
        printNotice(notice);
    QStringList ids;
    REDRIVE_TRY(runLoneTurn(*db, SystemClock(), [&](Cycle& cycle) -> Status {
        REDRIVE_ASSIGN(sent, sendToQueue(cycle, place.settings, queue, messages, delayMs));
        ids = sent;
        return {};
    }));
    return ids;
}

} // namespace

int runSend(const Invocation& invocation)
{
    const QString& queue = invocation.names.first();
    if (!invocation.body) {
        printError(u"send needs --body TEXT, or --body - for standard input"_s);
        return exit_code::kUsage;
    }
    if (queue.size() > 255 || !isOneLine(queue))
        return failed({ErrorKind::InvalidInput, u"a queue is one line of 1 to 255 characters"_s, {}, {}});
    const auto input = inputOf(invocation);
    if (!input)
        return failed(input.error());
    const auto messages = messagesOf(*input, *contentTypeFrom(invocation.contentType));
    if (!messages)
        return failed(messages.error());
    const auto place = findPlace(invocation);
    if (!place)
        return failed(place.error());
    std::optional<qint64> delayMs;
    if (invocation.delaySeconds)
        delayMs = *invocation.delaySeconds * 1000;
    const auto ids = send(*place, queue, *messages, delayMs);
    if (!ids)
        return failed(ids.error());
    for (const QString& id : *ids) {
        if (invocation.json)
            JsonLine().add("messageId", id).add("queue", queue).print();
        else
            printLine(id);
    }
    return exit_code::kDone;
}

} // namespace redrive
