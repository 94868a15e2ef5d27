// A configuration document as a tree in which every value knows its place. TOML and JSONC become the same
// tree. Plain values; any thread.
#pragma once

#include <QString>

#include <vector>

namespace redrive {

class ConfigValue final
{
public:
    enum class Kind { Null, Table, Array, String, Integer, Float, Bool, DateTime };

    Kind kind = Kind::Null;
    QString file;
    int line = 0; // 1-based, where the value begins
    int column = 0;
    int keyLine = 0; // where its key begins; array items: the item itself
    int keyColumn = 0;
    QString key;     // empty in an array and at the root
    QString keyPath; // queues.consumers[0].max_retries; empty at the root

    QString string;
    qint64 integer = 0;
    double number = 0; // Float only
    bool boolean = false;
    std::vector<ConfigValue> items; // members of a table or items of an array, in the order of the file

    bool isTable() const { return kind == Kind::Table; }
    bool isArray() const { return kind == Kind::Array; }
    bool isString() const { return kind == Kind::String; }

    // Member of a table; nullptr if there is none or this is no table.
    const ConfigValue* find(const QString& name) const;

    // "a table", "text", "an integer", …: for messages.
    QString kindName() const;
    // file:line:column
    QString place() const;
};

// Path of a member or an item; names that are not bare are put in quotes.
QString memberPath(const QString& parent, const QString& key);
QString itemPath(const QString& parent, qsizetype index);

} // namespace redrive
