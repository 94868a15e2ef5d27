// An engine as the benchmarks run it: one queue, batches of 100 at once, jobs of 200 bytes that do nothing.
#pragma once

#include "core/engine/engine.h"

#include <chrono>
#include <functional>
#include <utility>
#include <vector>

namespace redrive::bench {

QByteArray noopBody(); // of POST /jobs
EngineOptions optionsFor(const QString& databasePath);
// Ends the program when it does not start.
std::unique_ptr<Engine> started(EngineOptions options);
quint16 portOf(const Engine& engine);
// Waits until a figure of the engine's health reaches a number; commits wake it.
void waitFor(Engine& engine, const std::function<quint64(const EngineRates&)>& figure, quint64 number);

double secondsSince(std::chrono::steady_clock::time_point then);
double cpuSeconds(); // used by this process, its threads together
double median(std::vector<double> values);

// Of one of the runs' figures.
template <typename Run>
double medianOf(const std::vector<Run>& runs, double Run::*figure)
{
    std::vector<double> values;
    for (const Run& run : runs)
        values.push_back(run.*figure);
    return median(std::move(values));
}

} // namespace redrive::bench
