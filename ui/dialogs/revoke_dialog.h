// Asks before a secret of an endpoint signs no more. Not modal; stays open until the engine has done it, and
// shows what it refuses; deletes itself. Window thread.
#pragma once

#include "core/base/result.h"
#include "core/domain/endpoint.h"

#include <QDialog>

class QLineEdit;
class QPushButton;

namespace redrive {

class PlainLabel;

class RevokeDialog final : public QDialog
{
    Q_OBJECT
public:
    // `others`: the names of those that go on signing.
    RevokeDialog(const QString& endpointId, const QString& secretName, const QStringList& others,
                 const QString& environment, const QString& environmentColour, QWidget* parent);

    // What the engine said to the last decided().
    void answered(const Result<EndpointChanged>& changed);

    QPushButton* actButton() const { return m_act; }
    QString consequence() const;
    QString problem() const; // what the engine refused; empty: nothing

Q_SIGNALS:
    // Verb, id, secret and reason are filled in.
    void decided(const redrive::EndpointChange& change);

private:
    PlainLabel* m_consequence = nullptr;
    PlainLabel* m_problem = nullptr;
    QLineEdit* m_reason = nullptr;
    QPushButton* m_act = nullptr;
};

} // namespace redrive
