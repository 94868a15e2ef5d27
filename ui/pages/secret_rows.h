// The secrets an endpoint signs with, a row each, with a button that revokes one. Window thread.
#pragma once

#include "core/domain/endpoint.h"

#include <QStringList>
#include <QWidget>

class QPushButton;

namespace redrive {

class SecretRows final : public QWidget
{
    Q_OBJECT
public:
    explicit SecretRows(QWidget* parent = nullptr);

    // Hidden where it signs with none.
    void setEndpoint(const EndpointRow& endpoint, qint64 nowMs);
    // Why nothing can be revoked at all; empty: it can.
    void setObstacle(const QString& obstacle);
    QPushButton* revokeButton(const QString& name) const; // nothing: there is no such secret

Q_SIGNALS:
    void revokeAsked(const QString& name);

private:
    void rebuild();

    QStringList m_names; // newest first
    QStringList m_words; // how long each signs on; empty: until another takes its place
    QList<QPushButton*> m_buttons;
    QString m_obstacle;
};

// The names of the secrets in an endpoint's settings, the newest first, as they stand there.
QStringList secretNames(const EndpointRow& endpoint);
// Those that sign on once `name` is revoked.
QStringList secretsBeside(const EndpointRow& endpoint, const QString& name, qint64 nowMs);

} // namespace redrive
