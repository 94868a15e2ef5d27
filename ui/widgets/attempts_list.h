// Attempts, newest first: one line each with a bar of its phases; an open one shows its facts. Window thread;
// every text is plain.
#pragma once

#include "ui/models/format.h"

#include <QList>
#include <QScrollArea>
#include <QString>

class QVBoxLayout;

namespace redrive {

enum class PhaseKind { Dns, Connect, Tls, FirstByte, Transfer };

struct PhaseView
{
    PhaseKind kind = PhaseKind::Connect;
    double ms = 0;
    bool failed = false; // drawn in failedPhase, named in the legend

    bool operator==(const PhaseView&) const = default;
};

struct FactView
{
    QString label;
    QString value;
    bool mono = false;
    QByteArray whole = {}; // where the value is only the beginning: all of it

    bool operator==(const FactView&) const = default;
};

struct AttemptView
{
    qint64 number = 0;
    qint64 startedMs = 0;    // UTC
    QString glyph;           // "failed", "done", "unknown", "processing"
    QString outcome;         // "TLS failed", "503 Service Unavailable"
    QList<PhaseView> phases; // empty: a job without network phases; one neutral bar of its duration
    qint64 totalMs = -1;     // -1: still running, an en dash
    QList<FactView> facts;

    bool operator==(const AttemptView&) const = default;
};

class AttemptRow;

class AttemptsList final : public QScrollArea
{
    Q_OBJECT
public:
    explicit AttemptsList(QWidget* parent = nullptr);

    // The first is opened, and what the operator opened stays open (by number) while the same list is
    // refreshed.
    void setAttempts(const QList<AttemptView>& attempts);
    void setZone(format::Zone zone);
    void setNow(qint64 utcMs);

Q_SIGNALS:
    // The operator wants to see all of a fact that is shown in part.
    void wholeWanted(qint64 attempt, const redrive::FactView& fact);

private:
    void rebuild();

    QList<AttemptView> m_attempts;
    QList<qint64> m_open;
    QVBoxLayout* m_column;
    format::Zone m_zone = format::Zone::Utc;
    qint64 m_nowMs = 0;
};

} // namespace redrive
