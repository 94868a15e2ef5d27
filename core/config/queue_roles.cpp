#include "core/config/queue_roles.h"

#include "core/base/result.h"
#include "core/config/quoted.h"

#include <QSet>

namespace redrive {

namespace {

class RoleResolver final
{
public:
    RoleResolver(Settings& settings, const RedrivePlaces& places, QString file, Diagnostics& out)
        : m_settings(settings), m_places(places), m_file(std::move(file)), m_out(out)
    {
        for (const ConsumerSettings& consumer : m_settings.consumers) {
            m_consumed.insert(consumer.queue);
            if (!consumer.deadLetterQueue.isEmpty())
                m_deadLetter.insert(consumer.deadLetterQueue);
        }
    }

    void resolve()
    {
        resolveTelemetry();
        resolveJobs();
        for (auto it = m_places.handlerQueues.begin(); it != m_places.handlerQueues.end(); ++it)
            checkTakesJobs(*it.value());
        checkConsumerHandlers();
        warnAboutUnhandled();
        for (auto it = m_places.queues.begin(); it != m_places.queues.end(); ++it) {
            if (!isDeclared(it.key()))
                m_out.warningAtKey(*it.value(),
                                   u"no producer, consumer or dead_letter_queue names this queue"_s);
        }
    }

private:
    bool isDeclared(const QString& queue) const
    {
        const auto produces = [&](const ProducerSettings& producer) { return producer.queue == queue; };
        return m_consumed.contains(queue) || m_deadLetter.contains(queue) || queue == m_settings.jobsQueue ||
               queue == m_settings.telemetryQueue || takesHandlerJobs(queue) ||
               std::any_of(m_settings.producers.begin(), m_settings.producers.end(), produces);
    }

    bool takesHandlerJobs(const QString& queue) const
    {
        return std::any_of(m_settings.handlers.begin(), m_settings.handlers.end(),
                           [&](const HandlerSettings& handler) { return handler.queue == queue; });
    }

    bool takesJobs(const QString& queue) const
    {
        return queue == m_settings.jobsQueue || takesHandlerJobs(queue);
    }

    void warnWithoutConsumer(const ConfigValue& at)
    {
        if (!m_consumed.contains(at.string))
            m_out.warning(at, u"the queue %1 has no consumer: its messages wait until one is declared"_s.arg(
                                  quoted(at.string)));
    }

    void resolveTelemetry()
    {
        if (const ConfigValue* at = m_places.telemetryQueue) {
            if (m_deadLetter.contains(at->string))
                m_out.error(*at, u"%1 is a dead-letter queue, telemetry needs a queue of its own"_s.arg(
                                     quoted(at->string)));
            warnWithoutConsumer(*at);
            return;
        }
        const QString usual = u"telemetry-ingest"_s;
        if (isDeclared(usual) && !m_deadLetter.contains(usual))
            m_settings.telemetryQueue = usual;
    }

    bool suitsJobs(const QString& queue) const
    {
        return !m_deadLetter.contains(queue) && queue != m_settings.telemetryQueue;
    }

    void resolveJobs()
    {
        if (const ConfigValue* at = m_places.jobsQueue) {
            checkTakesJobs(*at);
            return;
        }
        for (const ProducerSettings& producer : m_settings.producers) {
            if (suitsJobs(producer.queue)) {
                m_settings.jobsQueue = producer.queue;
                return;
            }
        }
        for (const ConsumerSettings& consumer : m_settings.consumers) {
            if (suitsJobs(consumer.queue)) {
                m_settings.jobsQueue = consumer.queue;
                m_out.add(
                    {Severity::Notice,
                     m_file,
                     0,
                     0,
                     {},
                     u"no producer names a queue for jobs, so POST /jobs feeds the first consumed one, %1; redrive.jobs.queue names another"_s
                         .arg(quoted(consumer.queue))});
                return;
            }
        }
        // Whoever has a queue of telemetry may want no other.
        m_out.add(
            {m_settings.telemetryQueue.isEmpty() ? Severity::Warning : Severity::Notice,
             m_file,
             0,
             0,
             {},
             u"no queue takes jobs: POST /jobs is refused until queues.producers or redrive.jobs.queue names one"_s});
    }

    void checkTakesJobs(const ConfigValue& at)
    {
        if (m_deadLetter.contains(at.string))
            m_out.error(at, u"%1 is a dead-letter queue, jobs need another one"_s.arg(quoted(at.string)));
        else if (at.string == m_settings.telemetryQueue)
            m_out.error(at, u"%1 is the telemetry queue, jobs need another one"_s.arg(quoted(at.string)));
        else
            warnWithoutConsumer(at);
    }

    QString ownRole(const QString& queue) const
    {
        if (m_deadLetter.contains(queue))
            return u"a dead-letter queue"_s;
        if (queue == m_settings.telemetryQueue)
            return u"the telemetry queue"_s;
        return takesJobs(queue) ? u"a queue of jobs"_s : QString();
    }

    void checkConsumerHandlers()
    {
        for (auto it = m_places.consumerHandlers.begin(); it != m_places.consumerHandlers.end(); ++it) {
            if (const QString role = ownRole(it.key()); !role.isEmpty() && !takesJobs(it.key())) {
                m_out.warningAtKey(*it.value(), u"is not used: %1 is %2, which Redrive handles itself"_s.arg(
                                                    quoted(it.key()), role));
            } else if (!m_consumed.contains(it.key())) {
                m_out.warningAtKey(*it.value(),
                                   u"is not used: no entry of queues.consumers consumes the queue %1"_s.arg(
                                       quoted(it.key())));
            }
        }
    }

    void warnAboutUnhandled()
    {
        for (const ConsumerSettings& consumer : m_settings.consumers) {
            const bool handled = consumer.type == ConsumerType::HttpPull ||
                                 !ownRole(consumer.queue).isEmpty() ||
                                 m_settings.consumerHandlers.contains(consumer.queue);
            if (!handled) {
                m_out.fileWarning(
                    m_file,
                    u"the consumed queue %1 has no handler: its messages wait until redrive.consumers gives it a command or a url"_s
                        .arg(quoted(consumer.queue)));
            }
        }
    }

    Settings& m_settings;
    const RedrivePlaces& m_places;
    QString m_file;
    Diagnostics& m_out;
    QSet<QString> m_consumed;
    QSet<QString> m_deadLetter;
};

} // namespace

void resolveQueueRoles(Settings& settings, const RedrivePlaces& places, const QString& file, Diagnostics& out)
{
    RoleResolver(settings, places, file, out).resolve();
}

} // namespace redrive
