// What turns one list of keys into another, as the steps a model can announce without losing a selection:
// rows taken out, the rest put in another order, rows put in. Pure; any thread. Keys are unique within a
// list.
#pragma once

#include <QtGlobal>

#include <vector>

namespace redrive {

struct KeyRange
{
    int first = 0;
    int count = 0;

    bool operator==(const KeyRange&) const = default;
};

struct KeyChanges
{
    std::vector<KeyRange> removed;  // positions before any change, from the end to the start
    bool reordered = false;         // what stays stands in another order
    std::vector<qint64> staying;    // its order; filled only when reordered
    std::vector<KeyRange> inserted; // positions in the new list, from the start to the end

    size_t steps() const { return removed.size() + inserted.size() + (reordered ? 1 : 0); }
};

KeyChanges keyChanges(const std::vector<qint64>& before, const std::vector<qint64>& after);

} // namespace redrive
