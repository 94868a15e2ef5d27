// Who acts: the login name of the user that runs the program. Any thread.
#pragma once

#include <QString>

namespace redrive {

QString operatorName();

} // namespace redrive
