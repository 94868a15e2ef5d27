#include "ui/pages/import_action.h"

#include "ui/dialogs/import_dialog.h"
#include "ui/models/format.h"
#include "ui/widgets/icon.h"

#include <QFileDialog>

namespace redrive {

ImportAction::ImportAction(const PageContext& context, QWidget* owner)
    : QAction(tr("Import\u2026"), owner), m_context(context), m_owner(owner)
{
    setIcon(redrive::icon(u"import"_s));
    connect(this, &QAction::triggered, this, &ImportAction::ask);
    connect(m_context.bridge, &EngineBridge::healthChanged, this, &ImportAction::judge);
    judge();
}

ImportDialog* ImportAction::dialog() const
{
    return m_dialog;
}

void ImportAction::judge()
{
    const QString why = m_context.readOnly                    ? tr("This profile is read-only.")
                        : !m_context.bridge->health().running ? tr("The engine is not running.")
                                                              : QString();
    setEnabled(why.isEmpty());
    setStatusTip(why);
    setToolTip(format::plainToolTip(why.isEmpty() ? tr("Brings dead letters back from a file of the archive.")
                                                  : why));
}

void ImportAction::ask()
{
    if (m_dialog) {
        m_dialog->show();
        m_dialog->raise();
        m_dialog->activateWindow();
        return;
    }
    auto* chooser =
        new QFileDialog(m_owner->window(), tr("Import dead letters"), m_context.bridge->facts().archive.dir);
    chooser->setAttribute(Qt::WA_DeleteOnClose);
    chooser->setFileMode(QFileDialog::ExistingFile);
    chooser->setNameFilters(
        {tr("Files of an archive (*.ndjson.gz *.ndjson *.jsonl *.gz)"), tr("All files (*)")});
    connect(chooser, &QFileDialog::fileSelected, this, &ImportAction::open);
    chooser->open();
}

void ImportAction::open(const QString& path)
{
    m_dialog = new ImportDialog(*m_context.bridge, path, m_context.actor, m_context.environment,
                                m_context.environmentColour, m_owner->window());
    connect(m_dialog, &ImportDialog::said, this, &ImportAction::said);
    m_dialog->show();
}

} // namespace redrive
