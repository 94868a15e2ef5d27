#include "ui/models/english_plurals.h"

#include "core/base/result.h"

namespace redrive {

QString EnglishPlurals::translate(const char*, const char* source, const char*, int n) const
{
    if (n < 0)
        return {};
    const auto text = QString::fromUtf8(source);
    if (!text.contains(u"(s)") && !text.contains(u"(es)"))
        return {};
    auto result = text;
    result.replace(u"(es)"_s, n == 1 ? QString() : u"es"_s);
    result.replace(u"(s)"_s, n == 1 ? QString() : u"s"_s);
    return result;
}

} // namespace redrive
