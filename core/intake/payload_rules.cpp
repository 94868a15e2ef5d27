#include "core/intake/payload_rules.h"

#include <QDir>
#include <QUrl>

#include <algorithm>
#include <climits>

namespace redrive {

namespace {

// A key that stands twice is judged twice: whichever of them the handler reads was seen here.
template <typename Visit>
std::optional<HttpProblem> eachMember(const JsonSlice& object, QByteArrayView key, Visit visit)
{
    JsonMembers members(object);
    while (members.next()) {
        if (!members.keyIs(key))
            continue;
        if (auto problem = visit(members.value()))
            return problem;
    }
    return std::nullopt;
}

bool fitsTheSystem(const QString& path)
{
    const QByteArray bytes = path.toUtf8();
    const QByteArrayList names = bytes.split('/');
    return bytes.size() < PATH_MAX && std::all_of(names.begin(), names.end(), [](const QByteArray& name) {
               return name.size() <= NAME_MAX;
           });
}

std::optional<HttpProblem> checkEndpoints(const JsonSlice& endpoints)
{
    JsonElements elements(endpoints);
    while (elements.next()) {
        const auto problem = eachMember(elements.value(), "url", [&](const JsonSlice& url) {
            const auto text = url.toText();
            return text && isWebhookUrl(*text) ? std::nullopt
                                               : std::optional(problem::urlNotAllowed(
                                                     u"payload.endpoints[%1].url"_s.arg(elements.index())));
        });
        if (problem)
            return problem;
    }
    return std::nullopt;
}

} // namespace

PayloadRules::PayloadRules(const QStringList& processFileRoots)
{
    for (const QString& root : processFileRoots)
        m_roots += QDir::cleanPath(root);
}

std::optional<HttpProblem> PayloadRules::check(QStringView type, const JsonSlice& payload) const
{
    if (type == u"webhook_fanout")
        return eachMember(payload, "endpoints", checkEndpoints);
    if (type == u"process_file" && !m_roots.isEmpty())
        return checkPath(payload);
    return std::nullopt;
}

std::optional<HttpProblem> PayloadRules::checkPath(const JsonSlice& payload) const
{
    return eachMember(payload, "path", [&](const JsonSlice& path) {
        const auto text = path.toText();
        return !text || mayLieBeneath(m_roots, *text)
                   ? std::nullopt
                   : std::optional(problem::pathNotAllowed(u"payload.path"_s));
    });
}

bool isWebhookUrl(const QString& text)
{
    const QUrl url(text, QUrl::StrictMode);
    if (!url.isValid() || url.host().isEmpty() || !url.userInfo().isEmpty())
        return false;
    // QUrl forgets an empty user name: look at the text between "//" and the path.
    const qsizetype start = text.indexOf(u"//") + 2;
    const auto end = std::find_if(text.begin() + start, text.end(),
                                  [](QChar c) { return c == u'/' || c == u'?' || c == u'#'; });
    if (std::find(text.begin() + start, end, u'@') != end)
        return false;
    return url.scheme() == u"http"_s || url.scheme() == u"https"_s;
}

bool mayLieBeneath(const QStringList& roots, const QString& path)
{
    if (path.isEmpty() || path.startsWith(u":/"_s) || path.startsWith(u"qrc:"_s) ||
        path.contains(QChar::Null) || !fitsTheSystem(path))
        return false;
    const QString clean = QDir::cleanPath(path);
    if (QDir::isRelativePath(clean))
        return clean != u".."_s && !clean.startsWith(u"../"_s);
    return std::any_of(roots.begin(), roots.end(), [&](const QString& root) {
        return clean.startsWith(root.endsWith(u'/') ? root : root + u'/');
    });
}

} // namespace redrive
