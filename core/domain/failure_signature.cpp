#include "core/domain/failure_signature.h"

#include "core/base/result.h"

#include <QCryptographicHash>
#include <QStringList>

#include <algorithm>
#include <array>

namespace redrive {

namespace {

constexpr qsizetype kLooked = 1'000; // characters of an error
constexpr qsizetype kTitle = 200;
constexpr qsizetype kClassDigits = 3;
constexpr QChar kAny = u'#';

bool isWordCharacter(QChar c)
{
    return c.isLetterOrNumber() || c == u'_';
}

bool isDigit(QChar c)
{
    return c >= u'0' && c <= u'9';
}

bool isHexDigit(QChar c)
{
    return isDigit(c) || (c >= u'a' && c <= u'f') || (c >= u'A' && c <= u'F');
}

// The word before a number that says what kind of failure it is.
bool namesTheKind(QStringView word)
{
    static constexpr std::array<QStringView, 6> kWords{u"http",   u"exit",   u"code",
                                                       u"status", u"signal", u"errno"};
    return std::any_of(kWords.begin(), kWords.end(),
                       [word](QStringView known) { return word.compare(known, Qt::CaseInsensitive) == 0; });
}

// Letters and digits in turns, as ids and keys have them.
bool looksLikeAnId(QStringView word)
{
    int digits = 0;
    int turns = 0;
    bool allHex = true;
    for (qsizetype at = 0; at < word.size(); ++at) {
        const bool digit = isDigit(word[at]);
        digits += digit ? 1 : 0;
        allHex = allHex && isHexDigit(word[at]);
        if (at > 0 && digit != isDigit(word[at - 1]))
            ++turns;
    }
    return digits > 0 && word.size() >= 6 && (turns >= 2 || (allHex && word.size() >= 8));
}

// The word with each run of digits as one #.
QString withoutDigits(QStringView word)
{
    QString out;
    for (const QChar c : word) {
        if (!isDigit(c))
            out += c;
        else if (!out.endsWith(kAny))
            out += kAny;
    }
    return out;
}

// Takes the text apart into words, quoted texts and what is between.
class Normaliser final
{
public:
    explicit Normaliser(QStringView text) : m_text(text) {}

    QString take()
    {
        while (m_at < m_text.size()) {
            const QChar c = m_text[m_at];
            if (isWordCharacter(c))
                takeWord();
            else if (c.isSpace())
                takeSpace();
            else if (!takeQuoted(c))
                add(c);
        }
        return m_out.trimmed();
    }

private:
    void takeWord()
    {
        if (const qsizetype end = endOfCompoundId(); end > m_at) {
            m_at = end;
            m_lastWord = {};
            addAny();
            return;
        }
        const QStringView word = wordAt(m_at);
        m_at += word.size();
        const bool isNumber = std::all_of(word.begin(), word.end(), isDigit);
        if (isNumber && word.size() <= kClassDigits && namesTheKind(m_lastWord))
            m_out += word;
        else if (isNumber || looksLikeAnId(word))
            addAny();
        else
            m_out += withoutDigits(word);
        m_lastWord = word;
    }

    QStringView wordAt(qsizetype begin) const
    {
        qsizetype end = begin;
        while (end < m_text.size() && isWordCharacter(m_text[end]))
            ++end;
        return m_text.mid(begin, end - begin);
    }

    // Where a UUID, a time or an address with its port ends that begins here: parts joined by -, : or ., each
    // with a digit or hexadecimal, and a digit in one. 0: there is none.
    qsizetype endOfCompoundId() const
    {
        qsizetype at = m_at;
        bool anyDigit = false;
        for (int parts = 0;; ++parts) {
            const QStringView word = wordAt(at);
            const bool hasDigit = std::any_of(word.begin(), word.end(), isDigit);
            if (word.isEmpty() || (!hasDigit && !std::all_of(word.begin(), word.end(), isHexDigit)))
                return 0;
            anyDigit = anyDigit || hasDigit;
            at += word.size();
            const bool joins = at + 1 < m_text.size() && QStringView(u"-:.").contains(m_text[at]) &&
                               isWordCharacter(m_text[at + 1]);
            if (!joins)
                return parts > 0 && anyDigit ? at : 0;
            ++at;
        }
    }

    void takeSpace()
    {
        ++m_at;
        if (!m_out.isEmpty() && !m_out.endsWith(u' '))
            m_out += u' ';
    }

    // An apostrophe within a word begins nothing.
    bool takeQuoted(QChar c)
    {
        if (c != u'\'' && c != u'"' && c != u'`')
            return false;
        if (m_at > 0 && isWordCharacter(m_text[m_at - 1]))
            return false;
        const qsizetype end = m_text.indexOf(c, m_at + 1);
        if (end < 0)
            return false;
        m_out += c + QStringView(u"\u2026").toString() + c;
        m_at = end + 1;
        m_lastWord = {};
        return true;
    }

    void add(QChar c)
    {
        if (c.unicode() >= 0x20 && c.unicode() != 0x7f)
            m_out += c;
        ++m_at;
    }

    void addAny()
    {
        if (!m_out.endsWith(kAny))
            m_out += kAny;
    }

    QStringView m_text;
    qsizetype m_at = 0;
    QString m_out;
    QStringView m_lastWord;
};

QString hashOf(const QStringList& parts)
{
    QCryptographicHash hash(QCryptographicHash::Sha256);
    for (const QString& part : parts) {
        hash.addData(part.toUtf8());
        hash.addData(QByteArrayView("\0", 1));
    }
    return QString::fromLatin1(hash.result().toHex().left(32));
}

QStringView firstLine(QStringView text)
{
    for (const QStringView line : text.left(kLooked).tokenize(u'\n'))
        if (!line.trimmed().isEmpty())
            return line.trimmed();
    return {};
}

} // namespace

QString normalisedError(QStringView error)
{
    const QString plain = Normaliser(firstLine(error)).take();
    return plain.size() > kTitle ? plain.left(kTitle - 1) + u'\u2026' : plain;
}

FailureGroup failureGroup(const LetterRow& letter)
{
    const QString error = normalisedError(letter.error);
    const bool isDelivery = letter.kind == LetterKind::Delivery;
    QStringList parts{isDelivery ? u"delivery"_s : u"work"_s, letter.reason, error};
    if (isDelivery)
        parts.append(letter.endpointId);
    FailureGroup group{hashOf(parts), error.isEmpty() ? letter.reason : error};
    if (isDelivery)
        group.title += u" (%1)"_s.arg(letter.endpointId.left(kTitle));
    return group;
}

QString plainSignature(const QString& kind, const QString& subject)
{
    return hashOf({kind, subject});
}

} // namespace redrive
