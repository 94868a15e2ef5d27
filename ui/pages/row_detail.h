// The detail of one row: head with the Why sentence, timeline, attempts, payload. Asks the engine when
// another row is shown and when the shown one changed. Window thread.
#pragma once

#include "ui/bridge/latest.h"
#include "ui/pages/list_detail.h"
#include "ui/pages/page_context.h"
#include "ui/widgets/attempts_list.h"
#include "ui/widgets/timeline_list.h"

#include <QTimer>

namespace redrive {

class PayloadView;

class RowDetail final : public ListDetail
{
    Q_OBJECT
public:
    RowDetail(PageContext context, QWidget* page);

    DetailPane* pane() const override { return m_pane; }
    void show(const RowValue& row) override;
    void showNothing() override;
    QString shownId() const override;
    void setZone(format::Zone zone) override;
    void setActive(bool active) override;

    QByteArray json() const override;
    bool hasRequests() const override { return true; }
    QString curl() const override;
    QString allowLine() const override;
    bool canCompare() const override { return m_attemptViews.size() > 1; }
    void compareAttempts(QWidget* parent) override;

private:
    void forget(); // what is known of the row shown before
    void ask();
    template <typename T>
    void take(Result<T> detail);
    void fill(const JobDetail& detail);
    void fill(const DeliveryDetail& detail);
    void fill(const LetterDetail& detail);
    void fill(const ActivityDetail& detail);
    void fillTabs(const QList<TimelineEntry>& timeline, const QList<AttemptView>& attempts);
    void showHead();
    void showResult(const QString& result);
    void showPayload(const QString& jobId, qint64 bytes);
    void askPiece(qint64 offset, qint64 length);
    void onChanged(const ChangeSet& changes);

    PageContext m_context;
    DetailPane* m_pane;
    TimelineList* m_timeline;
    AttemptsList* m_attempts;
    QList<AttemptView> m_attemptViews;
    std::optional<DeliveryDetail> m_delivery; // the shown one
    QString m_jobType;                        // of the shown job
    QByteArray m_jobPayload;                  // of the shown job, where it is small enough to be here
    PayloadView* m_payload;
    PayloadView* m_result;
    int m_attemptsTab = 0;
    int m_payloadTab = 0;
    int m_resultTab = 0;
    std::optional<RowValue> m_row;
    QString m_payloadJob; // whose payload is shown
    qint64 m_payloadBytes = -1;
    QString m_resultText;
    Latest m_asked;
    Latest m_piece;
    QTimer m_tick; // the Why sentence counts down
    format::Zone m_zone = format::Zone::Utc;
    bool m_active = false;
    bool m_asking = false;
    bool m_again = false; // it changed while the answer was on its way
};

} // namespace redrive
