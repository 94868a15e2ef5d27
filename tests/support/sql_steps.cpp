#include "tests/support/sql_steps.h"

#include <QSqlDatabase>
#include <QSqlDriver>
#include <QVariant>

#include <sqlite3.h>

namespace redrive::test {

namespace {

constexpr int kEvery = 20;

int countOne(void* steps)
{
    *static_cast<qint64*>(steps) += kEvery;
    return 0;
}

} // namespace

qint64 sqlStepsOf(const std::function<void()>& call)
{
    qint64 steps = 0;
    const auto setAll = [&steps](int (*counter)(void*)) {
        for (const QString& name : QSqlDatabase::connectionNames()) {
            const QVariant handle = QSqlDatabase::database(name, false).driver()->handle();
            sqlite3_progress_handler(*static_cast<sqlite3* const*>(handle.constData()), kEvery, counter,
                                     &steps);
        }
    };
    setAll(countOne);
    call();
    setAll(nullptr);
    return steps;
}

} // namespace redrive::test
