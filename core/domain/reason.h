// Reason codes: why a job, delivery or letter is where it is. The engine stores the code; the window and the
// command line write the sentence. Any thread.
#pragma once

#include <QLatin1String>

namespace redrive::reason {

inline constexpr QLatin1String kRetry("retry");     // waits for its retry timer
inline constexpr QLatin1String kDelayed("delayed"); // sent with a delay
inline constexpr QLatin1String kRetriesUsedUp("retries_used_up");
inline constexpr QLatin1String kPermanent("permanent");
inline constexpr QLatin1String kUnknownType("unknown_type");
inline constexpr QLatin1String kRefusedPayload("refused_payload");
inline constexpr QLatin1String kCrashed("crashed");        // three engines died with it
inline constexpr QLatin1String kMissingRow("missing_row"); // a message whose job row is gone
inline constexpr QLatin1String kNoHandler("no_handler");
inline constexpr QLatin1String kNoLetterKept("no_letter_kept"); // used up, and no dead-letter queue
inline constexpr QLatin1String kTargetRefused("target_refused");
inline constexpr QLatin1String kGone("gone"); // the endpoint answered 410
inline constexpr QLatin1String kEndpointPaused("endpoint_paused");
inline constexpr QLatin1String kEndpointDisabled("endpoint_disabled"); // held since it answered 410
inline constexpr QLatin1String kHeldByPayload("held_by_payload");      // the event's payload paused it
inline constexpr QLatin1String kReplay("replay");                      // an operator asked to send it again
inline constexpr QLatin1String kRetryAfter("retry_after");
inline constexpr QLatin1String kOffline("offline");         // the engine has no network
inline constexpr QLatin1String kInterrupted("interrupted"); // the engine ended during the attempt
inline constexpr QLatin1String kRequeued("requeued");
inline constexpr QLatin1String kCancelled("cancelled");   // an operator cancelled it
inline constexpr QLatin1String kSuperseded("superseded"); // an operator edited it: another one took its place
inline constexpr QLatin1String kRescued("rescued");       // by the sweep
inline constexpr QLatin1String kPurged("purged");         // an operator emptied its queue
inline constexpr QLatin1String kExpired("expired");       // its message was older than the queue keeps them

} // namespace redrive::reason
