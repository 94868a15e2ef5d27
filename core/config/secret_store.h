// Where secrets are kept that were made or put here by name. Environment and .dev.vars come before it: see
// KeptSecrets. Not thread-safe.
#pragma once

#include "core/base/result.h"

#include <QByteArray>
#include <QHash>
#include <QStringList>

namespace redrive {

class SecretStore
{
public:
    virtual ~SecretStore() = default;

    // For people: "the file /…/secrets", "the desktop's keychain".
    virtual QString place() const = 0;
    virtual Result<QHash<QString, QByteArray>> all() const = 0;
    virtual Result<QStringList> names() const = 0; // sorted
    // NotFound: there is none of that name. No error ever repeats a value.
    virtual Result<QByteArray> get(const QString& name) const = 0;
    // Makes it or replaces it, durably. InvalidInput: see checkSecret().
    virtual Status put(const QString& name, const QByteArray& value) = 0;
    virtual Status remove(const QString& name) = 0; // NotFound as above
};

inline constexpr qsizetype kMostSecretBytes = 10'000;

// A letter or _, then letters, digits and _, at most 128.
bool isSecretName(const QString& name);
// InvalidInput: the name is none; the value is empty, too long or holds a NUL.
Status checkSecret(const QString& name, const QByteArray& value);

} // namespace redrive
