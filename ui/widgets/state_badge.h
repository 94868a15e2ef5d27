// Glyph and word of a state on its tint; for detail heads only. Window thread.
#pragma once

#include <QWidget>

namespace redrive {

// The translated word of a state or glyph name ("dead" -> "Dead").
QString stateWord(const QString& state);

class StateBadge final : public QWidget
{
    Q_OBJECT
public:
    explicit StateBadge(QWidget* parent = nullptr);

    // An empty text means the word of the state.
    void setState(const QString& state, const QString& text = {});
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_state;
    QString m_text;
};

} // namespace redrive
