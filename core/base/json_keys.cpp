#include "core/base/json_keys.h"

#include <algorithm>

namespace redrive {

bool JsonKeySet::insert(QByteArrayView key)
{
    if (m_count < kFew) {
        const auto end = m_few.begin() + std::ptrdiff_t(m_count);
        if (std::find(m_few.begin(), end, key) != end)
            return false;
        m_few[m_count++] = key;
        return true;
    }
    if (m_many.isEmpty())
        m_many = QSet<QByteArrayView>(m_few.begin(), m_few.end());
    const auto before = m_many.size();
    m_many.insert(key);
    return m_many.size() > before;
}

} // namespace redrive
