// Where a scan of JSON text stands: payload.endpoints[0].url. Constant memory; the text is made on demand.
// Not thread-safe.
#pragma once

#include <QByteArrayView>
#include <QString>

#include <array>

namespace redrive {

class JsonPath final
{
public:
    static constexpr int kMaxDepth = 64;

    int depth() const { return m_depth; }
    bool inArray() const { return m_depth > 0 && top().array; }

    // depth() must be under kMaxDepth.
    void enter(bool array) { m_frames[std::size_t(m_depth++)] = {{}, 0, array}; }
    void leave() { --m_depth; }
    // The key as it stands between its quotes; the bytes must outlive the path.
    void setKey(QByteArrayView raw) { top().key = raw; }
    void clearKey() { top().key = {}; }
    void nextElement() { ++top().index; }

    // Long keys are cut at 64 characters, the whole at 256.
    QString text() const;
    QString lastKey() const;

private:
    struct Frame
    {
        QByteArrayView key; // null: none yet
        qsizetype index = 0;
        bool array = false;
    };
    Frame& top() { return m_frames[std::size_t(m_depth - 1)]; }
    const Frame& top() const { return m_frames[std::size_t(m_depth - 1)]; }

    std::array<Frame, kMaxDepth> m_frames;
    int m_depth = 0;
};

} // namespace redrive
