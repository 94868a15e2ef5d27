#include "app/command_line/commands.h"
#include "app/command_line/output.h"
#include "app/place.h"

namespace redrive {

namespace {

QString severityText(Severity severity)
{
    switch (severity) {
    case Severity::Error:
        return u"error"_s;
    case Severity::Warning:
        return u"warning"_s;
    case Severity::Notice:
        break;
    }
    return u"notice"_s;
}

void print(const Diagnostic& diagnostic, bool json)
{
    if (!json) {
        printLine(diagnostic.text());
        return;
    }
    JsonLine()
        .add("severity", severityText(diagnostic.severity))
        .add("file", diagnostic.file)
        .add("line", diagnostic.line)
        .add("column", diagnostic.column)
        .add("key", diagnostic.keyPath)
        .add("message", diagnostic.message)
        .print();
}

} // namespace

int runCheck(const Invocation& invocation)
{
    const LoadResult loaded = loadSettings(loadRequestOf(invocation));
    int errors = 0;
    for (const Diagnostic& diagnostic : loaded.diagnostics) {
        print(diagnostic, invocation.json);
        errors += diagnostic.severity == Severity::Error;
    }
    if (loaded.ok && !invocation.json) {
        const QString& file = loaded.settings.sourceFile;
        printLine((file.isEmpty() ? u"no configuration file: the built-in default"_s : file) +
                  u": no errors"_s);
    }
    return loaded.ok && errors == 0 ? exit_code::kDone : exit_code::kFailed;
}

} // namespace redrive
