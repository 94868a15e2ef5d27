#include "core/config/jsonc_reader.h"

#include "core/base/result.h"
#include "core/config/jsonc_scanner.h"
#include "core/config/source_text.h"

#include <QRegularExpression>

#include <json/json.h>

#include <algorithm>
#include <memory>

namespace redrive {

namespace {

QString toText(const std::string& utf8)
{
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

class TreeBuilder final
{
public:
    TreeBuilder(const QByteArray& text, QString file) : m_text(text), m_lines(text), m_file(std::move(file))
    {
    }

    ConfigValue build(const Json::Value& json, const QString& key, const QString& path) const
    {
        ConfigValue value;
        value.file = m_file;
        value.key = key;
        value.keyPath = path;
        const SourcePosition position = m_lines.at(json.getOffsetStart());
        value.line = value.keyLine = position.line;
        value.column = value.keyColumn = position.column;
        fill(value, json);
        return value;
    }

private:
    void fill(ConfigValue& value, const Json::Value& json) const
    {
        switch (json.type()) {
        case Json::nullValue:
            value.kind = ConfigValue::Kind::Null;
            return;
        case Json::stringValue:
            value.kind = ConfigValue::Kind::String;
            value.string = toText(json.asString());
            return;
        case Json::booleanValue:
            value.kind = ConfigValue::Kind::Bool;
            value.boolean = json.asBool();
            return;
        case Json::arrayValue:
            value.kind = ConfigValue::Kind::Array;
            for (const Json::Value& item : json) {
                const auto index = static_cast<qsizetype>(value.items.size());
                value.items.push_back(build(item, {}, itemPath(value.keyPath, index)));
            }
            return;
        case Json::objectValue:
            value.kind = ConfigValue::Kind::Table;
            fillTable(value, json);
            return;
        case Json::intValue:
        case Json::uintValue:
        case Json::realValue:
            fillNumber(value, json);
            return;
        }
    }

    static void fillNumber(ConfigValue& value, const Json::Value& json)
    {
        if (json.type() != Json::realValue && json.isInt64()) {
            value.kind = ConfigValue::Kind::Integer;
            value.integer = json.asInt64();
        } else {
            value.kind = ConfigValue::Kind::Float;
            value.number = json.asDouble();
        }
    }

    // jsoncpp sorts members by name and keeps no place of a key: the key is the first text in quotes behind
    // the value before it.
    void fillTable(ConfigValue& value, const Json::Value& json) const
    {
        struct Member
        {
            std::string name;
            const Json::Value* json;
        };
        std::vector<Member> members;
        for (const std::string& name : json.getMemberNames())
            members.push_back({name, &json[name]});
        std::sort(members.begin(), members.end(), [](const Member& a, const Member& b) {
            return a.json->getOffsetStart() < b.json->getOffsetStart();
        });
        qsizetype from = json.getOffsetStart();
        for (const Member& member : members) {
            const QString name = toText(member.name);
            ConfigValue child = build(*member.json, name, memberPath(value.keyPath, name));
            const SourcePosition key = m_lines.at(findJsonKey(m_text, from));
            child.keyLine = key.line;
            child.keyColumn = key.column;
            value.items.push_back(std::move(child));
            from = member.json->getOffsetLimit();
        }
    }

    const QByteArray& m_text;
    LineIndex m_lines;
    QString m_file;
};

void addError(Diagnostics& out, const QString& file, SourcePosition position, const QString& message)
{
    out.add({Severity::Error, file, position.line, position.column, {}, message});
}

Json::CharReaderBuilder readerSettings()
{
    Json::CharReaderBuilder builder;
    builder["collectComments"] = false;
    builder["allowComments"] = true;
    builder["allowTrailingCommas"] = true;
    builder["strictRoot"] = false;
    builder["allowDroppedNullPlaceholders"] = false;
    builder["allowNumericKeys"] = false;
    builder["allowSingleQuotes"] = false;
    builder["stackLimit"] = deepestConfigNesting + 2;
    builder["failIfExtra"] = true;
    builder["rejectDupKeys"] = true;
    builder["allowSpecialFloats"] = false;
    builder["skipBom"] = false;
    return builder;
}

// jsoncpp goes on after an error and then reports what follows from it: only the first one is told, and
// every key that stands twice.
void addParserErrors(const std::string& errors, const LineIndex& lines, const QString& file, Diagnostics& out)
{
    static const QRegularExpression entry(u"^\\* Line (\\d+), Column (\\d+)\\n  (.*)$"_s,
                                          QRegularExpression::MultilineOption);
    bool first = true;
    auto matches = entry.globalMatch(toText(errors));
    while (matches.hasNext()) {
        const auto match = matches.next();
        const QString message = match.captured(3);
        if (first || message.startsWith(u"Duplicate key"_s)) {
            const auto position = lines.atBytes(match.captured(1).toInt(), match.captured(2).toInt());
            addError(out, file, position, u"not valid JSON: "_s + message);
        }
        first = false;
    }
    if (first)
        addError(out, file, {}, u"not valid JSON"_s);
}

} // namespace

std::optional<ConfigValue> readJsonc(const QByteArray& text, const QString& file, Diagnostics& out)
{
    const LineIndex lines(text);
    if (const auto deep = findDeepJson(text, deepestConfigNesting)) {
        addError(out, file, lines.at(*deep),
                 u"more than %1 levels of objects and arrays; no configuration nests that deep"_s.arg(
                     deepestConfigNesting));
        return {};
    }
    if (const auto broken = findBrokenJsonText(text)) {
        addError(out, file, lines.at(*broken),
                 u"not valid JSON: a text in quotes goes over the end of its line"_s);
        return {};
    }
    try {
        Json::Value root;
        std::string errors;
        const std::unique_ptr<Json::CharReader> reader(readerSettings().newCharReader());
        if (!reader->parse(text.constData(), text.constData() + text.size(), &root, &errors)) {
            addParserErrors(errors, lines, file, out);
            return {};
        }
        if (!root.isObject()) {
            addError(out, file, lines.at(root.getOffsetStart()), u"the file must hold one object: { … }"_s);
            return {};
        }
        return TreeBuilder(text, file).build(root, {}, {});
    } catch (const std::exception& problem) {
        addError(out, file, {}, u"cannot be read as JSON: "_s + QString::fromLocal8Bit(problem.what()));
    }
    return {};
}

} // namespace redrive
