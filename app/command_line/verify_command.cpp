#include "app/command_line/commands.h"
#include "app/command_line/output.h"
#include "app/known_secrets.h"
#include "core/base/bounded_read.h"
#include "core/base/clock.h"
#include "core/net/pasted_request.h"

#include <QFile>

#include <cstdio>

namespace redrive {

namespace {

constexpr qint64 kMostBytes = 16'000'000;

Result<QByteArray> inputOf(const QString& name)
{
    QFile file(name);
    const bool isStandard = name.isEmpty() || name == u"-";
    if (!(isStandard ? file.open(stdin, QIODevice::ReadOnly) : file.open(QIODevice::ReadOnly)))
        return fail(ErrorKind::NotFound, u"%1 cannot be read"_s.arg(isStandard ? u"standard input"_s : name),
                    file.errorString());
    return readAtMost(file, kMostBytes, isStandard ? u"standard input"_s : name);
}

void print(const SignatureFinding& finding, bool json)
{
    if (!json) {
        printLine(finding.text);
        return;
    }
    JsonLine()
        .add("verdict", verdictWord(finding.verdict))
        .addTextOrNull("scheme", finding.scheme)
        .addTextOrNull("key", finding.key)
        .add("clockOffSeconds", finding.clockOffSeconds)
        .add("words", finding.text)
        .print();
}

} // namespace

int runVerify(const Invocation& invocation)
{
    const auto secrets = signingSecrets(invocation);
    if (!secrets)
        return failed(secrets.error());
    const auto input = inputOf(invocation.names.value(0));
    if (!input)
        return failed(input.error());
    const auto request = readPastedRequest(*input);
    if (!request) {
        printError(request.error().text());
        return exit_code::kUsage;
    }
    const SignatureFinding finding =
        checkSignature(request->fields, request->body, *secrets, SystemClock().wallMs() / 1000);
    print(finding, invocation.json);
    return finding.isGood() ? exit_code::kDone : exit_code::kFailed;
}

} // namespace redrive
