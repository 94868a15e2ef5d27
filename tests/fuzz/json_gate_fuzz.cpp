// The JSON gate beside Qt's parser: what the gate lets through is JSON to others too and can be read by
// slices; what Qt takes and the gate refuses is refused for a rule of the gate's own.
#include "core/base/json_gate.h"
#include "core/base/json_slice.h"
#include "core/base/json_text.h"
#include "tests/fuzz/fuzz_store.h"
#include "tests/fuzz/fuzz_target.h"

#include <QJsonDocument>
#include <QString>

using namespace redrive;
using namespace redrive::test;
using namespace Qt::Literals::StringLiterals;

namespace {

// Reads everything there is, and counts it.
qsizetype readAll(const JsonSlice& slice)
{
    qsizetype values = 1;
    switch (slice.type()) {
    case JsonType::Object:
        for (JsonMembers members(slice); members.next();) {
            FUZZ_CHECK(members.keyIs(members.key()));
            FUZZ_CHECK(slice.member(members.key()).exists());
            values += readAll(members.value());
        }
        break;
    case JsonType::Array:
        for (JsonElements elements(slice); elements.next();)
            values += readAll(elements.value());
        break;
    case JsonType::String: {
        const auto text = slice.toText();
        FUZZ_CHECK(text && slice.toUtf8() == text->toUtf8());
        QByteArray written;
        appendJsonString(written, QStringView(*text));
        FUZZ_CHECK(!checkJson(written) && JsonSlice(written).toText() == text);
        break;
    }
    case JsonType::Number:
        if (const auto whole = slice.toInteger())
            FUZZ_CHECK(slice.toDouble().has_value());
        break;
    case JsonType::Bool:
        FUZZ_CHECK(slice.toBool().has_value());
        break;
    case JsonType::Null:
        break;
    case JsonType::Missing:
        FUZZ_CHECK(false);
    }
    return values;
}

bool isJsonToDatabase(QByteArrayView text)
{
    if (text.contains('\0'))
        return false; // it would end there
    auto query = fuzzStore().query("SELECT json_valid({exact:?})");
    query.bind(text.toByteArray());
    const bool valid = query.next() && query.int64(0) != 0;
    FUZZ_CHECK(query.status().has_value());
    return valid;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const QByteArrayView text(reinterpret_cast<const char*>(data), qsizetype(size));
    const auto fault = checkJson(text);
    FUZZ_CHECK(checkJson(text).has_value() == fault.has_value());
    checkJson(text, {.depth = 3, .keys = 2, .uniqueTopKeys = false});
    if (fault) {
        FUZZ_CHECK(fault->offset >= 0 && fault->offset <= text.size());
        FUZZ_CHECK(!fault->text().isEmpty() && fault->code());
    }
    if (!fault)
        FUZZ_CHECK(readAll(JsonSlice(text)) > 0);
    else
        JsonSlice(text).member("type").toText(); // of other text it finds what it can

    if (!fault) {
        QJsonParseError error; // Qt leaves a value alone only inside an array
        QJsonDocument::fromJson('[' + text.toByteArray() + ']', &error);
        FUZZ_CHECK(error.error == QJsonParseError::NoError || error.error == QJsonParseError::DeepNesting ||
                   error.error == QJsonParseError::DocumentTooLarge ||
                   error.error == QJsonParseError::IllegalNumber);
    } else if (fault->problem == JsonProblem::InvalidJson) {
        FUZZ_CHECK(!isJsonToDatabase(text));
    }
    return 0;
}
