// Bearer tokens, kept as SHA-256 only. Immutable, any thread.
#pragma once

#include "core/domain/token.h"

#include <QByteArrayView>
#include <QList>

namespace redrive {

class BearerTokens final
{
public:
    explicit BearerTokens(QList<TokenSecret> secrets) : m_secrets(std::move(secrets)) {}

    // The secret that was sent, if it is known, opens the door and its time is not over. Takes the same time
    // whatever was sent: the text is hashed and compared with every secret to its end.
    const TokenSecret* find(QByteArrayView authorization, qint64 nowMs,
                            TokenScope door = TokenScope::Everything) const;

private:
    QList<TokenSecret> m_secrets;
};

// SHA-256; of an empty token nothing.
QByteArray bearerTokenHash(QByteArrayView token);
// Looks at every byte of both, which must have the same size.
bool equalInConstantTime(QByteArrayView a, QByteArrayView b);

} // namespace redrive
