// Bearer tokens, kept as SHA-256 only. Immutable, any thread.
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QList>

namespace redrive {

class BearerTokens final
{
public:
    explicit BearerTokens(QList<QByteArray> hashes) : m_hashes(std::move(hashes)) {}

    // At least one hash, and every one of 32 bytes.
    bool isValid() const;
    // Takes the same time whatever was sent: the text is hashed and compared with every token to its end.
    bool accepts(QByteArrayView authorization) const;

private:
    QList<QByteArray> m_hashes;
};

// Looks at every byte of both, which must have the same size.
bool equalInConstantTime(QByteArrayView a, QByteArrayView b);

} // namespace redrive
