// Where URLs lead, remembered for those in use. Control thread.
#pragma once

#include <QHash>
#include <QString>

namespace redrive {

struct TargetHost
{
    QString name;
    bool isLocal = false; // this machine or its own network, by an address: reached without names and routes
};

class TargetHosts final
{
public:
    TargetHost of(const QString& url);

private:
    QHash<QString, TargetHost> m_known;
};

} // namespace redrive
