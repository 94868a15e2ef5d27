// A font of the window: a button with its name that opens the choice, and one that goes back to the system's.
// Window thread.
#pragma once

#include <QWidget>

class QPushButton;

namespace redrive {

class ThemeController;

class FontChoice final : public QWidget
{
    Q_OBJECT
public:
    enum class Of { Lists, Payloads };

    FontChoice(ThemeController& themes, Of of, const QString& accessibleName, QWidget* parent);

private:
    QString chosen() const;
    void choose(const QString& font);
    void ask();
    void show();

    ThemeController& m_themes;
    const Of m_of;
    QPushButton* m_font = nullptr;
    QPushButton* m_system = nullptr;
};

} // namespace redrive
