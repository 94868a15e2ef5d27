// What a disk holds for certain of one file, and what it was given since: a power cut keeps the first, and of
// the second all, nothing or any sectors. Not synchronised.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace redrive::test {

class DiskModel final
{
public:
    // The file as it was before the program began; `exists`: it did.
    void begin(std::vector<char> content, bool exists);

    void write(std::int64_t offset, const char* bytes, std::size_t count);
    void truncate(std::int64_t size);
    void sync();
    void remove();

    // The file after a cut; false: there is none.
    bool afterCut(std::mt19937& random, std::vector<char>& content) const;

private:
    struct Change
    {
        std::int64_t offset = 0; // or the new size
        std::vector<char> bytes;
        bool truncates = false;
    };

    std::vector<char> m_durable;
    bool m_exists = false; // for certain
    std::vector<Change> m_pending;
};

} // namespace redrive::test
