// What the receiver does with a request, and the words that say it: in a URL's path and query, or in a
// script. Plain values; reading is pure.
#pragma once

#include "core/base/result.h"

#include <QByteArray>
#include <QList>
#include <QPair>

#include <optional>

namespace redrive {

struct Behaviour
{
    enum class Break { None, Close, Reset };

    int status = 200;
    std::optional<QByteArray> body; // nothing: a word for the status
    qint64 bodyBytes = -1;          // so many 'x' instead; -1: `body`
    QByteArray contentType = "text/plain; charset=utf-8";
    QList<QPair<QByteArray, QByteArray>> headers;
    qint64 delayMs = 0; // before the answer
    qint64 dripMs = 0;  // above 0: after the head one byte each
    Break breaks = Break::None;
    bool breaksInAnswer = false; // after half of the body instead of before the first byte
    bool hangs = false;          // no answer until the client leaves
    bool verifies = false;       // 401 unless the signature is good
    int times = 0;               // for so many attempts; 0: for all that follow
};

// One after the other, by the number of the attempt; after the last, 200.
using Behaviours = QList<Behaviour>;

inline constexpr int kMostSteps = 100;
inline constexpr qint64 kLongestDelayMs = 3'600'000;
inline constexpr qint64 kMostBodyBytes = 1'073'741'824;

// The behaviour that a target such as "/flaky/3?delay=2s" describes; a path that describes none is 200.
// InvalidInput: an argument that cannot be read.
Result<Behaviours> behavioursOf(const QByteArray& target);

// Sets one property as a query or a script names it: status, times, delay, drip, bytes, body, retry-after,
// to, reset, close, hang, verify. False: there is none of that name.
Result<bool> setProperty(Behaviour& behaviour, const QByteArray& name, const QByteArray& value);

// The one for the n-th attempt, from 1; plain 200 beyond the last.
Behaviour behaviourFor(const Behaviours& steps, qint64 attempt);

// "503 after 2000 ms", "reset in the answer": for logs.
QString behaviourWords(const Behaviour& behaviour);

} // namespace redrive
