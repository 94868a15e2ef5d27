// One target of the fuzzer. The same function is run by libFuzzer (preset fuzz) and, in every other build,
// over the corpus by corpus_main.cpp. It aborts where something is wrong.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

// Ends the process, so that the input is kept.
#define FUZZ_CHECK(condition)                                                                                \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            std::fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition);                   \
            std::abort();                                                                                    \
        }                                                                                                    \
    } while (false)
