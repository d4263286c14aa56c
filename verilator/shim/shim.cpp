// SPDX-License-Identifier: Apache-2.0
//
// The C interface of one Verilated model. It is compiled after the generated
// model and after glue.h, which moves ports to and from vectors of 64-bit words:
//
//   GLUE_IN, GLUE_OUT                                words in a vector
//   glue_in(Vm&, const uint64_t*)                    vector to input ports
//   glue_out(const Vm&, uint64_t*)                   output ports to vector
//   glue_clk(Vm&, bool)                              the clock
//
// One cycle: clock low and new inputs, settle, sample every output, clock high,
// settle. A registered output therefore shows what earlier edges made of it, a
// combinational output follows the inputs of the same cycle.

#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <stdexcept>
#include <string>

#if VM_TRACE_FST
#include "verilated_fst_c.h"
typedef VerilatedFstC Wave;
#elif VM_TRACE_VCD
#include "verilated_vcd_c.h"
typedef VerilatedVcdC Wave;
#endif
#if VM_COVERAGE
#include "verilated_cov.h"
#endif

namespace {

// Why a model stopped. The numbers are part of the interface.
enum Kind { RUNNING = 0, FINISH = 1, STOP = 2, FATAL = 3, WARNING = 4 };

// What a design prints is kept up to this many bytes.
constexpr size_t LOG_MAX = 1 << 20;

// Time of one cycle in the waveform, in nanoseconds.
constexpr uint64_t PERIOD = 10;

struct Model {
    VerilatedContext ctx;
    Vm* top = nullptr;
    uint64_t cycle = 0;  // cycles completed
    Kind kind = RUNNING;
    std::string file, message, log;
    int line = 0;
    size_t mark = 0;  // length of the log when this cycle began
#if VM_TRACE
    Wave* wave = nullptr;
#endif

    void stop(Kind k, const char* filename, int linenum, const char* msg) {
        if (kind != RUNNING) return;  // the first cause is the one that counts
        kind = k;
        file = filename ? filename : "";
        line = linenum;
        message = msg ? msg : "";
    }
    void say(const char* s, size_t n) {
        if (log.size() < LOG_MAX) log.append(s, n < LOG_MAX - log.size() ? n : LOG_MAX - log.size());
    }
#if VM_TRACE
    void dump(uint64_t half) {
        if (wave) wave->dump(cycle * PERIOD + half * (PERIOD / 2));
    }
#else
    void dump(uint64_t) {}
#endif
};

thread_local Model* current = nullptr;

// Random initial values come from a generator that all models of this library
// share: one model at a time is born.
std::mutex birth;

// Every entry makes its model the current one of the thread; threads change
// from call to call.
struct Enter {
    explicit Enter(Model* m) {
        current = m;
        Verilated::threadContextp(&m->ctx);
        m->mark = m->log.size();
    }
    ~Enter() { current = nullptr; }
};

// Runs f and turns what is thrown into the model's end.
template <class F>
inline void guarded(Model* m, F f) {
    try {
        f();
    } catch (const std::exception& e) {
        m->stop(FATAL, "", 0, e.what());
    } catch (...) {
        m->stop(FATAL, "", 0, "unknown exception");
    }
}

inline uint64_t splitmix64(uint64_t& s) {
    uint64_t z = (s += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

// The inputs of a measurement: half the work, so that it is the model that is measured.
inline uint64_t random64(uint64_t& s) {
    uint64_t z = (s += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 32)) * 0xd6e8feb86659fd93ULL;
    return z ^ (z >> 32);
}

// One cycle; false when the model has ended in it.
inline bool step(Model* m, Vm& t, const uint64_t* in, uint64_t* out) {
    m->ctx.time(m->cycle * PERIOD);
    glue_clk(t, false);
    glue_in(t, in);
    t.eval();
    m->dump(0);
    glue_out(t, out);
    if (VL_UNLIKELY(m->kind != RUNNING)) return false;
    m->ctx.time(m->cycle * PERIOD + PERIOD / 2);
    glue_clk(t, true);
    t.eval();
    m->dump(1);
    if (VL_UNLIKELY(m->kind != RUNNING)) return false;
    ++m->cycle;
    return true;
}

}  // namespace

int shim_printf(const char* format, ...) {
    char small[512];
    va_list ap;
    va_start(ap, format);
    const int n = vsnprintf(small, sizeof small, format, ap);
    va_end(ap);
    if (n < 0 || !current) return n;
    if (static_cast<size_t>(n) < sizeof small) {
        current->say(small, n);
        return n;
    }
    std::string big(n + 1, '\0');
    va_start(ap, format);
    vsnprintf(&big[0], big.size(), format, ap);
    va_end(ap);
    current->say(big.data(), n);
    return n;
}

void vl_finish(const char* filename, int linenum, const char*) VL_MT_UNSAFE {
    if (current) current->stop(FINISH, filename, linenum, "$finish");
}

// $stop, $error, $fatal and failed assertions print first and stop then.
void vl_stop(const char* filename, int linenum, const char*) VL_MT_UNSAFE {
    if (current) current->stop(STOP, filename, linenum, current->log.c_str() + current->mark);
}

// The caller does not expect to go on: an endless loop would follow.
void vl_fatal(const char* filename, int linenum, const char*, const char* msg) VL_MT_UNSAFE {
    if (current) current->stop(FATAL, filename, linenum, msg);
    throw std::runtime_error(msg);
}

// The run-time warns of what makes results worthless, such as a missing memory file.
void vl_warn(const char* filename, int linenum, const char*, const char* msg) VL_MT_UNSAFE {
    if (current) current->stop(WARNING, filename, linenum, msg);
}

#define API extern "C" __attribute__((visibility("default")))

// A new model at power-up. Every register and memory without an initial value
// starts with a value drawn from seed.
API void* m_new(uint64_t seed) {
    Model* m = nullptr;
    try {
        m = new Model;
        std::lock_guard<std::mutex> lock(birth);
        Enter e(m);
#if VM_TRACE
        m->ctx.traceEverOn(true);
#endif
        m->ctx.randReset(2);
        // Zero would mean: take the seed from the clock.
        m->ctx.randSeed(static_cast<int>((splitmix64(seed) & 0x7ffffffe) + 1));
        m->top = new Vm(&m->ctx);
        uint64_t zero[GLUE_IN + 1] = {0};
        guarded(m, [&] {
            glue_clk(*m->top, false);
            glue_in(*m->top, zero);
            m->top->eval();
        });
    } catch (...) {
        delete m;
        return nullptr;
    }
    return m;
}

API void m_free(void* p) {
    Model* m = static_cast<Model*>(p);
    {
        Enter e(m);
#if VM_TRACE
        if (m->wave) {
            m->wave->close();
            delete m->wave;
        }
#endif
        if (m->kind == RUNNING) guarded(m, [&] { m->top->final(); });
        delete m->top;
    }
    delete m;
}

// Runs n cycles and returns how many were completed: fewer if the model ended.
// The outputs of the cycle in which it ended are written as far as they were sampled.
API uint64_t m_run(void* p, const uint64_t* in, uint64_t* out, uint64_t n) {
    Model* m = static_cast<Model*>(p);
    if (m->kind != RUNNING) return 0;
    Enter e(m);
    const uint64_t begin = m->cycle;
    guarded(m, [&] {
        Vm& t = *m->top;
        for (uint64_t i = 0; i < n; ++i, in += GLUE_IN, out += GLUE_OUT) {
            if (!step(m, t, in, out)) break;
        }
    });
    return m->cycle - begin;
}

// Applies inputs with the clock low and samples the outputs, without a clock
// edge: the first half of the next cycle. Returns 0 if the model has ended.
API uint64_t m_peek(void* p, const uint64_t* in, uint64_t* out) {
    Model* m = static_cast<Model*>(p);
    if (m->kind != RUNNING) return 0;
    Enter e(m);
    guarded(m, [&] {
        glue_clk(*m->top, false);
        glue_in(*m->top, in);
        m->top->eval();
        glue_out(*m->top, out);
    });
    return m->kind == RUNNING;
}

// The plain loop that batched runs are measured against: random inputs,
// (r & mask) | fixed in every word, and a checksum over the output words. The
// generator and the checksum continue from *state and *sum.
API uint64_t m_bench(void* p, uint64_t n, const uint64_t* mask, const uint64_t* fixed, uint64_t* state,
                     uint64_t* sum) {
    Model* m = static_cast<Model*>(p);
    if (m->kind != RUNNING) return 0;
    Enter e(m);
    const uint64_t begin = m->cycle;
    guarded(m, [&] {
        Vm& t = *m->top;
        uint64_t in[GLUE_IN + 1], out[GLUE_OUT + 1], s = *state, c = *sum;
        for (uint64_t i = 0; i < n; ++i) {
            for (int w = 0; w < GLUE_IN; ++w) in[w] = (random64(s) & mask[w]) | fixed[w];
            if (!step(m, t, in, out)) break;
            for (int w = 0; w < GLUE_OUT; ++w) c = (c ^ out[w]) * 0x100000001b3ULL;
        }
        *state = s;
        *sum = c;
    });
    return m->cycle - begin;
}

// Why the model ended: num gets kind, cycle, line and the lengths of file,
// message and log.
API void m_err(void* p, uint64_t* num) {
    const Model* m = static_cast<Model*>(p);
    num[0] = m->kind;
    num[1] = m->cycle;
    num[2] = m->line;
    num[3] = m->file.size();
    num[4] = m->message.size();
    num[5] = m->log.size();
}

// Copies the texts whose lengths m_err gave, one after the other.
API void m_text(void* p, char* to) {
    const Model* m = static_cast<Model*>(p);
    memcpy(to, m->file.data(), m->file.size());
    to += m->file.size();
    memcpy(to, m->message.data(), m->message.size());
    to += m->message.size();
    memcpy(to, m->log.data(), m->log.size());
}

// Starts a waveform file, or ends it when path is empty. Returns 0 on success,
// 1 if the file cannot be written, 2 if the model was built without tracing.
API uint64_t m_trace(void* p, const char* path) {
#if VM_TRACE
    Model* m = static_cast<Model*>(p);
    Enter e(m);
    if (m->wave) {
        m->wave->close();
        delete m->wave;
        m->wave = nullptr;
    }
    if (!*path) return 0;
    m->wave = new Wave;
    m->top->trace(m->wave, 99);
    m->wave->open(path);
    if (m->wave->isOpen()) return 0;
    delete m->wave;
    m->wave = nullptr;
    return 1;
#else
    (void)p;
    (void)path;
    return 2;
#endif
}

// Writes the simulator's own coverage counters. Returns 0 on success, 2 if the
// model was built without them.
API uint64_t m_cov(void* p, const char* path) {
#if VM_COVERAGE
    Model* m = static_cast<Model*>(p);
    Enter e(m);
    guarded(m, [&] { m->ctx.coveragep()->write(path); });
    return 0;
#else
    (void)p;
    (void)path;
    return 2;
#endif
}
