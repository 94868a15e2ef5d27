// Rows of lists as a table for people, as one JSON object a line, or as CSV. The main thread.
#pragma once

#include "app/command_line/output.h"
#include "core/domain/row_fields.h"

namespace redrive {

enum class RowForm { Table, Json, Csv };

class RowPrinter final
{
public:
    RowPrinter(ListKind kind, RowForm form);

    void print(const JobRow& row);
    void print(const DeliveryRow& row);
    void print(const LetterRow& row);
    void print(const ActivityRow& row);
    void print(const TelemetryRow& row);
    // Prints the table: its columns are as wide as all of its rows need.
    void finish();

private:
    void printFields(const QList<RowField>& fields);

    RowForm m_form;
    bool m_empty = true;
    TextTable m_table;
};

} // namespace redrive
