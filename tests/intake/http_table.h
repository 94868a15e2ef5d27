// Bad requests that the HTTP front answers by itself, each with its exact answer.
#pragma once

#include <QByteArray>
#include <QList>

namespace redrive::test {

struct TableRow
{
    const char* name;
    QByteArray request;
    int status;
    const char* code;        // empty: no error body
    bool close = false;      // Connection: close, and the end of the stream
    const char* text = "";   // exact, when not empty
    const char* header = ""; // "name: value" that must be there
    const char* field = "";
    int offset = -1;
    int index = -1;     // of the job in a batch
    int calls = 0;      // of the port
    bool token = false; // the server has the token "secret"
    const char* detail = "";
};

QList<TableRow> httpTable();   // all of them
QList<TableRow> batchTable();  // POST /jobs/batch alone
QList<TableRow> ingestTable(); // POST /ingest, /ingest/batch and /ingest/sync alone

} // namespace redrive::test
