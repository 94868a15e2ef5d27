// Writing a list into a file. Plain values; any thread.
#pragma once

#include "core/domain/list.h"

namespace redrive {

enum class ExportForm { Csv, JsonLines };

struct ExportRequest
{
    ListRequest list; // exactly what is filtered, in its order
    ExportForm form = ExportForm::Csv;
    QString path;
};

struct ExportDone
{
    qint64 rows = 0;
    bool cut = false; // more rows match than this order can show
};

} // namespace redrive
