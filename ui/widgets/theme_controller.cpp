#include "ui/widgets/theme_controller.h"

#include "ui/models/english_plurals.h"
#include "ui/widgets/icon.h"
#include "ui/widgets/look.h"
#include "ui/widgets/redrive_style.h"
#include "ui/widgets/style_sheet.h"

#include <QApplication>
#include <QEvent>
#include <QFontDatabase>
#include <QStyleHints>

#include <algorithm>

namespace redrive {

namespace {

constexpr double kSmallestPoints = 7;
constexpr double kLargestPoints = 24; // what the widths of columns and forms leave room for

QFont withinBounds(QFont font)
{
    font.setPointSizeF(qBound(kSmallestPoints, font.pointSizeF(), kLargestPoints));
    return font;
}

// As QFont::toString() writes it: fewer fields would take the rest from the font in force.
bool isWholeFont(const QString& text)
{
    return text.count(u',') >= 9;
}

} // namespace

ThemeController::ThemeController(QApplication& application)
    : m_application(application), m_ui(QFontDatabase::systemFont(QFontDatabase::GeneralFont)),
      m_mono(QFontDatabase::systemFont(QFontDatabase::FixedFont))
{
    QCoreApplication::installTranslator(new EnglishPlurals(this));
    QApplication::setStyle(new RedriveStyle);
    application.installEventFilter(this);
#if QT_VERSION >= QT_VERSION_CHECK(6, 5, 0)
    connect(QGuiApplication::styleHints(), &QStyleHints::colorSchemeChanged, this, [this] { apply(false); });
#endif
    apply(true);
    QApplication::setWindowIcon(applicationIcon());
}

ThemeController::~ThemeController() = default;

Theme ThemeController::themeFromName(const QString& name)
{
    if (name == u"light")
        return Theme::Light;
    return name == u"dark" ? Theme::Dark : Theme::System;
}

QString ThemeController::nameOfTheme(Theme theme)
{
    switch (theme) {
    case Theme::Light:
        return u"light"_s;
    case Theme::Dark:
        return u"dark"_s;
    case Theme::System:
        break;
    }
    return u"system"_s;
}

void ThemeController::setTheme(Theme theme)
{
    m_theme = theme;
    apply(false);
}

void ThemeController::setDensity(Density density)
{
    if (m_density == density)
        return;
    m_density = density;
    apply(true);
}

void ThemeController::chooseFonts(const QString& list, const QString& payload)
{
    if (m_listFont == list && m_payloadFont == payload)
        return;
    QFont ui;
    QFont mono;
    m_listFont = isWholeFont(list) && ui.fromString(list) ? list : QString();
    m_payloadFont = isWholeFont(payload) && mono.fromString(payload) ? payload : QString();
    m_ui = m_listFont.isEmpty() ? QFontDatabase::systemFont(QFontDatabase::GeneralFont) : withinBounds(ui);
    m_mono =
        m_payloadFont.isEmpty() ? QFontDatabase::systemFont(QFontDatabase::FixedFont) : withinBounds(mono);
    apply(true);
}

void ThemeController::setFonts(const QFont& ui, const QFont& mono)
{
    m_ui = ui == QFont() ? QFontDatabase::systemFont(QFontDatabase::GeneralFont) : ui;
    m_mono = mono == QFont() ? QFontDatabase::systemFont(QFontDatabase::FixedFont) : mono;
    apply(true);
}

bool ThemeController::systemIsDark()
{
#if QT_VERSION >= QT_VERSION_CHECK(6, 5, 0)
    const auto scheme = QGuiApplication::styleHints()->colorScheme();
    if (scheme != Qt::ColorScheme::Unknown)
        return scheme == Qt::ColorScheme::Dark;
#endif
    // Without our palette on top, the application's palette is the platform's.
    QApplication::setPalette(QPalette());
    const auto palette = QApplication::palette();
    return palette.color(QPalette::Window).lightness() < palette.color(QPalette::WindowText).lightness();
}

void ThemeController::apply(bool force)
{
    if (m_applying)
        return;
    m_applying = true;
    const bool dark = m_theme == Theme::System ? systemIsDark() : m_theme == Theme::Dark;
    const bool change = force || dark != Look::current().dark;
    m_dark = dark;
    if (change) {
        auto look = Look::build(dark, m_ui, m_mono);
        look.compact = m_density == Density::Compact;
        if (!m_payloadFont.isEmpty()) { // a size of its own, not one beside that of lists
            look.font.mono.setPointSizeF(m_mono.pointSizeF());
            look.font.monoSmall.setPointSizeF(std::max(kSmallestPoints, m_mono.pointSizeF() - 1));
        }
        Look::setCurrent(look);
    }
    const auto& look = Look::current();
    QApplication::setPalette(look.palette());
    if (change) {
        QApplication::setFont(look.font.body);
        m_application.setStyleSheet(chromeSheet(look));
    }
    m_applying = false;
    if (change)
        Q_EMIT changed();
}

bool ThemeController::eventFilter(QObject* watched, QEvent* event)
{
    // The platform tells every window of a new theme; one look at it is enough.
    if (event->type() == QEvent::ThemeChange && !m_queued && !m_applying) {
        m_queued = true;
        QMetaObject::invokeMethod(
            this,
            [this] {
                m_queued = false;
                apply(false);
            },
            Qt::QueuedConnection);
    }
    return QObject::eventFilter(watched, event);
}

} // namespace redrive
