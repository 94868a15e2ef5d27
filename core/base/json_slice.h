// Exact access to JSON text: a value is a slice of the bytes received, so that a payload is kept byte for
// byte. For text that passed checkJson(); of other text it finds what it can and never reads outside.
// The bytes must outlive the slices. Value, any thread.
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QString>

#include <optional>

namespace redrive {

enum class JsonType { Missing, Null, Bool, Number, String, Array, Object };

class JsonSlice final
{
public:
    JsonSlice() = default; // missing
    // White space around the value is left out.
    explicit JsonSlice(QByteArrayView text);

    JsonType type() const;
    bool exists() const { return !m_text.isEmpty(); }
    bool isObject() const { return type() == JsonType::Object; }
    bool isArray() const { return type() == JsonType::Array; }
    bool isString() const { return type() == JsonType::String; }

    // The exact bytes of the value.
    QByteArrayView text() const { return m_text; }
    QByteArray bytes() const { return m_text.toByteArray(); }

    // The member with this key (UTF-8), the last one where it stands twice; missing when there is none or
    // this is no object.
    JsonSlice member(QByteArrayView key) const;
    // The n-th element of an array, from 0; missing beyond its end.
    JsonSlice element(qsizetype index) const;

    std::optional<QString> toText() const;    // strings
    std::optional<QByteArray> toUtf8() const; // strings
    std::optional<bool> toBool() const;       // true and false
    std::optional<double> toDouble() const;   // numbers in the range of a double
    std::optional<qint64> toInteger() const;  // numbers that are whole and in range: 5, 5.0, 5e2

private:
    QByteArrayView m_text;
};

// The members of an object in the order of the text: while (members.next()) { members.key(), … }.
class JsonMembers final
{
public:
    explicit JsonMembers(const JsonSlice& object);
    bool next();
    bool keyIs(QByteArrayView utf8) const;
    QByteArray key() const; // UTF-8
    const JsonSlice& value() const { return m_value; }

private:
    const char* m_at = nullptr;
    const char* m_end = nullptr;
    QByteArrayView m_key; // between the quotes
    JsonSlice m_value;
};

// The elements of an array in order.
class JsonElements final
{
public:
    explicit JsonElements(const JsonSlice& array);
    bool next();
    const JsonSlice& value() const { return m_value; }
    qsizetype index() const { return m_index; } // of value(), from 0

private:
    const char* m_at = nullptr;
    const char* m_end = nullptr;
    qsizetype m_index = -1;
    JsonSlice m_value;
};

} // namespace redrive
