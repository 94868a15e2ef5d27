// Secrets in one file that only its owner can read, lines as in .dev.vars. Every change writes it anew, so
// that a reader sees the one before or the one after. Not thread-safe; other processes may change it too.
#pragma once

#include "core/config/secret_store.h"

namespace redrive {

class SecretFile final : public SecretStore
{
public:
    // A file that is missing holds no secrets; its folder is made, for the owner alone, by put().
    explicit SecretFile(QString path) : m_path(std::move(path)) {}

    // Refused, by all of these: the file is a link or no regular file, belongs to somebody else, or others
    // may read or write it. Busy, by put() and remove(): another process is changing it.
    QString place() const override;
    Result<QHash<QString, QByteArray>> all() const override { return read(); }
    Result<QStringList> names() const override;
    Result<QByteArray> get(const QString& name) const override;
    Status put(const QString& name, const QByteArray& value) override;
    Status remove(const QString& name) override;

private:
    Result<QHash<QString, QByteArray>> read() const;
    Status write(const QHash<QString, QByteArray>& secrets) const;

    const QString m_path;
};

} // namespace redrive
