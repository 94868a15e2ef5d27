// Follows the system's light or dark, or holds one of them; changes live, without a restart. Owns the
// application's palette, style and sheet: build one right after the QApplication, before any widget. Window
// thread.
#pragma once

#include <QFont>
#include <QObject>

class QApplication;

namespace redrive {

enum class Theme { System, Light, Dark };
enum class Density { Comfortable, Compact };

class ThemeController final : public QObject
{
    Q_OBJECT
public:
    // Also installs English plurals for tr() (ui/models/english_plurals.h).
    explicit ThemeController(QApplication& application);
    ~ThemeController() override;

    Theme theme() const { return m_theme; }
    bool isDark() const { return m_dark; }
    void setTheme(Theme theme);
    Density density() const { return m_density; }
    void setDensity(Density density); // of all tables
    // As QFont::toString() writes them; empty, or not to be read: the system's.
    QString listFont() const { return m_listFont; }
    QString payloadFont() const { return m_payloadFont; }
    void chooseFonts(const QString& list, const QString& payload);
    // Replaces the system's fonts ("selectable for lists", "for payloads"); default-made QFonts: the
    // system's.
    void setFonts(const QFont& ui, const QFont& mono);

    static Theme themeFromName(const QString& name); // "light", "dark", else System
    static QString nameOfTheme(Theme theme);

    bool eventFilter(QObject* watched, QEvent* event) override;

Q_SIGNALS:
    void changed(); // after palette, style and Look::current() are the new ones

private:
    bool systemIsDark();
    void apply(bool force);

    QApplication& m_application;
    Theme m_theme = Theme::System;
    Density m_density = Density::Comfortable;
    QString m_listFont;
    QString m_payloadFont;
    QFont m_ui;
    QFont m_mono;
    bool m_dark = false;
    bool m_applying = false;
    bool m_queued = false;
};

} // namespace redrive
