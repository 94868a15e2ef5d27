// What a webhook's signature is made of: an HMAC-SHA256 over "id.timestamp.body". Pure; any thread.
// Source: github.com/standard-webhooks/standard-webhooks, "Signature scheme".
#pragma once

#include <QByteArray>

namespace redrive {

// "id.timestamp.", which goes before the body.
QByteArray signedPrefix(const QByteArray& id, const QByteArray& timestamp);

// Over the two after each other.
QByteArray signatureCode(const QByteArray& key, const QByteArray& prefix, const QByteArray& body);

// Takes the same time wherever they differ.
bool sameCode(const QByteArray& a, const QByteArray& b);

} // namespace redrive
