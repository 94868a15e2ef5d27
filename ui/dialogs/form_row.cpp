#include "ui/dialogs/form_row.h"

#include "ui/widgets/plain_label.h"

namespace redrive {

namespace {

constexpr int kLabelWidth = 92;

} // namespace

QHBoxLayout* addFormRow(QVBoxLayout* column, const QString& label, Qt::Alignment alignment)
{
    auto* row = new QHBoxLayout;
    row->setSpacing(12);
    auto* words = new PlainLabel(label, PlainLabel::Step::Body, Emphasis::Secondary);
    words->setAlignment(Qt::AlignRight | alignment);
    words->setFixedWidth(kLabelWidth);
    row->addWidget(words, 0, alignment);
    column->addLayout(row);
    return row;
}

} // namespace redrive
