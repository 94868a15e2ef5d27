#include "core/domain/redrive.h"

#include <array>
#include <utility>

namespace redrive {

namespace {

template <typename Value, std::size_t N>
using Names = std::array<std::pair<Value, const char16_t*>, N>;

constexpr Names<RedriveState, 5> kStates{{{RedriveState::Requested, u"requested"},
                                          {RedriveState::Running, u"running"},
                                          {RedriveState::Paused, u"paused"},
                                          {RedriveState::Done, u"done"},
                                          {RedriveState::Stopped, u"stopped"}}};
constexpr Names<CanaryEnd, 3> kCanaryEnds{
    {{CanaryEnd::Ask, u"ask"}, {CanaryEnd::GoOn, u"go-on"}, {CanaryEnd::Stop, u"stop"}}};
constexpr Names<RedriveSteer, 5> kSteers{{{RedriveSteer::Pause, u"pause"},
                                          {RedriveSteer::Continue, u"continue"},
                                          {RedriveSteer::Stop, u"stop"},
                                          {RedriveSteer::Rate, u"rate"},
                                          {RedriveSteer::Undo, u"undo"}}};

template <typename Table, typename Value>
QString nameIn(const Table& table, Value value)
{
    for (const auto& [known, name] : table)
        if (known == value)
            return QString::fromUtf16(name);
    return {};
}

template <typename Value, std::size_t N>
std::optional<Value> valueIn(const Names<Value, N>& table, QStringView text)
{
    for (const auto& [value, name] : table)
        if (text == QStringView(name))
            return value;
    return std::nullopt;
}

} // namespace

QString toText(RedriveState state)
{
    return nameIn(kStates, state);
}

std::optional<RedriveState> redriveStateFrom(QStringView text)
{
    return valueIn(kStates, text);
}

QString toText(CanaryEnd end)
{
    return nameIn(kCanaryEnds, end);
}

std::optional<CanaryEnd> canaryEndFrom(QStringView text)
{
    return valueIn(kCanaryEnds, text);
}

QString toText(RedriveSteer steer)
{
    return nameIn(kSteers, steer);
}

std::optional<RedriveSteer> redriveSteerFrom(QStringView text)
{
    return valueIn(kSteers, text);
}

} // namespace redrive
