// The filter language: a text is a filter or a fault with its place, and a filter is a statement that the
// database takes, in which nothing of the text stands.
#include "core/domain/filter.h"
#include "core/store/filter_sql.h"
#include "tests/fuzz/fuzz_store.h"
#include "tests/fuzz/fuzz_target.h"

using namespace redrive;
using namespace redrive::test;
using namespace Qt::Literals::StringLiterals;

namespace {

void check(const FilterNode& root, FilterTable table, const QString& from)
{
    const FilterSql sql = filterSql(root, table, kFuzzNowMs);
    FUZZ_CHECK(std::size_t(sql.where.count(u'?')) == sql.binds.size());
    for (const QChar c : sql.where)
        FUZZ_CHECK(c.unicode() >= 0x20 && c.unicode() < 0x7f);
    auto query = fuzzStore().dynamicQuery(u"SELECT count(*) FROM "_s + from +
                                          (sql.where.isEmpty() ? QString() : u" WHERE "_s + sql.where));
    sql.bindTo(query);
    const bool counted = query.next();
    if (!counted)
        std::fprintf(stderr, "%s\n", qPrintable(query.status().error().text()));
    FUZZ_CHECK(counted);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const QString text = QString::fromUtf8(reinterpret_cast<const char*>(data), qsizetype(size));
    const auto filter = parseFilter(text);
    if (!filter) {
        const FilterFault& fault = filter.error();
        FUZZ_CHECK(!fault.message.isEmpty());
        FUZZ_CHECK(fault.position >= 0 && fault.position <= text.size());
        FUZZ_CHECK(fault.length >= 0 && fault.position + fault.length <= text.size());
        FUZZ_CHECK(!filterError(fault).text().isEmpty());
        return 0;
    }
    FUZZ_CHECK(filter->shortened == (text.size() > Filter::kMaxCharacters));
    requiredStatus(filter->root);
    check(filter->root, FilterTable::Jobs, u"jobs j"_s);
    check(filter->root, FilterTable::Deliveries, u"webhook_deliveries d"_s);
    check(filter->root, FilterTable::Letters, u"dead_letters l"_s);
    return 0;
}
