// Keys seen so far in one object. Few keys are compared one by one, many through a seeded hash, so that
// chosen keys cannot make it slow. Not thread-safe.
#pragma once

#include <QByteArrayView>
#include <QSet>

#include <array>

namespace redrive {

class JsonKeySet final
{
public:
    // False when the key is there already. The bytes must outlive the set.
    bool insert(QByteArrayView key);

private:
    static constexpr std::size_t kFew = 16;
    std::array<QByteArrayView, kFew> m_few;
    std::size_t m_count = 0;
    QSet<QByteArrayView> m_many;
};

} // namespace redrive
