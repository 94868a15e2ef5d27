#include "ui/dialogs/bytes_dialog.h"

#include "ui/dialogs/dialog_parts.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/payload_view.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

namespace redrive {

BytesDialog::BytesDialog(const QString& title, const QByteArray& bytes, QWidget* parent)
    : QDialog(parent), m_view(new PayloadView(this))
{
    resize(760, 560);
    auto* column = beginDialog(this);
    addDialogTitle(column, this, title);
    column->addWidget(m_view, 1);
    auto* foot = new QHBoxLayout;
    auto* close = makeButton(tr("Close"), {}, this);
    foot->addStretch(1);
    foot->addWidget(close);
    column->addLayout(foot);
    connect(close, &QPushButton::clicked, this, &QDialog::close);
    m_view->setPayload(bytes);
}

} // namespace redrive
