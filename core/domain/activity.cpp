#include "core/domain/activity.h"

#include "core/base/result.h"

namespace redrive {

QString ActivityRow::state() const
{
    if (!isAlert)
        return u"done"_s;
    if (failed > 0)
        return u"failed"_s;
    if (waiting > 0)
        return postError.isEmpty() ? u"waiting"_s : u"retrying"_s;
    return sent > 0 ? u"sent"_s : u"shown"_s;
}

} // namespace redrive
