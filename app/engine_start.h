// Starts the engine of this program on a place. The main thread.
#pragma once

#include "app/demo/demo.h"
#include "app/place.h"
#include "core/engine/engine.h"

namespace redrive {

enum class EngineRole {
    Work, // runs jobs and serves HTTP
    View, // reads; what the operator does is left to a running engine
};

struct RunningEngine
{
    Place place;
    std::unique_ptr<Demo> demo;
    std::unique_ptr<Engine> engine;
    QStringList notices; // for the operator: migrations applied or pending
};

// Prepares the database, starts the engine and, with --demo, the traffic. A taken port offers `view`. In role
// View a database that cannot be written is read all the same, and the engine's health says why.
Result<RunningEngine> startEngine(const Invocation& invocation, EngineRole role);

} // namespace redrive
