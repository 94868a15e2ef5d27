// The configuration that the demo runs: queues, job types and endpoints that succeed, wait, fail and die
// within seconds, and telemetry. Pure.
#pragma once

#include "core/config/settings.h"

#include <functional>

namespace redrive {

struct DemoPlaces
{
    std::function<QString(const QString&)> endpointUrl; // by its id
    QString mailUrl;
    QString filesFolder;        // absolute
    QString archiveFolder = {}; // absolute; empty: no archive
};

Settings demoSettings(const DemoPlaces& places);
// What telemetry is sent with.
QByteArray demoIngestToken();

} // namespace redrive
