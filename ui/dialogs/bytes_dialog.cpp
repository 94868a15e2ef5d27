#include "ui/dialogs/bytes_dialog.h"

#include "ui/dialogs/dialog_parts.h"
#include "ui/widgets/payload_view.h"

#include <QVBoxLayout>

namespace redrive {

BytesDialog::BytesDialog(const QString& title, const QByteArray& bytes, QWidget* parent)
    : QDialog(parent), m_view(new PayloadView(this))
{
    resize(760, 560);
    auto* column = beginDialog(this);
    addDialogTitle(column, this, title);
    column->addWidget(m_view, 1);
    addCloseButton(column, this);
    m_view->setPayload(bytes);
}

} // namespace redrive
