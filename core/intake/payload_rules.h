// What can be told of a payload at the door, by job type: URLs of a fan-out that nothing could be sent to,
// paths that leave the allowed folders by their text alone. The rest is judged at the run. Immutable, any
// thread.
#pragma once

#include "core/base/json_slice.h"
#include "core/intake/http_problem.h"

#include <QStringList>

#include <optional>

namespace redrive {

class PayloadRules final
{
public:
    explicit PayloadRules(const QStringList& processFileRoots);
    std::optional<HttpProblem> check(QStringView type, const JsonSlice& payload) const;

private:
    std::optional<HttpProblem> checkPath(const JsonSlice& payload) const;

    QStringList m_roots; // clean, absolute
};

// http or https with a host and without user information, as QUrl's strict mode reads it.
bool isWebhookUrl(const QString& text);
// False for text that leaves the folders: absolute outside of them, upwards, a Qt resource, or longer than a
// path can be.
bool mayLieBeneath(const QStringList& roots, const QString& path);

} // namespace redrive
