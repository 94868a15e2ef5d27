// Telemetry: how fast it comes and is written, how much of it each minute, and its rows by tenant, source and
// time. Window thread.
#pragma once

#include "ui/bridge/latest.h"
#include "ui/pages/list_page.h"

namespace redrive {

class TelemetryStrip;
class TileBand;

class TelemetryPage final : public ListPage
{
    Q_OBJECT
public:
    static constexpr int kCountAgainMs = 2'000; // at the earliest after the last answer

    explicit TelemetryPage(const PageContext& context);

    NavEntry entry() const override;
    int navGroup() const override { return 3; }
    QString filterPlaceholder() const override;
    QStringList filterWords() const override;
    void setFilter(const QString& filter) override;
    void setZone(format::Zone zone) override;
    void setCurrent(bool current) override;
    void resync() override;

    TelemetryStrip* strip() const { return m_strip; }
    TileBand* tiles() const { return m_tiles; }

protected:
    qint64 total() const override;
    QString emptySentence() const override;
    QString emptyCommand() const override;
    QList<QAction*> emptyActions() override;

private:
    void connectStrip();
    void replaceTerms(const QStringList& fields, const QStringList& terms);
    void followFilter();
    void count(bool whole);
    void showTiles();
    void openTile(int tile);
    QString command() const;

    TileBand* m_tiles;
    TelemetryStrip* m_strip;
    QAction* m_copyCommand;
    QAction* m_startDemo;
    QList<double> m_rates; // one for each look at the engine's health
    Latest m_counted;
    QTimer m_again;
    qint64 m_wholeAtMs = 0; // when the whole span was counted last; 0: not yet
    bool m_counting = false;
    bool m_current = false;
    format::Zone m_zone = format::Zone::Utc;
};

} // namespace redrive
