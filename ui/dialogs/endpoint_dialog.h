// Asks for the settings of an endpoint, new or known. Not modal; stays open until the engine has taken them,
// and shows what it refuses. Window thread.
#pragma once

#include "core/base/result.h"
#include "core/domain/endpoint.h"

#include <QDialog>

class QCheckBox;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QVBoxLayout;

namespace redrive {

class PlainLabel;

class EndpointDialog final : public QDialog
{
    Q_OBJECT
public:
    // Without an id: a new one.
    EndpointDialog(const EndpointRow& known, QWidget* parent);

    // What the engine said to the last decided(): closes, or shows why not.
    void answered(const Result<EndpointChanged>& changed);

    QLineEdit* id() const { return m_id; }
    QLineEdit* url() const { return m_url; }
    QLineEdit* events() const { return m_events; }
    QCheckBox* paused() const { return m_paused; }
    QPushButton* saveButton() const { return m_save; }
    QString problem() const;

Q_SIGNALS:
    // Verb, id, settings and base version are filled in.
    void decided(const redrive::EndpointChange& change);

private:
    void build(QVBoxLayout* column);
    QLineEdit* addField(QVBoxLayout* column, const QString& label, const QString& hint);
    void fill(const QByteArray& settings);
    void judge();
    QByteArray settings() const;
    void say(const QString& problem);

    const EndpointRow m_known;
    QLineEdit* m_id = nullptr;
    QLineEdit* m_url = nullptr;
    QLineEdit* m_events = nullptr;
    QLineEdit* m_secrets = nullptr;
    QPlainTextEdit* m_headers = nullptr;
    QLineEdit* m_inFlight = nullptr;
    QLineEdit* m_rate = nullptr;
    QLineEdit* m_schedule = nullptr;
    QCheckBox* m_override = nullptr;
    QCheckBox* m_paused = nullptr;
    PlainLabel* m_problem = nullptr;
    QPushButton* m_save = nullptr;
};

} // namespace redrive
