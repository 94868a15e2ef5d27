// All pages of the console, in the order of the navigator. Window thread; the caller owns them.
#pragma once

#include "ui/pages/page_context.h"

#include <QList>

namespace redrive {

class Page;

QList<Page*> makePages(const PageContext& context);

} // namespace redrive
