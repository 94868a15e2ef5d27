#include "ui/models/key_changes.h"

#include <algorithm>

namespace redrive {

namespace {

std::vector<qint64> sorted(const qint64* first, const qint64* last)
{
    std::vector<qint64> keys(first, last);
    std::sort(keys.begin(), keys.end());
    return keys;
}

bool contains(const std::vector<qint64>& sortedKeys, qint64 key)
{
    return std::binary_search(sortedKeys.begin(), sortedKeys.end(), key);
}

// The runs of positions, counted from `offset`, whose keys are not in `others`; the other keys go to
// `common`.
std::vector<KeyRange> runsOutside(const qint64* first, const qint64* last, int offset,
                                  const std::vector<qint64>& others, std::vector<qint64>& common)
{
    std::vector<KeyRange> runs;
    for (const qint64* key = first; key != last; ++key) {
        if (contains(others, *key)) {
            common.push_back(*key);
            continue;
        }
        const int at = offset + int(key - first);
        if (!runs.empty() && runs.back().first + runs.back().count == at)
            ++runs.back().count;
        else
            runs.push_back({at, 1});
    }
    return runs;
}

} // namespace

KeyChanges keyChanges(const std::vector<qint64>& before, const std::vector<qint64>& after)
{
    // Most changes touch a few places of a long list: equal ends are cheap to skip.
    const auto headEnd = std::mismatch(before.begin(), before.end(), after.begin(), after.end());
    const auto head = headEnd.first - before.begin();
    const auto tailEnd =
        std::mismatch(before.rbegin(), before.rend() - head, after.rbegin(), after.rend() - head);
    const auto tail = tailEnd.first - before.rbegin();

    const qint64* oldFirst = before.data() + head;
    const qint64* oldLast = before.data() + before.size() - tail;
    const qint64* newFirst = after.data() + head;
    const qint64* newLast = after.data() + after.size() - tail;

    KeyChanges changes;
    std::vector<qint64> stayingBefore;
    std::vector<qint64> stayingAfter;
    changes.removed = runsOutside(oldFirst, oldLast, int(head), sorted(newFirst, newLast), stayingBefore);
    changes.inserted = runsOutside(newFirst, newLast, int(head), sorted(oldFirst, oldLast), stayingAfter);
    std::reverse(changes.removed.begin(), changes.removed.end());
    changes.reordered = stayingBefore != stayingAfter;
    if (changes.reordered) {
        changes.staying.assign(before.begin(), before.begin() + head);
        changes.staying.insert(changes.staying.end(), stayingAfter.begin(), stayingAfter.end());
        changes.staying.insert(changes.staying.end(), before.end() - tail, before.end());
    }
    return changes;
}

} // namespace redrive
