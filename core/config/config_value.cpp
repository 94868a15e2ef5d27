#include "core/config/config_value.h"

#include "core/base/result.h"

#include <algorithm>

namespace redrive {

const ConfigValue* ConfigValue::find(const QString& name) const
{
    if (kind != Kind::Table)
        return nullptr;
    const auto found =
        std::find_if(items.begin(), items.end(), [&](const ConfigValue& item) { return item.key == name; });
    return found == items.end() ? nullptr : &*found;
}

QString ConfigValue::kindName() const
{
    switch (kind) {
    case Kind::Null:
        return u"null"_s;
    case Kind::Table:
        return u"a table"_s;
    case Kind::Array:
        return u"an array"_s;
    case Kind::String:
        return u"text"_s;
    case Kind::Integer:
        return u"an integer"_s;
    case Kind::Float:
        return u"a fraction"_s;
    case Kind::Bool:
        return u"true or false"_s;
    case Kind::DateTime:
        return u"a date or time"_s;
    }
    return {};
}

QString ConfigValue::place() const
{
    return u"%1:%2:%3"_s.arg(file).arg(line).arg(column);
}

QString memberPath(const QString& parent, const QString& key)
{
    const bool bare = !key.isEmpty() && std::all_of(key.begin(), key.end(), [](QChar c) {
        return c == u'_' || c == u'-' || c == u'$' || c.isLetterOrNumber();
    });
    const QString name = bare ? key : u'"' + key + u'"';
    return parent.isEmpty() ? name : parent + u'.' + name;
}

QString itemPath(const QString& parent, qsizetype index)
{
    return u"%1[%2]"_s.arg(parent).arg(index);
}

} // namespace redrive
