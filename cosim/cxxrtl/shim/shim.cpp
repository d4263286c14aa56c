// SPDX-License-Identifier: Apache-2.0
//
// The C interface of one CXXRTL model: the one of verilator/shim/shim.cpp, as far as
// such a model has what it asks for. It is compiled after the generated model and after
// the glue, which defines
//
//   Top                                   the module's class
//   GLUE_IN, GLUE_OUT                     words in a vector
//   glue_in(Top&, const uint64_t*)        vector to input ports
//   glue_out(Top&, uint64_t*)             output ports to vector
//   glue_clk(Top&, bool)                  the clock
//
// One cycle: clock low and new inputs, settle, sample every output, clock high, settle.

#include <cstdint>
#include <cstring>
#include <exception>
#include <string>

namespace {

struct Model {
    Top top;
    uint64_t cycle = 0;
    std::string message;  // of what ended it, if it is not empty
};

// Runs f and turns what is thrown into the model's end.
template <class F>
bool guarded(Model* m, F f) {
    if (!m->message.empty()) return false;
    try {
        f();
    } catch (const std::exception& e) {
        m->message = e.what();
    } catch (...) {
        m->message = "unknown exception";
    }
    return m->message.empty();
}

void settle(Model* m, const uint64_t* in, uint64_t* out) {
    glue_clk(m->top, false);
    glue_in(m->top, in);
    m->top.step();
    glue_out(m->top, out);
}

}  // namespace

#define API extern "C" __attribute__((visibility("default")))

// Registers and memories without an initial value start at zero, whatever the seed.
API void* m_new(uint64_t) {
    Model* m = nullptr;
    try {
        m = new Model;
    } catch (...) {
        return nullptr;
    }
    uint64_t in[GLUE_IN + 1] = {0}, out[GLUE_OUT + 1];
    guarded(m, [&] { settle(m, in, out); });
    return m;
}

API void m_free(void* p) { delete static_cast<Model*>(p); }

API uint64_t m_run(void* p, const uint64_t* in, uint64_t* out, uint64_t n) {
    Model* m = static_cast<Model*>(p);
    const uint64_t begin = m->cycle;
    guarded(m, [&] {
        for (uint64_t i = 0; i < n; ++i, in += GLUE_IN, out += GLUE_OUT) {
            settle(m, in, out);
            glue_clk(m->top, true);
            m->top.step();
            ++m->cycle;
        }
    });
    return m->cycle - begin;
}

API uint64_t m_peek(void* p, const uint64_t* in, uint64_t* out) {
    Model* m = static_cast<Model*>(p);
    return guarded(m, [&] { settle(m, in, out); });
}

// Speed is measured with Verilator's models.
API uint64_t m_bench(void*, uint64_t, const uint64_t*, const uint64_t*, uint64_t*, uint64_t*) { return 0; }

API void m_err(void* p, uint64_t* num) {
    const Model* m = static_cast<Model*>(p);
    num[0] = m->message.empty() ? 0 : 3;
    num[1] = m->cycle;
    num[2] = num[3] = num[5] = 0;
    num[4] = m->message.size();
}

API void m_text(void* p, char* to) {
    const Model* m = static_cast<Model*>(p);
    memcpy(to, m->message.data(), m->message.size());
}

// There are no waveforms and no coverage counters.
API uint64_t m_trace(void*, const char*) { return 2; }
API uint64_t m_cov(void*, const char*) { return 2; }
