// Which path behaves how, as a JSON object says:
//   {"/orders": "/flaky/3?delay=2s", "/pay/*": {"status": 503, "retry-after": 30},
//    "/mail": [{"status": 500, "times": 2}, {"reset": "middle"}, "/ok"]}
// A value is a target that describes a behaviour, an object of its properties, or a list of both, one after
// the other. Value; reading is pure.
#pragma once

#include "core/receiver/behaviour.h"

#include <map>

namespace redrive {

class ReceiverScript final
{
public:
    // InvalidInput: what is wrong, with the path concerned.
    static Result<ReceiverScript> read(const QByteArray& json);

    // For a path without its query: its own entry, else the longest "…*" that it begins with. Null: none.
    const Behaviours* find(const QByteArray& path) const;
    const QByteArray& text() const { return m_text; } // as it was read

private:
    std::map<QByteArray, Behaviours> m_paths;
    std::map<QByteArray, Behaviours> m_prefixes; // without the star
    QByteArray m_text = "{}";
};

} // namespace redrive
