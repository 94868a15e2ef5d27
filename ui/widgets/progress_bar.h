// How far something has come, with what failed of it at the end of the bar. Window thread.
#pragma once

#include <QWidget>

namespace redrive {

class ProgressBar final : public QWidget
{
    Q_OBJECT
public:
    explicit ProgressBar(QWidget* parent = nullptr);

    void setProgress(int done, int failed, int total);
    QSize sizeHint() const override { return {kWidth, kHeight}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    static constexpr int kWidth = 120;
    static constexpr int kHeight = 8;

    int m_done = 0;
    int m_failed = 0;
    int m_total = 0;
};

} // namespace redrive
