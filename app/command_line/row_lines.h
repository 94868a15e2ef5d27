// Rows of lists as a table for people, or as one JSON object a line. The main thread.
#pragma once

#include "app/command_line/output.h"
#include "core/domain/list.h"

namespace redrive {

class RowPrinter final
{
public:
    RowPrinter(ListKind kind, bool json);

    void print(const JobRow& row);
    void print(const DeliveryRow& row);
    void print(const LetterRow& row);
    // Prints the table: its columns are as wide as all of its rows need.
    void finish();

private:
    bool m_json;
    bool m_empty = true;
    TextTable m_table;
};

} // namespace redrive
