// SPDX-License-Identifier: Apache-2.0
//
// What the code of a library finds before it, without a design: enough for a compiler to read it.
#include <dlfcn.h>

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <string>
#include <vector>

#include "verilated.h"
#include "verilated_save.h"

enum Kind { RUNNING, FATAL };
struct Vm {};
VerilatedSerialize& operator<<(VerilatedSerialize& os, Vm&) { return os; }
VerilatedDeserialize& operator>>(VerilatedDeserialize& os, Vm&) { return os; }
struct Model {
    VerilatedContext ctx;
    Vm* top;
    uint64_t cycle, mark;
    Kind kind;
    std::string file, message, log;
};
extern thread_local Model* current;
template <class F>
void guarded(Model*, F f) {
    f();
}
uint64_t splitmix64(uint64_t& s);
struct Shown {
    bool valid;
};
bool edge(Model*, Vm&, Shown&, const uint64_t*, uint64_t*);
void* m_new(uint64_t);
void m_free(void*);
