// What a commit changed, merged over several commits. Plain value; any thread.
#pragma once

#include <QSet>
#include <QString>

namespace redrive {

struct ChangeSet
{
    static constexpr int kMaxIds = 500; // beyond it only `everything` is said

    bool jobs = false;
    bool deliveries = false;
    bool letters = false;
    bool queues = false;
    bool operations = false;
    bool telemetry = false;
    bool endpoints = false;  // registered ones, their state or figures
    bool alerts = false;     // made, posted, or something to alert of
    bool everything = false; // another process wrote, or too much changed to name
    QSet<QString> ids;       // jobs, messages and deliveries concerned

    bool isEmpty() const
    {
        return !(jobs || deliveries || letters || queues || operations || telemetry || endpoints || alerts ||
                 everything);
    }
    void touch(const QString& id);
    void merge(const ChangeSet& other);
};

} // namespace redrive
