// Window thread.
#pragma once

#include "ui/models/roles.h"

#include <QColor>

namespace redrive {

QColor textColour(Emphasis emphasis); // of the current look

} // namespace redrive
