// Endpoints of webhooks as the store knows them. Plain values; any thread. Times are unix milliseconds.
#pragma once

#include <QByteArray>
#include <QList>
#include <QString>

#include <array>
#include <optional>

namespace redrive {

enum class EndpointOrigin {
    Configuration, // the configuration names it, and alone says its settings
    Made,          // by an operator
    Payload,       // known only because an event's payload named it
};

QString toText(EndpointOrigin origin); // configuration, made, payload
EndpointOrigin endpointOriginFrom(QStringView text);

enum class DisabledCause {
    Gone,
    Operator,
    Deleted
}; // it answered 410; by hand; it is not registered any more

QString toText(DisabledCause cause); // gone, operator, deleted
DisabledCause disabledCauseFrom(QStringView text);

// How long answered attempts took: the upper ends of the classes they are counted in.
inline constexpr std::array<qint64, 12> kLatencyEndsMs{5,   10,   20,   50,   100,   200,
                                                       500, 1000, 2000, 5000, 10000, 30000};

struct EndpointFigures
{
    qint64 attempts = 0;
    qint64 delivered = 0;
    std::array<qint64, kLatencyEndsMs.size()> answered{};

    qint64 answeredTotal() const;
    // 0–1; nothing without attempts.
    std::optional<double> successRate() const;
    // The end of the class in which this part (0–1) of the answered ones lies; nothing without any.
    std::optional<qint64> withinMs(double part) const;
    void add(const EndpointFigures& other);
    // Counts one attempt.
    void count(bool wasDelivered, std::optional<qint64> answeredUs);

    bool operator==(const EndpointFigures&) const = default;
};

struct EndpointRow
{
    QString id;
    EndpointOrigin origin = EndpointOrigin::Payload;
    int version = 0; // 0: none
    QString url;
    QByteArray settings; // of the newest version, as JSON; empty for one of a payload
    qint64 createdAtMs = 0;
    qint64 updatedAtMs = 0;
    std::optional<qint64> deletedAtMs;
    std::optional<qint64> disabledAtMs;
    DisabledCause disabledCause = DisabledCause::Gone; // where it is disabled
    std::optional<qint64> pausedAtMs;                  // by an operator
    std::optional<qint64> pausedUntilMs;               // by Retry-After
    std::optional<qint64> breakerOpenedAtMs;           // while its circuit breaker is open
    std::optional<qint64> breakerUntilMs;              // the next probe
    QString changedBy;                                 // who paused, disabled or deleted it
    std::optional<qint64> certificateEndsAtMs;
    qint64 waiting = 0; // deliveries that have a due time
    qint64 held = 0;
    qint64 dead = 0;
    EndpointFigures lastDay;
};

struct EndpointVersion
{
    int version = 0;
    QByteArray settings;
    qint64 madeAtMs = 0;
    QString madeBy;
};

struct EndpointSlot
{
    qint64 atMs = 0; // begin of a quarter of an hour
    EndpointFigures figures;
};

inline constexpr qint64 kEndpointSlotMs = 15 * 60'000;

struct EndpointDetail
{
    EndpointRow endpoint;
    QList<EndpointVersion> versions; // newest first
    QList<EndpointSlot> slots;       // those with attempts of the last two days, oldest first
};

enum class EndpointVerb {
    Create,
    Edit,
    Pause, // deliveries are held
    Resume,
    Disable, // the same, and said to be for good
    Enable,
    Delete,
    Rotate,       // a new secret signs beside the older ones until their overlap ends
    RevokeSecret, // a secret signs no more
};

QString toText(EndpointVerb verb); // create, edit, …, rotate, revoke

struct EndpointChange
{
    EndpointVerb verb = EndpointVerb::Create;
    QString id;
    // Create, Edit: JSON as of redrive.endpoints[]. In an edit what is not said stays, and null takes away.
    QByteArray settings;
    std::optional<int> baseVersion; // Edit: what the editor saw; a newer one is a Conflict
    QString secretName;    // Rotate: the new one, which exists, or empty: one is made; RevokeSecret: which
    qint64 overlapMs = 0;  // Rotate
    bool keepOpen = false; // Delete: open deliveries stay held; else they are cancelled
    QString actor;
    QString source; // console or command line
    QString reason;
};

struct EndpointChanged
{
    QString id;
    int version = 0;
    QString secretName; // Rotate, where one was made
    QString secret;     // the same, to be given to the receiver
};

} // namespace redrive
