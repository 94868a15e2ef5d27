// A row of a dialog's form: the label right aligned in its column, then what it is about. Window thread.
#pragma once

#include <QHBoxLayout>

namespace redrive {

QHBoxLayout* addFormRow(QVBoxLayout* column, const QString& label,
                        Qt::Alignment alignment = Qt::AlignVCenter);

} // namespace redrive
