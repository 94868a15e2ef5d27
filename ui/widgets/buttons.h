// Buttons as the look knows them. Text is plain; icons are names of ui/widgets/icon.h. Window thread.
#pragma once

#include <QPushButton>
#include <QString>

class QAction;
class QToolButton;

namespace redrive {

QPushButton* makeButton(const QString& text, const QString& iconName = {}, QWidget* parent = nullptr);
QPushButton* makeSmallButton(const QString& text, const QString& iconName = {}, QWidget* parent = nullptr);
// Filled, white text; at most one on a surface, and it carries the exact number.
QPushButton* makeAccentButton(const QString& text, const QString& iconName = {}, QWidget* parent = nullptr);
// Without text: the accessible name is what it does, and its tooltip too.
QToolButton* makeIconButton(const QString& iconName, const QString& name, QWidget* parent = nullptr);
// Text, icon, enabled, visible and tooltip follow the action; a click triggers it.
QPushButton* makeActionButton(QAction* action, bool small, QWidget* parent = nullptr);
void setKeyCap(QPushButton* button, const QString& key);

} // namespace redrive
