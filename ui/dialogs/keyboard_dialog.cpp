#include "ui/dialogs/keyboard_dialog.h"

#include "core/base/result.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/look.h"
#include "ui/widgets/plain_label.h"

#include <QAction>
#include <QGridLayout>
#include <QMenu>
#include <QMenuBar>
#include <QScrollArea>

namespace redrive {

namespace {

QString bare(QString text)
{
    return text.remove(u'&');
}

QString keysOf(const QAction& action)
{
    QStringList keys;
    const auto shortcuts = action.shortcuts();
    for (const auto& shortcut : shortcuts)
        keys.append(shortcut.toString(QKeySequence::NativeText).replace(u", "_s, u" "_s));
    return keys.join(u"  "_s);
}

struct Rows
{
    QGridLayout* grid;
    int row = 0;

    void title(const QString& text)
    {
        grid->setRowMinimumHeight(row, row == 0 ? 0 : 26);
        grid->addWidget(new PlainLabel(text, PlainLabel::Step::Strong), row++, 0, 1, 2,
                        Qt::AlignBottom | Qt::AlignLeft);
    }
    void entry(const QString& keys, const QString& text)
    {
        grid->addWidget(new PlainLabel(keys, PlainLabel::Step::MonoSmall, Emphasis::Primary), row, 0);
        grid->addWidget(new PlainLabel(text, PlainLabel::Step::Body, Emphasis::Secondary), row++, 1);
    }
};

void addMenu(Rows& rows, const QMenu* menu)
{
    bool titled = false;
    const auto actions = menu->actions();
    for (const auto* action : actions) {
        if (action->shortcuts().isEmpty())
            continue;
        if (!titled)
            rows.title(bare(menu->title()));
        titled = true;
        rows.entry(keysOf(*action), bare(action->text()));
    }
}

} // namespace

KeyboardDialog::KeyboardDialog(const QMenuBar* menus, QWidget* parent) : QDialog(parent)
{
    setWindowTitle(tr("Keyboard"));
    auto* content = new QWidget;
    auto* grid = new QGridLayout(content);
    grid->setHorizontalSpacing(24);
    grid->setVerticalSpacing(4);
    grid->setColumnStretch(1, 1);
    Rows rows{grid};
    const auto actions = menus->actions();
    for (const auto* action : actions) {
        if (const auto* menu = action->menu())
            addMenu(rows, menu);
    }
    rows.title(tr("Tables"));
    rows.entry(tr("Up Down  J K"), tr("Move; with Shift select"));
    rows.entry(tr("Home End"), tr("First and last row"));
    rows.entry(tr("Enter"), tr("Open the detail"));
    rows.entry(tr("Esc"), tr("Back from the filter to the table"));
    grid->setRowStretch(rows.row, 1);

    auto* scroll = new QScrollArea(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setWidget(content);
    auto* close = makeButton(tr("Close"), {}, this);
    connect(close, &QPushButton::clicked, this, &QDialog::accept);
    auto* column = new QVBoxLayout(this);
    column->addWidget(scroll, 1);
    column->addWidget(close, 0, Qt::AlignRight);
    resize(460, 560);
}

} // namespace redrive
