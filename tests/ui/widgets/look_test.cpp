#include "ui/widgets/digit_painter.h"
#include "ui/widgets/icon.h"
#include "ui/widgets/look.h"
#include "ui/widgets/state_badge.h"
#include "ui/widgets/theme_controller.h"

#include <QApplication>
#include <QDirIterator>
#include <QFile>
#include <QPainter>
#include <QSignalSpy>
#include <QTest>

#include <cmath>

using namespace redrive;

namespace {

double luminance(const QColor& colour)
{
    const auto channel = [](double c) {
        return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * channel(colour.redF()) + 0.7152 * channel(colour.greenF()) +
           0.0722 * channel(colour.blueF());
}

double contrast(const QColor& a, const QColor& b)
{
    const auto [low, high] = std::minmax({luminance(a), luminance(b)});
    return (high + 0.05) / (low + 0.05);
}

} // namespace

class LookTest final : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void contrasts_data()
    {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }
    void contrasts()
    {
        QFETCH(bool, dark);
        const auto look = Look::build(dark, QFont(), QFont());
        const auto& b = look.background;
        for (const auto& ground :
             {b.base, b.window, b.raised, b.hover, b.selection, b.selectionInactive, b.flash, b.accentTint}) {
            for (const auto& text :
                 {look.text.primary, look.text.secondary, look.text.tertiary, look.text.link})
                QVERIFY(contrast(text, ground) >= 4.5);
            for (const auto& state : look.states) {
                QVERIFY(contrast(state.text, ground) >= 4.5);
                QVERIFY(contrast(state.icon, ground) >= 3);
            }
        }
        QVERIFY(contrast(look.text.onAccent, look.accent.fill) >= 4.5);
        QVERIFY(contrast(look.border.focus, b.base) >= 3);
        QVERIFY(contrast(look.text.onTooltip, b.tooltip) >= 4.5);
    }

    void damagedTokensAreNamed()
    {
        QVERIFY(!Look::fromTokens("[]", false, QFont(), QFont()));
        Look::current(); // registers the resources
        QFile file(u":/redrive/tokens.json"_s);
        QVERIFY(file.open(QIODevice::ReadOnly));
        auto tokens = file.readAll();
        tokens.replace("\"flash\"", "\"flush\"");
        const auto look = Look::fromTokens(tokens, false, QFont(), QFont());
        QVERIFY(!look);
        QVERIFY(look.error().message.contains(u"background.flash"));
    }

    void everyStateHasGlyphAndWord()
    {
        const auto look = Look::build(false, QFont(), QFont());
        for (auto it = look.states.begin(); it != look.states.end(); ++it) {
            QVERIFY2(QFile::exists(u":/redrive/icons/%1.svg"_s.arg(it->iconName)), qPrintable(it.key()));
            QVERIFY(it.key() == u"unknown" || stateWord(it.key()) != stateWord(u"unknown"_s));
        }
        QCOMPARE(look.state(u"nonsense"_s).iconName, u"state/unknown"_s);
    }

    void iconsAreTintedByRole()
    {
        ThemeController themes(*qApp);
        themes.setTheme(Theme::Light);
        const auto requeue = icon(u"requeue"_s);
        QVERIFY(!requeue.isNull());
        const auto darkest = [](const QPixmap& pixmap) {
            const auto image = pixmap.toImage();
            for (int y = 0; y < image.height(); ++y) {
                for (int x = 0; x < image.width(); ++x) {
                    if (image.pixelColor(x, y).alpha() == 255)
                        return image.pixelColor(x, y);
                }
            }
            return QColor();
        };
        QCOMPARE(darkest(requeue.pixmap(64)), Look::current().text.secondary);
        QCOMPARE(darkest(requeue.pixmap(QSize(64, 64), QIcon::Disabled)), Look::current().text.disabled);
        QCOMPARE(darkest(stateGlyph(u"dead"_s).pixmap(64)), Look::current().state(u"dead"_s).icon);
        themes.setTheme(Theme::Dark);
        QCOMPARE(darkest(requeue.pixmap(64)),
                 Look::current().text.secondary); // the same QIcon, the new theme
        QVERIFY(icon(u"no-such-icon"_s).isNull());
    }

    void everyIconRenders()
    {
        Look::current();
        QDirIterator files(u":/redrive/icons"_s, {u"*.svg"_s}, QDir::Files, QDirIterator::Subdirectories);
        int count = 0;
        while (files.hasNext()) {
            auto name = files.next();
            name = name.mid(int(qstrlen(":/redrive/icons/"))).chopped(4);
            const auto image = icon(name).pixmap(32).toImage();
            int inked = 0;
            for (int y = 0; y < image.height(); ++y) {
                for (int x = 0; x < image.width(); ++x)
                    inked += image.pixelColor(x, y).alpha() > 0;
            }
            QVERIFY2(inked > 10, qPrintable(name));
            ++count;
        }
        QVERIFY(count >= 40);
    }

    void themeChangesLive()
    {
        ThemeController themes(*qApp);
        themes.setTheme(Theme::Light);
        QSignalSpy changed(&themes, &ThemeController::changed);
        themes.setTheme(Theme::Dark);
        QCOMPARE(changed.count(), 1);
        QCOMPARE(qApp->palette().color(QPalette::Window), Look::current().background.window);
        QVERIFY(Look::current().dark);
        themes.setTheme(Theme::Dark);
        QCOMPARE(changed.count(), 1);
        themes.setTheme(Theme::System); // nothing darkens the test's platform
        QVERIFY(!Look::current().dark);
        QCOMPARE(ThemeController::themeFromName(ThemeController::nameOfTheme(Theme::Dark)), Theme::Dark);
    }

    void digitsAreOfEqualWidth()
    {
        for (const auto& family : {u"Inter"_s, u"DejaVu Sans"_s, QString()}) {
            const DigitPainter digits(QFont(family, 10));
            QCOMPARE(digits.width(u"11:11"), digits.width(u"00:00"));
            QCOMPARE(digits.width(u"1\u202F111"), digits.width(u"8\u202F888"));
        }
    }
};

QTEST_MAIN(LookTest)
#include "look_test.moc"
