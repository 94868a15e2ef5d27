// One column of a paged list. Plain value; window thread.
#pragma once

#include "core/domain/list.h"
#include "ui/models/roles.h"

#include <optional>

namespace redrive {

struct Column
{
    QString name; // stable, under which its width is remembered
    QString title;
    CellKind kind = CellKind::Text;
    int width = 12; // characters of the body font
    bool stretch = false;
    bool hidden = false;                 // until chosen from the header's menu
    std::optional<SortField> order = {}; // nothing: the header does not sort
    bool descendingFirst = false;        // what the first click on the header gives
    bool spare = false;                  // given up first where the table is too narrow
};

} // namespace redrive
