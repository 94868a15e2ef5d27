// Asks with which secret an endpoint signs from now on, and how long the older ones sign beside it. Not
// modal; stays open until the engine has done it, and then shows a secret that was made. Window thread.
#pragma once

#include "core/base/result.h"
#include "core/domain/endpoint.h"

#include <QDialog>

class QButtonGroup;
class QLineEdit;
class QPushButton;
class QRadioButton;
class QVBoxLayout;

namespace redrive {

class PlainLabel;

class RotateDialog final : public QDialog
{
    Q_OBJECT
public:
    RotateDialog(const EndpointRow& endpoint, QWidget* parent);

    // What the engine said to the last decided().
    void answered(const Result<EndpointChanged>& changed);

    QLineEdit* name() const { return m_name; }
    QPushButton* actButton() const { return m_act; }
    QString said() const;

Q_SIGNALS:
    // Verb, id, secret and overlap are filled in.
    void decided(const redrive::EndpointChange& change);

private:
    void build(QVBoxLayout* column);
    void judge();
    EndpointChange change() const;

    const EndpointRow m_endpoint;
    QRadioButton* m_make = nullptr;
    QLineEdit* m_name = nullptr;
    QButtonGroup* m_overlap = nullptr;
    PlainLabel* m_said = nullptr;
    QPushButton* m_copy = nullptr;
    QPushButton* m_act = nullptr;
    QPushButton* m_cancel = nullptr;
};

} // namespace redrive
