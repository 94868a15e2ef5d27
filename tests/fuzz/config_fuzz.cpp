// The configuration readers. The first byte says which form the text has; the rest is up to three files,
// parted by lines of "%%": wrangler.toml or .jsonc, redrive.toml, .dev.vars.
#include "core/config/load_settings.h"
#include "tests/fuzz/fuzz_target.h"

using namespace redrive;
using namespace Qt::Literals::StringLiterals;

namespace {

void check(const LoadResult& result)
{
    bool anyError = false;
    for (const Diagnostic& diagnostic : result.diagnostics) {
        anyError |= diagnostic.severity == Severity::Error;
        FUZZ_CHECK(!diagnostic.message.isEmpty());
        FUZZ_CHECK(diagnostic.line >= 0 && diagnostic.column >= 0);
        for (const QChar c : diagnostic.text())
            FUZZ_CHECK(c.unicode() >= 0x20 && c.unicode() != 0x7f);
    }
    FUZZ_CHECK(result.ok == !anyError);
    FUZZ_CHECK(result.text().count(u'\n') <= result.diagnostics.size());
    if (!result.ok)
        return;
    for (const ConsumerSettings& consumer : result.settings.consumers) {
        FUZZ_CHECK(!consumer.queue.isEmpty());
        FUZZ_CHECK(consumer.maxBatchSize >= 1 && consumer.maxBatchSize <= 100);
        FUZZ_CHECK(consumer.maxBatchTimeoutMs >= 0 && consumer.maxBatchTimeoutMs <= 60'000);
        FUZZ_CHECK(consumer.maxRetries >= 0 && consumer.maxRetries <= 100);
        FUZZ_CHECK(consumer.deadLetterQueue != consumer.queue);
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    if (size == 0)
        return 0;
    const QByteArray text(reinterpret_cast<const char*>(data) + 1, qsizetype(size) - 1);
    QList<QByteArray> files;
    for (qsizetype from = 0; files.size() < 3;) {
        const qsizetype end = files.size() < 2 ? text.indexOf("\n%%\n", from) : -1;
        files.append(text.mid(from, end < 0 ? -1 : end + 1 - from));
        if (end < 0)
            break;
        from = end + 4;
    }
    TextRequest request;
    request.format = data[0] % 2 == 0 ? ConfigFormat::Toml : ConfigFormat::Jsonc;
    request.environmentName = data[0] & 2 ? u"production"_s : QString();
    request.wrangler = SourceFile{u"wrangler"_s, files[0]};
    if (files.size() > 1)
        request.redrive = SourceFile{u"redrive.toml"_s, files[1]};
    if (files.size() > 2)
        request.devVars = SourceFile{u".dev.vars"_s, files[2]};
    check(loadSettingsFromText(request));
    return 0;
}
