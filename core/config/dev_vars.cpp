#include "core/config/dev_vars.h"

#include "core/base/result.h"
#include "core/config/source_text.h"

namespace redrive {

namespace {

class DevVarsParser final
{
public:
    DevVarsParser(const QByteArray& text, const QString& file, Diagnostics& out)
        : m_text(text), m_lines(text), m_file(file), m_out(out)
    {
    }

    QHash<QString, QByteArray> parse()
    {
        while (m_index < m_text.size())
            parseLine();
        return m_values;
    }

private:
    bool atEnd() const { return m_index >= m_text.size(); }
    bool at(char c) const { return !atEnd() && m_text[m_index] == c; }
    bool atLineEnd() const { return atEnd() || at('\n') || at('#'); }

    void skipBlanks()
    {
        while (at(' ') || at('\t') || at('\r'))
            ++m_index;
    }

    void skipLine()
    {
        const auto end = m_text.indexOf('\n', m_index);
        m_index = end < 0 ? m_text.size() : end + 1;
    }

    QByteArray readName()
    {
        const auto isNameCharacter = [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
                   c == '.' || c == '-';
        };
        const auto start = m_index;
        while (!atEnd() && isNameCharacter(m_text[m_index]))
            ++m_index;
        return m_text.mid(start, m_index - start);
    }

    void warn(qsizetype offset, const QString& message)
    {
        const SourcePosition position = m_lines.at(offset);
        m_out.add({Severity::Warning, m_file, position.line, position.column, {}, message});
    }

    void parseLine()
    {
        skipBlanks();
        const auto start = m_index;
        if (atLineEnd())
            return skipLine();
        QByteArray name = readName();
        skipBlanks();
        if (name == "export" && !at('=')) {
            name = readName();
            skipBlanks();
        }
        if (name.isEmpty() || !at('=')) {
            warn(start, u"this line is ignored; allowed are NAME=\"value\", comments and blank lines"_s);
            return skipLine();
        }
        ++m_index;
        skipBlanks();
        readValue(QString::fromLatin1(name));
    }

    void readValue(const QString& name)
    {
        if (at('"') || at('\''))
            return readQuoted(name);
        const auto start = m_index;
        while (!atEnd() && !at('\n') && !(at('#') && (m_index == start || m_text[m_index - 1] == ' ')))
            ++m_index;
        m_values.insert(name, m_text.mid(start, m_index - start).trimmed());
        skipLine();
    }

    void readQuoted(const QString& name)
    {
        const auto start = m_index;
        const char quote = m_text[m_index++];
        QByteArray value;
        while (!atEnd() && !at(quote)) {
            if (quote == '"' && at('\\') && m_index + 1 < m_text.size())
                ++m_index, value += unescaped(m_text[m_index]);
            else
                value += m_text[m_index];
            ++m_index;
        }
        if (atEnd()) {
            warn(start, u"the quotation mark that begins here is never closed; the value is ignored"_s);
            return;
        }
        ++m_index;
        skipBlanks();
        if (!atLineEnd())
            warn(m_index, u"text behind the closing quotation mark is ignored"_s);
        m_values.insert(name, value);
        skipLine();
    }

    static QByteArray unescaped(char c)
    {
        switch (c) {
        case 'n':
            return "\n";
        case 'r':
            return "\r";
        case 't':
            return "\t";
        case '"':
        case '\\':
            return QByteArray(1, c);
        default:
            return QByteArray("\\") + c;
        }
    }

    const QByteArray& m_text;
    LineIndex m_lines;
    QString m_file;
    Diagnostics& m_out;
    qsizetype m_index = 0;
    QHash<QString, QByteArray> m_values;
};

} // namespace

QHash<QString, QByteArray> parseDevVars(const QByteArray& text, const QString& file, Diagnostics& out)
{
    return DevVarsParser(text, file, out).parse();
}

} // namespace redrive
