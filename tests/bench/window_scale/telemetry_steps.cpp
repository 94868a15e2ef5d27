// The Telemetry page: its rows, its minutes, its filters, moving in it.
#include "tests/bench/window_scale/window_driver.h"

#include <QAbstractButton>
#include <QAction>
#include <QDateTime>
#include <QMainWindow>
#include <QWidget>

namespace redrive::bench {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qint64 kMsOfDay = 86'400'000;

QWidget* stripOf(const QMainWindow* window)
{
    for (auto* widget : window->findChildren<QWidget*>())
        if (qstrcmp(widget->metaObject()->className(), "redrive::TelemetryStrip") == 0)
            return widget;
    return nullptr;
}

QString term(const QString& field, qint64 ms)
{
    return field + QDateTime::fromMSecsSinceEpoch(ms, Qt::UTC).toString(u"yyyy-MM-dd'T'HH:mm'Z'"_s);
}

} // namespace

QString WindowDriver::minutesInWords() const
{
    const auto* strip = stripOf(m_window);
    return strip && strip->isVisible() ? strip->accessibleDescription() : QString();
}

void WindowDriver::addTelemetry()
{
    m_steps.push_back({u"page Telemetry"_s, u"page"_s, [this] { pageAction(u"Telemetry"_s)->trigger(); }});
    m_steps.push_back({u"telemetry: minutes of an hour, same click"_s, u"aggregate"_s, [] {}, false,
                       [this] { return minutesInWords().contains(u"rows, most"_s); }, true});
    // More than are counted at once.
    m_steps.push_back({u"telemetry: minutes of six hours"_s, u"aggregate"_s,
                       [this] {
                           for (auto* button : stripOf(m_window)->findChildren<QAbstractButton*>())
                               if (button->text() == u"6 h")
                                   button->click();
                           m_words = minutesInWords();
                       },
                       false, [this] { return minutesInWords() != m_words; }});
    const qint64 nowMs = QDateTime::currentMSecsSinceEpoch();
    const QString anHour = term(u"since:"_s, nowMs - 3 * kMsOfDay) + u' ' +
                           term(u"until:"_s, nowMs - 3 * kMsOfDay + kMsOfDay / 24);
    const auto filter = [this](const QString& name, const QString& text) {
        m_steps.push_back({u"telemetry: "_s + name, u"filter"_s, [this, text] { typeFilter(text); }, true});
    };
    for (const auto& text : {u"tenant:tenant-42"_s, u"source:audit"_s, u"tenant:tenant-45 source:audit"_s,
                             u"age:<15m"_s, u"age:>5d"_s, u"payload.status:500"_s})
        filter(text, text);
    filter(u"since: until:"_s, anHour);
    filter(u"tenant: since: until:"_s, u"tenant:tenant-42 "_s + anHour);
    // Without a match: by the index at once, within payloads in all of them.
    m_steps.push_back({u"telemetry: tenant:nobody"_s, u"filter"_s, [this] { typeFilter(u"tenant:nobody"_s); },
                       true, [this] { return m_reset && isComplete(); }});
    m_steps.push_back({u"telemetry: payload.status:404"_s, u"other"_s,
                       [this] { typeFilter(u"payload.status:404"_s); }, true,
                       [this] { return m_reset && isComplete(); }});
    m_steps.push_back({u"telemetry: no filter"_s, u"filter"_s, [this] { typeFilter({}); }, true});
    addMovements(u"telemetry: "_s);
}

} // namespace redrive::bench
