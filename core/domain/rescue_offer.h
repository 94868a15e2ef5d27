// What the rescue dialog shows and what it can have done. Plain values and calls; the calls take long and are
// made on a thread of the dialog's.
#pragma once

#include "core/base/result.h"

#include <QList>
#include <QString>

#include <functional>

namespace redrive {

struct RescueBackup
{
    QString path;
    qint64 bytes = 0;
    qint64 madeAtMs = 0; // unix milliseconds
};

struct RescuedTable
{
    QString name;
    qint64 rows = 0;
    bool complete = true;
};

struct RescuedFile
{
    QString path;
    QList<RescuedTable> tables;
};

struct RescueOffer
{
    QString database; // its path
    QString message;
    QList<RescueBackup> backups;
    // Each is empty where it does not help. The name that is returned is what the present file has now.
    std::function<Result<QString>(const QString& file)> useBackup;
    std::function<Result<QString>()> beginAnew;
    // `progress` is asked with the table and its rows so far; false stops it.
    std::function<Result<RescuedFile>(std::function<bool(const QString&, qint64)> progress)> recover;
    std::function<Result<QString>(const QString& file)> useRecovered;
};

} // namespace redrive
