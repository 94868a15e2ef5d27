#include "core/db/migration_order.h"

#include <QDir>

namespace redrive {

namespace {

// The digits a segment begins with, without leading zeros; numbers may be longer than 64 bits.
QStringView leadingNumber(QStringView segment, bool& isNumbered)
{
    qsizetype end = 0;
    while (end < segment.size() && segment[end] >= u'0' && segment[end] <= u'9')
        ++end;
    isNumbered = end > 0;
    qsizetype start = 0;
    while (start + 1 < end && segment[start] == u'0')
        ++start;
    return segment.mid(start, end - start);
}

int compareSegments(QStringView left, QStringView right)
{
    bool leftNumbered = false;
    bool rightNumbered = false;
    const QStringView leftNumber = leadingNumber(left, leftNumbered);
    const QStringView rightNumber = leadingNumber(right, rightNumbered);
    if (leftNumbered != rightNumbered)
        return leftNumbered ? -1 : 1;
    if (leftNumber.size() != rightNumber.size())
        return leftNumber.size() < rightNumber.size() ? -1 : 1;
    const int byNumber = leftNumber.compare(rightNumber);
    return byNumber != 0 ? byNumber : left.compare(right);
}

} // namespace

bool migrationComesBefore(const QString& left, const QString& right)
{
    const auto leftSegments = QStringView(left).split(u'/');
    const auto rightSegments = QStringView(right).split(u'/');
    for (qsizetype i = 0; i < std::min(leftSegments.size(), rightSegments.size()); ++i) {
        const int order = compareSegments(leftSegments[i], rightSegments[i]);
        if (order != 0)
            return order < 0;
    }
    return leftSegments.size() < rightSegments.size();
}

QRegularExpression migrationPattern(const QString& pattern)
{
    QString expression;
    int alternatives = 0;
    for (qsizetype i = 0; i < pattern.size(); ++i) {
        const QChar c = pattern[i];
        const QStringView rest = QStringView(pattern).mid(i);
        if (rest.startsWith(u"**/")) {
            expression += QStringLiteral("(?:[^/]+/)*");
            i += 2;
        } else if (rest.startsWith(u"**")) {
            expression += QStringLiteral(".*");
            ++i;
        } else if (c == u'*') {
            expression += QStringLiteral("[^/]*");
        } else if (c == u'?') {
            expression += QStringLiteral("[^/]");
        } else if (c == u'{') {
            expression += QStringLiteral("(?:");
            ++alternatives;
        } else if (c == u'}' && alternatives > 0) {
            expression += u')';
            --alternatives;
        } else if (c == u',' && alternatives > 0) {
            expression += u'|';
        } else {
            expression += QRegularExpression::escape(QStringView(pattern).mid(i, 1));
        }
    }
    return QRegularExpression(QRegularExpression::anchoredPattern(expression),
                              QRegularExpression::DotMatchesEverythingOption);
}

QString patternInside(const QString& folder, const QString& pattern)
{
    const QString clean = QDir::cleanPath(pattern);
    const QString absolute = QDir::cleanPath(folder);
    if (clean.startsWith(absolute + u'/'))
        return clean.mid(absolute.size() + 1);
    for (qsizetype end = clean.lastIndexOf(u'/'); end > 0; end = clean.lastIndexOf(u'/', end - 1)) {
        if (absolute.endsWith(u'/' + clean.left(end)))
            return clean.mid(end + 1);
    }
    return clean;
}

} // namespace redrive
