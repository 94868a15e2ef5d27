#include "core/receiver/behaviour.h"

#include "core/net/header_rules.h"

#include <array>
#include <cmath>

namespace redrive {

namespace {

constexpr qint64 kHugeBytes = 50'000'000;
constexpr qint64 kDripBytes = 1'000;
constexpr qint64 kBrokenBytes = 1'000;

QString shown(const QByteArray& text)
{
    return QString::fromUtf8(text.first(std::min<qsizetype>(text.size(), 60)));
}

struct Unit
{
    const char* name; // one that ends another comes after it; the last is empty
    double factor;
};

constexpr std::array<Unit, 4> kTimes{{{"ms", 1}, {"s", 1'000}, {"m", 60'000}, {"", 1'000}}};
constexpr std::array<Unit, 4> kSizes{{{"kb", 1'000}, {"mb", 1'000'000}, {"gb", 1'000'000'000}, {"", 1}}};

std::optional<qint64> measure(QByteArray text, const std::array<Unit, 4>& units, qint64 most)
{
    text = text.trimmed().toLower();
    const Unit* unit = units.begin();
    while (!text.endsWith(unit->name))
        ++unit;
    bool ok = false;
    const double value = text.chopped(qsizetype(qstrlen(unit->name))).toDouble(&ok) * unit->factor;
    return ok && value >= 0 && value <= double(most) ? std::optional(std::llround(value)) : std::nullopt;
}

Result<qint64> duration(const QByteArray& name, const QByteArray& text)
{
    if (const auto ms = measure(text, kTimes, kLongestDelayMs))
        return *ms;
    return fail(
        ErrorKind::InvalidInput,
        u"%1 takes a time such as 2s, 500ms or 1m, at most 1 h, not '%2'"_s.arg(shown(name), shown(text)));
}

Result<qint64> size(const QByteArray& name, const QByteArray& text)
{
    if (const auto bytes = measure(text, kSizes, kMostBodyBytes))
        return *bytes;
    return fail(ErrorKind::InvalidInput,
                u"%1 takes a size such as 500, 64kb or 50mb, at most 1 GiB, not '%2'"_s.arg(shown(name),
                                                                                            shown(text)));
}

Result<int> number(const QByteArray& name, const QByteArray& text, int least, int most)
{
    bool ok = false;
    const int value = text.toInt(&ok);
    if (ok && value >= least && value <= most)
        return value;
    return fail(ErrorKind::InvalidInput, u"%1 takes a number from %2 to %3, not '%4'"_s.arg(shown(name))
                                             .arg(least)
                                             .arg(most)
                                             .arg(shown(text)));
}

Result<bool> yesOrNo(const QByteArray& name, const QByteArray& text)
{
    if (text.isEmpty() || text == "true" || text == "1" || text == "yes")
        return true;
    if (text == "false" || text == "0" || text == "no")
        return false;
    return fail(ErrorKind::InvalidInput, u"%1 takes true or false, not '%2'"_s.arg(shown(name), shown(text)));
}

Status setHeader(Behaviour& behaviour, const QByteArray& name, const QByteArray& value)
{
    if (const Status checked = checkHeader(name, value); !checked)
        return fail(ErrorKind::InvalidInput,
                    u"%1 cannot be sent: %2"_s.arg(shown(name), checked.error().message));
    behaviour.headers.removeIf([&](const auto& field) { return field.first == name; });
    behaviour.headers.append({name, value});
    return {};
}

Status setBreak(Behaviour& behaviour, Behaviour::Break kind, const QByteArray& name, const QByteArray& where)
{
    if (!where.isEmpty() && where != "before" && where != "middle" && where != "true")
        return fail(ErrorKind::InvalidInput,
                    u"%1 takes before or middle (of the answer), not '%2'"_s.arg(shown(name), shown(where)));
    behaviour.breaks = kind;
    behaviour.breaksInAnswer = where == "middle";
    if (behaviour.breaksInAnswer && behaviour.bodyBytes < 0)
        behaviour.bodyBytes = kBrokenBytes;
    return {};
}

// What a path's first segment stands for. `argument` is its second one, empty without.
Status readPath(Behaviour& behaviour, const QByteArray& name, const QByteArray& argument)
{
    const auto set = [&](const char* property, const QByteArray& value) -> Status {
        REDRIVE_ASSIGN(known, setProperty(behaviour, property, value));
        Q_UNUSED(known);
        return {};
    };
    const auto argumentOr = [&](const char* value) {
        return argument.isEmpty() ? QByteArray(value) : argument;
    };
    if (name == "status")
        return set("status", argumentOr("200"));
    if (name == "slow")
        return set("delay", argumentOr("2s"));
    if (name == "flaky") {
        behaviour.status = 503;
        return set("times", argumentOr("1"));
    }
    if (name == "gone")
        behaviour.status = 410;
    if (name == "retry-after") {
        behaviour.status = 503;
        return set("retry-after", argumentOr("30"));
    }
    if (name == "redirect") {
        behaviour.status = 302;
        return set("to", "/ok");
    }
    if (name == "drip") {
        behaviour.bodyBytes = kDripBytes;
        return set("drip", argumentOr("1s"));
    }
    if (name == "huge")
        return argument.isEmpty() ? set("bytes", QByteArray::number(kHugeBytes)) : set("bytes", argument);
    if (name == "reset" || name == "close")
        return set(name.constData(), argument == "middle" ? argument : QByteArray("before"));
    if (name == "hang")
        behaviour.hangs = true;
    if (name == "verify")
        behaviour.verifies = true;
    return {};
}

} // namespace

Result<bool> setProperty(Behaviour& behaviour, const QByteArray& name, const QByteArray& value)
{
    if (name == "status") {
        REDRIVE_ASSIGN(status, number(name, value, 200, 599));
        behaviour.status = status;
    } else if (name == "times") {
        REDRIVE_ASSIGN(times, number(name, value, 1, 1'000'000));
        behaviour.times = times;
    } else if (name == "delay") {
        REDRIVE_ASSIGN(delay, duration(name, value));
        behaviour.delayMs = delay;
    } else if (name == "drip") {
        REDRIVE_ASSIGN(interval, duration(name, value));
        behaviour.dripMs = interval;
    } else if (name == "bytes") {
        REDRIVE_ASSIGN(bytes, size(name, value));
        behaviour.bodyBytes = bytes;
    } else if (name == "body") {
        behaviour.body = value;
    } else if (name == "retry-after") {
        REDRIVE_TRY(setHeader(behaviour, "Retry-After", value));
    } else if (name == "to") {
        REDRIVE_TRY(setHeader(behaviour, "Location", value));
    } else if (name == "reset") {
        REDRIVE_TRY(setBreak(behaviour, Behaviour::Break::Reset, name, value));
    } else if (name == "close") {
        REDRIVE_TRY(setBreak(behaviour, Behaviour::Break::Close, name, value));
    } else if (name == "hang") {
        REDRIVE_ASSIGN(hangs, yesOrNo(name, value));
        behaviour.hangs = hangs;
    } else if (name == "verify") {
        REDRIVE_ASSIGN(verifies, yesOrNo(name, value));
        behaviour.verifies = verifies;
    } else {
        return false;
    }
    return true;
}

Result<Behaviours> behavioursOf(const QByteArray& target)
{
    const qsizetype mark = target.indexOf('?');
    const QList<QByteArray> segments = target.first(mark < 0 ? target.size() : mark).split('/');
    Behaviour behaviour;
    REDRIVE_TRY(readPath(behaviour, segments.value(1), QByteArray::fromPercentEncoding(segments.value(2))));
    if (mark >= 0)
        for (const QByteArray& pair : target.mid(mark + 1).split('&')) {
            const qsizetype equals = pair.indexOf('=');
            const QByteArray value = equals < 0 ? QByteArray() : pair.mid(equals + 1).replace('+', ' ');
            REDRIVE_ASSIGN(known, setProperty(behaviour, pair.first(equals < 0 ? pair.size() : equals),
                                              QByteArray::fromPercentEncoding(value)));
            Q_UNUSED(known); // others may be the sender's own
        }
    return Behaviours{behaviour};
}

Behaviour behaviourFor(const Behaviours& steps, qint64 attempt)
{
    for (qsizetype i = 0; i < steps.size(); ++i) {
        const bool last = i + 1 == steps.size();
        const qint64 times = steps[i].times > 0 ? steps[i].times : 1;
        if (attempt <= times || (last && steps[i].times == 0))
            return steps[i];
        attempt -= times;
    }
    return {};
}

QString behaviourWords(const Behaviour& behaviour)
{
    if (behaviour.hangs)
        return u"no answer"_s;
    QString words = QString::number(behaviour.status);
    if (behaviour.breaks != Behaviour::Break::None) {
        words = behaviour.breaks == Behaviour::Break::Reset ? u"reset"_s : u"close"_s;
        words += behaviour.breaksInAnswer ? u" in the answer"_s : u" without an answer"_s;
    }
    if (behaviour.delayMs > 0)
        words += u" after %1 ms"_s.arg(behaviour.delayMs);
    if (behaviour.dripMs > 0)
        words += u", a byte every %1 ms"_s.arg(behaviour.dripMs);
    return words;
}

} // namespace redrive
