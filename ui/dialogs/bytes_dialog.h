// Shows bytes that a detail has no room for: as text, as a tree or in hex. Not modal; deletes itself. Window
// thread.
#pragma once

#include <QDialog>

namespace redrive {

class PayloadView;

class BytesDialog final : public QDialog
{
    Q_OBJECT
public:
    // At most PayloadView::kPiece bytes.
    BytesDialog(const QString& title, const QByteArray& bytes, QWidget* parent);

    PayloadView* view() const { return m_view; }

private:
    PayloadView* m_view = nullptr;
};

} // namespace redrive
