// The Why sentence: the engine stores a reason code, the window writes what it means for this row now. Plain
// text. Window thread (translations); otherwise pure.
#pragma once

#include "core/domain/overview.h"
#include "ui/models/format.h"
#include "ui/models/row_value.h"

namespace redrive {

struct WhyContext
{
    qint64 nowMs = 0;
    format::Zone zone = format::Zone::Utc;
    const QueueStats* queue = nullptr; // the row's queue, where it is known
};

QString whyText(const JobRow& row, const WhyContext& context);
QString whyText(const TimerRow& row, const WhyContext& context);
QString whyText(const LetterRow& row, const WhyContext& context);
QString whyText(const DeliveryRow& row, const WhyContext& context);
QString whyText(const ActivityRow& row, const WhyContext& context);
QString whyText(const TelemetryRow& row, const WhyContext& context); // empty: it only lies there
QString whyText(const RowValue& row, const WhyContext& context);

// "Queue mail is paused by anna since 13:50:10."; empty when it is not.
QString pauseText(const QueueStats& queue, const WhyContext& context);

} // namespace redrive
