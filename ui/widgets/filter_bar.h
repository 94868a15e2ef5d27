// The filter field of the window. Says the text on Enter at once and 400 ms after the last key; a caller that
// finds an error answers with showError(). Text over 4,096 characters is cut, with a message. Window thread.
#pragma once

#include <QFrame>
#include <QTimer>

#include <functional>

class QHBoxLayout;
class QLineEdit;

namespace redrive {

class FilterCompleter;
class PlainLabel;

class FilterBar final : public QFrame
{
    Q_OBJECT
public:
    static constexpr int kLongest = 4096;

    explicit FilterBar(QWidget* parent = nullptr);

    QString text() const;
    void setText(const QString& text); // from a page or a saved view: does not emit
    void setPlaceholder(const QString& text);
    // `position` counts characters from 0; -1: no place is known.
    void showError(const QString& message, int position);
    void clearError();
    QString errorText() const;
    QLineEdit* field() const { return m_field; }
    // What is offered while somebody types, asked at every edit.
    void setWords(std::function<QStringList()> words);
    // Free room before the text, for chips of the terms.
    QHBoxLayout* chipRoom() const { return m_chips; }
    void focusField();

Q_SIGNALS:
    void filterEntered(const QString& text);
    void escaped(); // Esc with nothing to clear: back to the page

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void onEdited(const QString& text);
    void send();
    void applyMetrics();
    QRect fieldRect() const;

    QLineEdit* m_field;
    QHBoxLayout* m_chips;
    QWidget* m_row;
    QWidget* m_errorRow;
    PlainLabel* m_error;
    FilterCompleter* m_completer;
    QTimer m_pause;
    QString m_sent;
    int m_errorPosition = -1;
};

} // namespace redrive
