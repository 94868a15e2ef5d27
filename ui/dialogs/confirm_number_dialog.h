// Asks before a grave act: says count, environment and consequence, and over 1,000 wants the number typed.
// The button carries the exact number. Not modal by itself: open() it and wait for accepted(). Window thread.
#pragma once

#include <QDialog>

class QLineEdit;
class QPushButton;

namespace redrive {

struct NumberQuestion
{
    QString title;             // "Discard 1 160 dead letters"
    QString consequence;       // plain sentences
    QString environment;       // "PROD-EU"; empty: no label
    QString environmentColour; // token name, "violet", "armed"
    QString buttonText;        // "Discard 1 160 dead letters"
    QString buttonIcon;
    qint64 count = 0;
    bool alwaysType = false; // "all endpoints", purge: typed whatever the count
};

class ConfirmNumberDialog final : public QDialog
{
    Q_OBJECT
public:
    static constexpr qint64 kTypeAbove = 1000;

    explicit ConfirmNumberDialog(const NumberQuestion& question, QWidget* parent = nullptr);

    QPushButton* actButton() const { return m_act; }
    QLineEdit* numberField() const { return m_number; } // null when nothing must be typed

private:
    void judge(const QString& typed);

    QPushButton* m_act = nullptr;
    QLineEdit* m_number = nullptr;
    qint64 m_count;
};

} // namespace redrive
