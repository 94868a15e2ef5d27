#include "tests/integration/powerloss/disk_model.h"

#include <algorithm>

namespace redrive::test {

namespace {

constexpr std::size_t kSector = 512;

void put(std::vector<char>& content, std::int64_t offset, const char* bytes, std::size_t count)
{
    if (content.size() < std::size_t(offset) + count)
        content.resize(std::size_t(offset) + count);
    std::copy_n(bytes, count, content.begin() + offset);
}

} // namespace

void DiskModel::begin(std::vector<char> content, bool exists)
{
    m_durable = std::move(content);
    m_exists = exists;
    m_pending.clear();
}

void DiskModel::write(std::int64_t offset, const char* bytes, std::size_t count)
{
    m_pending.push_back({offset, {bytes, bytes + count}, false});
}

void DiskModel::truncate(std::int64_t size)
{
    m_pending.push_back({size, {}, true});
}

void DiskModel::sync()
{
    for (const Change& change : m_pending) {
        if (change.truncates)
            m_durable.resize(std::size_t(change.offset));
        else
            put(m_durable, change.offset, change.bytes.data(), change.bytes.size());
    }
    m_pending.clear();
    m_exists = true;
}

void DiskModel::remove()
{
    begin({}, false);
}

bool DiskModel::afterCut(std::mt19937& random, std::vector<char>& content) const
{
    enum Kept { Nothing, Everything, Sectors };
    const auto kept = Kept(random() % 3);
    if (!m_exists && (m_pending.empty() || kept == Nothing))
        return false;
    content = m_durable;
    for (const Change& change : m_pending) {
        if (kept == Nothing || (kept == Sectors && change.truncates && random() % 2 == 0))
            continue;
        if (change.truncates)
            content.resize(std::size_t(change.offset));
        for (std::size_t at = 0; at < change.bytes.size(); at += kSector)
            if (kept == Everything || random() % 2 == 0)
                put(content, change.offset + std::int64_t(at), change.bytes.data() + at,
                    std::min(kSector, change.bytes.size() - at));
    }
    return true;
}

} // namespace redrive::test
