// The examples of an alert as the store keeps them. Pure.
#pragma once

#include "core/domain/alert.h"

#include <QByteArray>

namespace redrive {

QString examplesText(const QList<AlertExample>& examples);
// What can be read of it.
QList<AlertExample> examplesFrom(const QString& text);

} // namespace redrive
