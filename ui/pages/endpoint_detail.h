// The detail of one endpoint: how it does, its settings and every version of them. Window thread.
#pragma once

#include "core/domain/endpoint.h"
#include "ui/models/format.h"
#include "ui/widgets/attempts_list.h"
#include "ui/widgets/detail_pane.h"

namespace redrive {

class FactPage;
class HeatStrip;
class SecretRows;

class EndpointDetailView final : public QObject
{
    Q_OBJECT
public:
    explicit EndpointDetailView(QWidget* page);

    DetailPane* pane() const { return m_pane; }
    void show(const EndpointDetail& detail, qint64 nowMs, format::Zone zone);
    void showNothing();
    SecretRows* secrets() const { return m_secrets; }

private:
    DetailPane* m_pane;
    HeatStrip* m_heat;
    FactPage* m_now;
    SecretRows* m_secrets;
    FactPage* m_settings;
    FactPage* m_versions;
    int m_versionsTab = 0;
};

QList<FactView> endpointFacts(const EndpointRow& endpoint, qint64 nowMs, format::Zone zone);
// Of settings as JSON, in words.
QList<FactView> endpointSettings(const QByteArray& settings, qint64 nowMs);
QList<FactView> endpointVersions(const QList<EndpointVersion>& versions, format::Zone zone);

} // namespace redrive
