#include "core/domain/mailbox.h"

#include <QUrl>

#include <algorithm>

namespace redrive {

namespace {

constexpr qsizetype kLongestLocalPart = 64;

// `"Lovelace, Ada"`, with \" and \\ inside, or the words as they are.
QString unquoted(const QString& name)
{
    if (name.size() < 2 || !name.startsWith(u'"') || !name.endsWith(u'"'))
        return name;
    QString plain;
    for (qsizetype i = 1; i < name.size() - 1; ++i) {
        if (name[i] == u'\\' && i + 1 < name.size() - 1)
            ++i;
        plain.append(name[i]);
    }
    return plain;
}

} // namespace

bool isPrintableAscii(QStringView text)
{
    return std::all_of(text.begin(), text.end(), [](QChar c) { return c >= u' ' && c <= u'~'; });
}

Status checkHeaderText(const QString& text, const QString& field)
{
    const bool clean =
        std::none_of(text.begin(), text.end(), [](QChar c) { return c < u' ' || c == u'\x7f'; });
    if (clean)
        return {};
    return fail(ErrorKind::InvalidInput,
                u"'%1' must not hold line breaks or other control characters"_s.arg(field), {}, field);
}

Result<Mailbox> readMailbox(const QString& text, const QString& field)
{
    REDRIVE_TRY(checkHeaderText(text, field));
    Mailbox box;
    QString address = text.trimmed();
    if (const qsizetype open = address.lastIndexOf(u'<'); open >= 0 && address.endsWith(u'>')) {
        box.name = unquoted(address.left(open).trimmed());
        address = address.mid(open + 1).chopped(1).trimmed();
    }
    const qsizetype at = address.lastIndexOf(u'@');
    const QString local = address.left(std::max<qsizetype>(at, 0));
    const QByteArray domain = QUrl::toAce(address.mid(at + 1)); // empty where it is none
    const bool good = at > 0 && !domain.isEmpty() && isPrintableAscii(local) &&
                      local.size() <= kLongestLocalPart &&
                      std::none_of(local.begin(), local.end(),
                                   [](QChar c) { return QStringView(u" <>()[]\\,;:@\"").contains(c); });
    if (!good)
        return fail(ErrorKind::InvalidInput,
                    u"'%1' holds '%2', which is no address"_s.arg(field, text.left(200)), {}, field);
    box.address = local.toLatin1() + '@' + domain;
    return box;
}

} // namespace redrive
