// A sentence with strong parts, without any markup: the runs are values. Wraps at the widget's width. Window
// thread.
#pragma once

#include "ui/models/roles.h"

#include <QList>
#include <QTextLayout>
#include <QWidget>

namespace redrive {

struct TextRun
{
    QString text;
    Emphasis emphasis = Emphasis::Secondary;
};

// Splits a sentence so that its numbers stand out: "862 of 999 match" -> Strong, Secondary, Strong,
// Secondary.
QList<TextRun> strongNumbers(const QString& sentence, Emphasis words = Emphasis::Secondary);

class RunLabel final : public QWidget
{
    Q_OBJECT
public:
    explicit RunLabel(QWidget* parent = nullptr);

    void setRuns(const QList<TextRun>& runs);
    void setWrapping(bool wrapping); // off: one line, cut at the right
    // Moves the text down, to stand on the baseline of a larger neighbour.
    void setShift(int pixels);
    QString plainText() const { return m_text; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    bool hasHeightForWidth() const override { return m_wrapping; }
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    qreal layOut(QTextLayout& layout, qreal width) const;

    QList<TextRun> m_runs;
    QString m_text;
    int m_shift = 0;
    bool m_wrapping = false;
};

} // namespace redrive
