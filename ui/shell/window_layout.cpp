#include "ui/shell/window_layout.h"

#include "core/base/result.h"

#include <QMainWindow>

namespace redrive {

namespace {

constexpr int kStateVersion = 1; // raised when docks change their meaning

QString pageKey(const QString& pageId, const QString& what)
{
    auto safe = pageId;
    safe.replace(u'/', u'-');
    return u"pages/"_s + safe + u'-' + what;
}

} // namespace

WindowLayout::WindowLayout(const QString& iniFile) : m_settings(iniFile, QSettings::IniFormat) {}

bool WindowLayout::restoreWindow(QMainWindow* window)
{
    const bool known = window->restoreGeometry(m_settings.value(u"window/geometry"_s).toByteArray());
    return window->restoreState(m_settings.value(u"window/state"_s).toByteArray(), kStateVersion) && known;
}

void WindowLayout::saveWindow(const QMainWindow* window)
{
    m_settings.setValue(u"window/geometry"_s, window->saveGeometry());
    m_settings.setValue(u"window/state"_s, window->saveState(kStateVersion));
}

QString WindowLayout::page() const
{
    return m_settings.value(u"window/page"_s).toString();
}

void WindowLayout::setPage(const QString& entryId)
{
    m_settings.setValue(u"window/page"_s, entryId);
}

format::Zone WindowLayout::zone() const
{
    return m_settings.value(u"window/zone"_s).toString() == u"local" ? format::Zone::Local
                                                                     : format::Zone::Utc;
}

void WindowLayout::setZone(format::Zone zone)
{
    m_settings.setValue(u"window/zone"_s, zone == format::Zone::Local ? u"local"_s : u"utc"_s);
}

Theme WindowLayout::theme() const
{
    return ThemeController::themeFromName(m_settings.value(u"window/theme"_s).toString());
}

void WindowLayout::setTheme(Theme theme)
{
    m_settings.setValue(u"window/theme"_s, ThemeController::nameOfTheme(theme));
}

Density WindowLayout::density() const
{
    return m_settings.value(u"window/density"_s).toString() == u"compact" ? Density::Compact
                                                                          : Density::Comfortable;
}

void WindowLayout::setDensity(Density density)
{
    m_settings.setValue(u"window/density"_s, density == Density::Compact ? u"compact"_s : u"comfortable"_s);
}

QString WindowLayout::listFont() const
{
    return m_settings.value(u"window/listFont"_s).toString();
}

QString WindowLayout::payloadFont() const
{
    return m_settings.value(u"window/payloadFont"_s).toString();
}

void WindowLayout::setFonts(const QString& list, const QString& payload)
{
    m_settings.setValue(u"window/listFont"_s, list);
    m_settings.setValue(u"window/payloadFont"_s, payload);
}

bool WindowLayout::detailShown() const
{
    return m_settings.value(u"window/detail"_s, true).toBool();
}

void WindowLayout::setDetailShown(bool shown)
{
    m_settings.setValue(u"window/detail"_s, shown);
}

QByteArray WindowLayout::pageState(const QString& pageId) const
{
    return m_settings.value(pageKey(pageId, u"state"_s)).toByteArray();
}

QString WindowLayout::pageFilter(const QString& pageId) const
{
    return m_settings.value(pageKey(pageId, u"filter"_s)).toString();
}

void WindowLayout::setPageState(const QString& pageId, const QByteArray& state, const QString& filter)
{
    m_settings.setValue(pageKey(pageId, u"state"_s), state);
    m_settings.setValue(pageKey(pageId, u"filter"_s), filter);
}

} // namespace redrive
