// The detail of one queue: what is in it now, and how it is set. Filled from the counts; asks nothing. Window
// thread.
#pragma once

#include "core/domain/overview.h"
#include "ui/models/format.h"
#include "ui/widgets/attempts_list.h"
#include "ui/widgets/detail_pane.h"

namespace redrive {

class FactPage;

class QueueDetail final : public QObject
{
    Q_OBJECT
public:
    explicit QueueDetail(QWidget* page);

    DetailPane* pane() const { return m_pane; }
    void show(const QueueStats& queue, qint64 nowMs, format::Zone zone);
    void showNothing();

private:
    DetailPane* m_pane;
    FactPage* m_now;
    FactPage* m_settings;
};

// What is in it, and what is done with it.
QList<FactView> queueFacts(const QueueStats& queue, qint64 nowMs, format::Zone zone);
QList<FactView> queueSettings(const QueueStats& queue);

} // namespace redrive
