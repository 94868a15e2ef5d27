// The attempts of a delivery: phases, addresses, headers and what the answer was.
#include "ui/models/state_words.h"
#include "ui/pages/detail_values.h"
#include "ui/widgets/payload_view.h"

#include <QCoreApplication>

namespace redrive {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(attempts)
};

constexpr qsizetype kShownResponse = 2000;

double ms(qint64 us)
{
    return double(us) / 1000.0;
}

QList<PhaseView> phasesOf(const DeliveryAttempt& attempt)
{
    QList<PhaseView> phases;
    const auto add = [&](PhaseKind kind, qint64 us) {
        if (us > 0)
            phases.append({kind, ms(us), false});
    };
    add(PhaseKind::Dns, attempt.dnsUs);
    add(PhaseKind::Connect, attempt.connectUs);
    add(PhaseKind::Tls, attempt.tlsUs);
    add(PhaseKind::FirstByte, attempt.firstByteUs);
    const qint64 rest =
        attempt.totalUs - attempt.dnsUs - attempt.connectUs - attempt.tlsUs - attempt.firstByteUs;
    if (attempt.firstByteUs > 0) {
        add(PhaseKind::Transfer, rest);
        return phases;
    }
    if (rest <= 0 || attempt.outcome != u"failed")
        return phases;
    // What was under way when it failed is the phase after the last one that was finished.
    auto kind = PhaseKind::FirstByte;
    if (attempt.outcomeClass == u"not_sent") {
        if (attempt.connectUs > 0 || attempt.dnsUs == 0)
            kind = attempt.connectUs > 0 ? PhaseKind::Tls : PhaseKind::Dns;
        else
            kind = PhaseKind::Connect;
    }
    phases.append({kind, ms(rest), true});
    return phases;
}

QString phaseWords(const DeliveryAttempt& attempt)
{
    QStringList parts;
    const auto add = [&](const QString& name, qint64 us) {
        if (us > 0)
            parts.append(name + u' ' + format::number(ms(us), us < 10'000 ? 1 : 0));
    };
    add(Words::tr("DNS"), attempt.dnsUs);
    add(Words::tr("connect"), attempt.connectUs);
    add(Words::tr("TLS"), attempt.tlsUs);
    add(Words::tr("first byte"), attempt.firstByteUs);
    if (parts.isEmpty())
        return {};
    return parts.join(u" \u00B7 "_s) + u' ' + Words::tr("ms");
}

QString classWords(const QString& outcomeClass)
{
    if (outcomeClass == u"not_sent")
        return Words::tr("Not sent: no byte of the body left this machine");
    if (outcomeClass == u"unknown")
        return Words::tr("Unknown: bytes were written, no complete answer came");
    if (outcomeClass == u"answered")
        return Words::tr("Answered");
    return cellText(outcomeClass);
}

QString outcomeWords(const DeliveryAttempt& attempt)
{
    auto words = stateOfOutcome(attempt.outcome).word;
    if (attempt.statusCode)
        words += u' ' + QString::number(*attempt.statusCode);
    if (attempt.kind == u"replay")
        words += u" \u00B7 "_s + Words::tr("replay");
    return words;
}

QString thenWords(const DeliveryAttempt& attempt, format::Zone zone)
{
    if (!attempt.nextAtMs)
        return attempt.nextReason.isEmpty() ? QString() : reasonWord(attempt.nextReason);
    const auto when = Words::tr("next attempt %1").arg(format::fullTime(*attempt.nextAtMs, zone));
    return attempt.nextReason.isEmpty() ? when : when + u" \u00B7 "_s + reasonWord(attempt.nextReason);
}

QString tlsWords(const DeliveryAttempt& attempt, format::Zone zone)
{
    QStringList parts;
    if (!attempt.tlsVersion.isEmpty())
        parts.append(cellText(attempt.tlsVersion));
    if (attempt.certificateEndsAtMs)
        parts.append(
            Words::tr("certificate ends %1").arg(format::fullTime(*attempt.certificateEndsAtMs, zone)));
    return parts.join(u" \u00B7 "_s);
}

QList<FactView> factsOf(const DeliveryAttempt& attempt, format::Zone zone)
{
    QList<FactView> facts;
    const auto add = [&](const QString& label, const QString& value, bool mono = false) {
        if (!value.isEmpty())
            facts.append({label, value, mono});
    };
    add(Words::tr("Request"), u"POST "_s + attempt.url, true);
    add(Words::tr("Peer"), attempt.peer, true);
    if (attempt.endpointVersion)
        add(Words::tr("Settings"), Words::tr("version %1 of its endpoint").arg(*attempt.endpointVersion));
    add(Words::tr("Phases"), phaseWords(attempt));
    add(Words::tr("TLS"), tlsWords(attempt, zone));
    add(Words::tr("Class"), classWords(attempt.outcomeClass));
    add(Words::tr("Error"), attempt.errorCode.isEmpty() || attempt.error.contains(attempt.errorCode)
                                ? attempt.error
                                : attempt.errorCode + u": "_s + attempt.error);
    if (attempt.replayOf)
        add(Words::tr("Replays"), Words::tr("attempt %1").arg(*attempt.replayOf));
    add(Words::tr("Then"), thenWords(attempt, zone));
    add(Words::tr("Sent headers"), attempt.requestHeaders.trimmed(), true);
    add(Words::tr("Answer"), attempt.responseHeaders.trimmed(), true);
    if (!attempt.responseBody.isEmpty()) {
        const auto body = PayloadView::readable(attempt.responseBody.left(kShownResponse));
        const bool cut = attempt.responseBody.size() > kShownResponse;
        facts.append({Words::tr("Body"), cut ? body + u"\u2026"_s : body, true,
                      cut ? attempt.responseBody : QByteArray()});
    }
    return facts;
}

} // namespace

QList<AttemptView> attemptViews(const DeliveryDetail& detail, format::Zone zone)
{
    QList<AttemptView> views;
    for (const auto& attempt : detail.attempts) {
        AttemptView view;
        view.number = attempt.attempt;
        view.startedMs = attempt.startedAtMs;
        view.glyph = stateOfOutcome(attempt.outcome).glyph;
        view.outcome = outcomeWords(attempt);
        view.phases = phasesOf(attempt);
        if (attempt.finishedAtMs)
            view.totalMs =
                attempt.totalUs > 0 ? attempt.totalUs / 1000 : *attempt.finishedAtMs - attempt.startedAtMs;
        view.facts = factsOf(attempt, zone);
        views.append(view);
    }
    return views;
}

} // namespace redrive
