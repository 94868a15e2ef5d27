// "Import…": asks for a file of the archive and opens the dialog that brings its letters back. Window thread.
#pragma once

#include "ui/pages/page_context.h"

#include <QAction>
#include <QPointer>

namespace redrive {

class ImportDialog;

class ImportAction final : public QAction
{
    Q_OBJECT
public:
    ImportAction(const PageContext& context, QWidget* owner);

    void open(const QString& path); // without asking for one
    ImportDialog* dialog() const;   // null: none is open

Q_SIGNALS:
    void said(const QString& text); // one plain line

private:
    void ask();
    void judge();

    PageContext m_context;
    QWidget* m_owner;
    QPointer<ImportDialog> m_dialog;
};

} // namespace redrive
