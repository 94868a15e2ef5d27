// Every action that has a key, by menu. Reads the menus, so it cannot miss one. Window thread.
#pragma once

#include <QDialog>

class QMenuBar;

namespace redrive {

class KeyboardDialog final : public QDialog
{
    Q_OBJECT
public:
    explicit KeyboardDialog(const QMenuBar* menus, QWidget* parent = nullptr);
};

} // namespace redrive
