// SPDX-License-Identifier: Apache-2.0
//
// Included before verilated.h in every translation unit: what the simulator
// would print goes to the log of the model that is running.
#ifndef NICGEN_HOOKS_H_
#define NICGEN_HOOKS_H_

extern int shim_printf(const char* format, ...) __attribute__((format(printf, 1, 2)));

#define VL_PRINTF shim_printf

#include <atomic>
#include <cstdint>

// Stands in for the std::atomic<uint32_t> of the coverage counters.
struct PlainCounter {
    uint32_t n;
    void fetch_add(uint32_t k, std::memory_order) { n += k; }
};

#endif
