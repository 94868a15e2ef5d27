// The HTTP front as a session over bytes: whatever comes is answered with whole answers or not at all, and
// the answers are the same in whatever pieces it comes. The first byte says whether a token is asked for.
#include "tests/fuzz/fuzz_target.h"
#include "tests/intake/session_rig.h"

using namespace redrive;
using namespace Qt::Literals::StringLiterals;
using namespace redrive::test;

namespace {

constexpr qsizetype kAllSplits = 400;   // of an input up to this size, every split
constexpr qsizetype kLongest = 200'000; // what follows is cut off

// The ids of requests differ between two runs.
QByteArray comparable(QByteArray output)
{
    static const QByteArray key("\"requestId\":\"");
    for (qsizetype at = 0; (at = output.indexOf(key, at)) >= 0;) {
        at += key.size();
        const qsizetype end = output.indexOf('"', at);
        output.remove(at, (end < 0 ? output.size() : end) - at);
    }
    return output;
}

void checkAnswers(const QByteArray& output)
{
    const auto replies = readReplies(output);
    if (!output.isEmpty())
        FUZZ_CHECK(output.startsWith("HTTP/1.1 "));
    for (const HttpReply& reply : replies) {
        FUZZ_CHECK(reply.status >= 100 && reply.status < 600);
        FUZZ_CHECK(reply.status == 100 || reply.headers.contains("content-length"));
        if (reply.status >= 400 && !reply.body.isEmpty())
            FUZZ_CHECK(!reply.code().isEmpty());
    }
}

QByteArray answersTo(QByteArrayView input, const HttpOptions& options, const std::vector<qsizetype>& cuts)
{
    SessionRig rig(options);
    qsizetype from = 0;
    for (const qsizetype cut : cuts) {
        rig.feed(input.sliced(from, cut - from));
        from = cut;
    }
    rig.feed(input.sliced(from));
    rig.session.endOfInput();
    rig.settle();
    return rig.output;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    if (size == 0)
        return 0;
    HttpOptions options;
    options.processFileRoots = {u"/srv/files"_s};
    if (data[0] % 2 == 1)
        options.tokens = bookOf({"secret"});
    const QByteArrayView input(reinterpret_cast<const char*>(data) + 1,
                               std::min(qsizetype(size) - 1, kLongest));
    const QByteArray answers = answersTo(input, options, {});
    checkAnswers(answers);
    const QByteArray whole = comparable(answers);
    const qsizetype step = input.size() <= kAllSplits ? 1 : input.size() / 16;
    for (qsizetype cut = 1; cut < input.size(); cut += step)
        FUZZ_CHECK(comparable(answersTo(input, options, {cut})) == whole);
    if (input.size() <= 4 * kAllSplits) {
        std::vector<qsizetype> everywhere;
        for (qsizetype cut = 1; cut < input.size(); ++cut)
            everywhere.push_back(cut);
        FUZZ_CHECK(comparable(answersTo(input, options, everywhere)) == whole);
    }
    return 0;
}
