// Deliveries: one event for one endpoint each; failed ones are sent again without touching the others. As a
// table, or as a matrix of events by endpoints. Window thread.
#pragma once

#include "ui/bridge/latest.h"
#include "ui/pages/list_page.h"

namespace redrive {

class MatrixModel;
class MatrixView;
class SegmentedSwitch;

class DeliveriesPage final : public ListPage
{
    Q_OBJECT
public:
    static constexpr int kRefreshMs = 2'000; // of the matrix, at most so often

    explicit DeliveriesPage(const PageContext& context);

    NavEntry entry() const override;
    int navGroup() const override { return 2; }
    QString filterPlaceholder() const override;
    void setFilter(const QString& filter) override;
    QString currentId() const override;
    void setZone(format::Zone zone) override;
    void setCurrent(bool current) override;
    QWidget* focusTarget() override;
    QByteArray saveState() const override;
    void restoreState(const QByteArray& state) override;

    MatrixView* matrix() const { return m_matrix; }
    bool showsMatrix() const;
    void showMatrix(bool matrix);

protected:
    qint64 total() const override;
    QString emptySentence() const override;
    std::optional<std::vector<qint64>> otherSelection() const override;
    QString otherScope() const override;
    int deliveredChosen() const override;
    QStringList missedChosen() const override;
    bool offers(ActionVerb verb) const override;
    void clearSelection() override;

private:
    void askMatrix();
    void onMatrix(const Result<DeliveryMatrix>& matrix);
    void showCell();

    SegmentedSwitch* m_switch;
    MatrixModel* m_model;
    MatrixView* m_matrix;
    QString m_problem;
    Latest m_latest;
    Latest m_shown;
    QTimer m_refresh;
    format::Zone m_zone = format::Zone::Utc;
};

} // namespace redrive
