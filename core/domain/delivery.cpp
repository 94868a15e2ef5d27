#include "core/domain/delivery.h"

namespace redrive {

QString toText(DeliveryStatus status)
{
    switch (status) {
    case DeliveryStatus::Pending:
        return QStringLiteral("pending");
    case DeliveryStatus::Sending:
        return QStringLiteral("sending");
    case DeliveryStatus::Delivered:
        return QStringLiteral("delivered");
    case DeliveryStatus::Failed:
        return QStringLiteral("failed");
    case DeliveryStatus::Held:
        return QStringLiteral("held");
    case DeliveryStatus::Dead:
        return QStringLiteral("dead");
    case DeliveryStatus::Cancelled:
        break;
    }
    return QStringLiteral("cancelled");
}

std::optional<DeliveryStatus> deliveryStatusFrom(QStringView text)
{
    for (const DeliveryStatus status :
         {DeliveryStatus::Pending, DeliveryStatus::Sending, DeliveryStatus::Delivered, DeliveryStatus::Failed,
          DeliveryStatus::Held, DeliveryStatus::Dead, DeliveryStatus::Cancelled})
        if (text == toText(status))
            return status;
    return std::nullopt;
}

} // namespace redrive
