#include "ui/pages/deliveries_page.h"

#include "ui/models/deliveries_model.h"

namespace redrive {

namespace {

bool canBeReplayed(const RowValue& row)
{
    const auto& delivery = std::get<DeliveryRow>(row);
    return !delivery.discarded &&
           (delivery.status == DeliveryStatus::Failed || delivery.status == DeliveryStatus::Dead ||
            delivery.status == DeliveryStatus::Delivered);
}

bool waitsForTimer(const RowValue& row)
{
    return std::get<DeliveryRow>(row).dueAtMs.has_value();
}

bool isOpen(const RowValue& row)
{
    const auto status = std::get<DeliveryRow>(row).status;
    return status == DeliveryStatus::Pending || status == DeliveryStatus::Sending ||
           status == DeliveryStatus::Failed || status == DeliveryStatus::Held;
}

bool isDead(const RowValue& row)
{
    const auto& delivery = std::get<DeliveryRow>(row);
    return delivery.status == DeliveryStatus::Dead && !delivery.discarded;
}

} // namespace

DeliveriesPage::DeliveriesPage(const PageContext& context)
    : ListPage(context, new DeliveriesModel(*context.bridge), tr("Deliveries"))
{
    setVerbs({
        {ActionVerb::Replay, u"R"_s, canBeReplayed, tr("They are being sent or wait already.")},
        {ActionVerb::RunNow, u"N"_s, waitsForTimer,
         tr("Only deliveries that wait for a timer can be run now.")},
        {ActionVerb::Postpone, u"P"_s, waitsForTimer,
         tr("Only deliveries that wait for a timer can be postponed.")},
        {ActionVerb::Cancel, u"X"_s, isOpen, tr("They are delivered, dead or cancelled already."), true},
        {ActionVerb::Discard, u"D"_s, isDead, tr("Only dead deliveries can be discarded.")},
    });
}

NavEntry DeliveriesPage::entry() const
{
    return {u"deliveries"_s, tr("Deliveries"), u"deliveries"_s, u"E"_s, {}};
}

QString DeliveriesPage::filterPlaceholder() const
{
    return tr("Filter deliveries: status: endpoint: type: error: attempt: age: id:");
}

qint64 DeliveriesPage::total() const
{
    const auto& counts = bridge().counts();
    return counts ? counts->deliveries : -1;
}

QString DeliveriesPage::emptySentence() const
{
    return tr("No deliveries yet. A job of the type webhook_fanout makes one per endpoint.");
}

} // namespace redrive
