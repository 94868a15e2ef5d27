// The filled label that names the environment: white on its colour, a lock when it is read-only. Window
// thread.
#pragma once

#include <QWidget>

namespace redrive {

class EnvironmentLabel final : public QWidget
{
    Q_OBJECT
public:
    // `colour`: a token of Look::environments; an unknown one is slate.
    EnvironmentLabel(const QString& name, const QString& colour, QWidget* parent = nullptr);

    void setReadOnly(bool readOnly);
    void setSquare(bool square); // in the menu bar's corner: no rounding, the whole height
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_name;
    QString m_colour;
    bool m_readOnly = false;
    bool m_square = false;
};

} // namespace redrive
