// SPDX-License-Identifier: Apache-2.0
//
// Cycles of a design whose registers act at both edges of the clock, in a library for other programs. It is compiled
// after the shim.

namespace {

// The inputs that the design was shown last, if its outputs follow them.
struct Shown {
    bool valid;
    uint64_t in[GLUE_IN + 1];
};

// One cycle; false when the model has ended in it. Only inputs that have changed need an evaluation before the edge.
inline bool edge(Model* m, Vm& t, Shown& shown, const uint64_t* in, uint64_t* out) {
    m->ctx.time(m->cycle * PERIOD);
    if (!shown.valid || memcmp(in, shown.in, GLUE_IN * sizeof in[0])) {
        memcpy(shown.in, in, GLUE_IN * sizeof in[0]);
        shown.valid = true;
        glue_in(t, in);
        t.eval();
    }
    glue_out(t, out);
    if (VL_UNLIKELY(m->kind != RUNNING)) return false;
    m->ctx.time(m->cycle * PERIOD + PERIOD / 2);
    glue_clk(t, m->cycle % 2 == 0);
    t.eval();
    if (VL_UNLIKELY(m->kind != RUNNING)) return false;
    ++m->cycle;
    return true;
}

}  // namespace
