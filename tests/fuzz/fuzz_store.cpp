#include "tests/fuzz/fuzz_store.h"

#include "core/db/migrator.h"
#include "tests/fuzz/fuzz_target.h"

#include <QCoreApplication>
#include <QTemporaryDir>

using namespace Qt::Literals::StringLiterals;

namespace redrive::test {

Connection& fuzzStore()
{
    static int argc = 1;
    static char name[] = "fuzz";
    static char* argv[] = {name, nullptr};
    static QCoreApplication application(argc, argv);
    static QTemporaryDir folder;
    static const auto db = [] {
        auto opened = openStore({folder.filePath(u"fuzz.db"_s)}, Access::Writer, kFuzzNowMs);
        FUZZ_CHECK(opened.has_value());
        const auto made = (*opened)->execute(
            u"INSERT INTO jobs (id, type, queue, status, error) VALUES ('a', 'mail', 'jobs', 'dead', 'timeout')"_s);
        FUZZ_CHECK(made.has_value());
        return std::move(*opened);
    }();
    return *db;
}

} // namespace redrive::test
