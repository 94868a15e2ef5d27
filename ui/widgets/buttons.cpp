#include "ui/widgets/buttons.h"

#include "core/base/result.h"
#include "ui/models/format.h"
#include "ui/widgets/icon.h"

#include <QAction>
#include <QToolButton>

namespace redrive {

namespace {

// A button must show "&" of outside text as it is, not as a mnemonic.
QString literal(QString text)
{
    return text.replace(u'&', u"&&"_s);
}

QString reasonOrShortcut(const QAction& action)
{
    if (!action.isEnabled() && !action.statusTip().isEmpty())
        return action.statusTip();
    const auto key = action.shortcut().toString(QKeySequence::NativeText);
    auto name = action.text();
    name.remove(u'&');
    return key.isEmpty() ? name : name + u"  "_s + key;
}

} // namespace

QPushButton* makeButton(const QString& text, const QString& iconName, QWidget* parent)
{
    auto* button = new QPushButton(literal(text), parent);
    button->setAutoDefault(false);
    if (!iconName.isEmpty())
        button->setIcon(icon(iconName));
    if (text.isEmpty() || !button->accessibleName().isEmpty())
        return button;
    button->setAccessibleName(text);
    return button;
}

QPushButton* makeSmallButton(const QString& text, const QString& iconName, QWidget* parent)
{
    auto* button = makeButton(text, iconName, parent);
    button->setProperty("small", true);
    button->setIconSize({14, 14});
    return button;
}

QPushButton* makeAccentButton(const QString& text, const QString& iconName, QWidget* parent)
{
    auto* button = makeButton(text, {}, parent);
    button->setProperty("accent", true);
    if (!iconName.isEmpty())
        button->setIcon(accentIcon(iconName));
    return button;
}

QToolButton* makeIconButton(const QString& iconName, const QString& name, QWidget* parent)
{
    auto* button = new QToolButton(parent);
    button->setAutoRaise(true);
    button->setIcon(icon(iconName));
    button->setAccessibleName(name);
    button->setToolTip(format::plainToolTip(name));
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

QPushButton* makeActionButton(QAction* action, bool small, QWidget* parent)
{
    auto* button = small ? makeSmallButton({}, {}, parent) : makeButton({}, {}, parent);
    const auto follow = [button, action] {
        button->setText(action->text());
        button->setIcon(action->icon());
        button->setEnabled(action->isEnabled());
        button->setVisible(action->isVisible());
        auto name = action->text();
        button->setAccessibleName(name.remove(u'&'));
        button->setToolTip(format::plainToolTip(reasonOrShortcut(*action)));
        button->updateGeometry();
    };
    follow();
    QObject::connect(action, &QAction::changed, button, follow);
    QObject::connect(button, &QPushButton::clicked, action, &QAction::trigger);
    return button;
}

void setKeyCap(QPushButton* button, const QString& key)
{
    button->setProperty("keyCap", key);
    button->updateGeometry();
}

} // namespace redrive
