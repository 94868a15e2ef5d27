// Remembers a window between starts, per environment: geometry, docks, last page, zone, theme, density,
// fonts, and each page's columns and filter. One INI file under the data folder; a damaged or missing one
// gives the defaults. Window thread.
#pragma once

#include "ui/models/format.h"
#include "ui/widgets/theme_controller.h"

#include <QByteArray>
#include <QSettings>

class QMainWindow;

namespace redrive {

class WindowLayout final
{
public:
    explicit WindowLayout(const QString& iniFile);

    bool restoreWindow(QMainWindow* window); // false: nothing was remembered
    void saveWindow(const QMainWindow* window);

    QString page() const;
    void setPage(const QString& entryId);
    format::Zone zone() const;
    void setZone(format::Zone zone);
    Theme theme() const;
    void setTheme(Theme theme);
    Density density() const;
    void setDensity(Density density);
    QString listFont() const; // as ThemeController has them
    QString payloadFont() const;
    void setFonts(const QString& list, const QString& payload);
    bool detailShown() const;
    void setDetailShown(bool shown);

    QByteArray pageState(const QString& pageId) const;
    QString pageFilter(const QString& pageId) const;
    void setPageState(const QString& pageId, const QByteArray& state, const QString& filter);

private:
    QSettings m_settings;
};

} // namespace redrive
