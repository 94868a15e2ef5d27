// Asks what becomes of the open deliveries of an endpoint that is deleted. Not modal; deletes itself. Window
// thread.
#pragma once

#include "core/domain/endpoint.h"

#include <QDialog>

class QLineEdit;
class QPushButton;
class QRadioButton;

namespace redrive {

class EndpointDeleteDialog final : public QDialog
{
    Q_OBJECT
public:
    EndpointDeleteDialog(const EndpointRow& endpoint, const QString& environment,
                         const QString& environmentColour, QWidget* parent);

    QRadioButton* holdChoice() const { return m_hold; }
    QPushButton* deleteButton() const { return m_delete; }

Q_SIGNALS:
    // Verb, id, reason and what becomes of the deliveries are filled in.
    void decided(const redrive::EndpointChange& change);

private:
    QRadioButton* m_hold = nullptr;
    QLineEdit* m_reason = nullptr;
    QPushButton* m_delete = nullptr;
};

} // namespace redrive
