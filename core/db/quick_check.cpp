#include "core/db/quick_check.h"

namespace redrive {

Status quickCheck(Connection& connection)
{
    auto check = connection.dynamicQuery(u"PRAGMA quick_check(1)"_s);
    const QString found = check.next() ? check.text(0) : QString();
    REDRIVE_TRY(check.status());
    if (found != u"ok")
        return fail(ErrorKind::Corrupt, u"checking the database"_s, found);
    return {};
}

} // namespace redrive
