#include "core/config/toml_reader.h"

#include "core/base/result.h"
#include "core/config/source_text.h"
#include "core/config/toml_nesting.h"

#include <algorithm>
#include <exception>

// toml++ 3.3 takes some wrong keys ("[.a]") for an error of its own: an assertion, or nothing at all in a
// release. Here it is an exception in every build.
#undef NDEBUG
#define TOML_ASSERT(condition) (static_cast<bool>(condition) ? void() : redrive::throwTomlAssertion())
#define TOML_MAX_NESTED_VALUES 32

namespace redrive {

struct TomlAssertion final : std::exception
{
};

[[noreturn]] static void throwTomlAssertion()
{
    throw TomlAssertion();
}

} // namespace redrive

#include <toml++/toml.h>

namespace redrive {

namespace {

static_assert(TOML_MAX_NESTED_VALUES == deepestConfigNesting);

QString text(const std::string& utf8)
{
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

int clampToInt(toml::source_index index)
{
    return static_cast<int>(index);
}

class TreeBuilder final
{
public:
    explicit TreeBuilder(QString file) : m_file(std::move(file)) {}

    ConfigValue root(const toml::table& table) const
    {
        ConfigValue value = build(table, {}, {});
        value.line = value.keyLine = 1;
        value.column = value.keyColumn = 1;
        return value;
    }

private:
    ConfigValue build(const toml::node& node, const QString& key, const QString& path) const
    {
        ConfigValue value;
        value.file = m_file;
        value.key = key;
        value.keyPath = path;
        value.line = value.keyLine = clampToInt(node.source().begin.line);
        value.column = value.keyColumn = clampToInt(node.source().begin.column);
        fill(value, node);
        return value;
    }

    void fill(ConfigValue& value, const toml::node& node) const
    {
        if (const toml::table* table = node.as_table()) {
            value.kind = ConfigValue::Kind::Table;
            fillTable(value, *table);
        } else if (const toml::array* array = node.as_array()) {
            value.kind = ConfigValue::Kind::Array;
            for (const toml::node& item : *array) {
                const auto index = static_cast<qsizetype>(value.items.size());
                value.items.push_back(build(item, {}, itemPath(value.keyPath, index)));
            }
        } else if (const auto* string = node.as_string()) {
            value.kind = ConfigValue::Kind::String;
            value.string = text(string->get());
        } else if (const auto* integer = node.as_integer()) {
            value.kind = ConfigValue::Kind::Integer;
            value.integer = integer->get();
        } else if (const auto* number = node.as_floating_point()) {
            value.kind = ConfigValue::Kind::Float;
            value.number = number->get();
        } else if (const auto* boolean = node.as_boolean()) {
            value.kind = ConfigValue::Kind::Bool;
            value.boolean = boolean->get();
        } else {
            value.kind = ConfigValue::Kind::DateTime;
        }
    }

    // toml++ sorts members by name; the tree has them in the order of the file.
    void fillTable(ConfigValue& value, const toml::table& table) const
    {
        for (const auto& [key, member] : table) {
            const QString name = text(std::string(key.str()));
            ConfigValue child = build(member, name, memberPath(value.keyPath, name));
            child.keyLine = clampToInt(key.source().begin.line);
            child.keyColumn = clampToInt(key.source().begin.column);
            value.items.push_back(std::move(child));
        }
        std::stable_sort(value.items.begin(), value.items.end(),
                         [](const ConfigValue& a, const ConfigValue& b) {
                             return std::pair(a.keyLine, a.keyColumn) < std::pair(b.keyLine, b.keyColumn);
                         });
    }

    QString m_file;
};

void addError(Diagnostics& out, const QString& file, SourcePosition position, const QString& message)
{
    out.add({Severity::Error, file, position.line, position.column, {}, message});
}

toml::table parse(const QByteArray& source)
{
    return toml::parse(std::string_view(source.constData(), static_cast<size_t>(source.size())));
}

bool failsAnAssertion(const QByteArray& source)
{
    try {
        parse(source);
    } catch (const TomlAssertion&) {
        return true;
    } catch (const std::exception&) {
        return false;
    }
    return false;
}

// An assertion has no place: the parser reads line by line, so it is in the last of the fewest lines that
// fail it.
SourcePosition placeOfAssertion(const QByteArray& source)
{
    QList<qsizetype> ends;
    for (auto end = source.indexOf('\n'); end >= 0; end = source.indexOf('\n', end + 1))
        ends.append(end + 1);
    const auto first = std::partition_point(
        ends.begin(), ends.end(), [&](qsizetype end) { return !failsAnAssertion(source.left(end)); });
    return {static_cast<int>(first - ends.begin()) + 1, 1};
}

} // namespace

std::optional<ConfigValue> readToml(const QByteArray& source, const QString& file, Diagnostics& out)
{
    if (const auto offset = findDeepTomlKey(source, deepestConfigNesting)) {
        addError(out, file, LineIndex(source).at(*offset),
                 u"a key with more than %1 parts; no key of a configuration nests that deep"_s.arg(
                     deepestConfigNesting));
        return {};
    }
    try {
        return TreeBuilder(file).root(parse(source));
    } catch (const toml::parse_error& problem) {
        const auto& begin = problem.source().begin;
        addError(out, file, {clampToInt(begin.line), clampToInt(begin.column)},
                 u"not valid TOML: "_s +
                     QString::fromUtf8(problem.description().data(),
                                       static_cast<qsizetype>(problem.description().size())));
    } catch (const TomlAssertion&) {
        addError(out, file, placeOfAssertion(source),
                 u"not valid TOML: this line is no key, value or table"_s);
    } catch (const std::exception& problem) {
        addError(out, file, {}, u"cannot be read as TOML: "_s + QString::fromLocal8Bit(problem.what()));
    }
    return {};
}

} // namespace redrive
