// SPDX-License-Identifier: Apache-2.0
//
// REPS by a clock of 322.265625 MHz: three packets at once, and when each has its EV.
#include <cstdint>
#include <cstdio>

#include "nicgen_reps.h"

int main() {
    nicgen_reps *nic;
    if (nicgen_reps_new(NICGEN_REPS_ABI, NICGEN_RTL, 7, &nic)) return std::puts(nicgen_reps_message(nullptr)), 1;
    nicgen_reps_clock(nic, 3103, NICGEN_REPS_CALM, 0);
    for (int i = 0; i < 3; i++) nicgen_reps_send(nic, 3, 1000, nullptr);  // packets of connection 3 at 1000 ns
    for (std::uint64_t now; (now = nicgen_reps_next(nic)) != NICGEN_NEVER;) {
        int answer;
        std::uint64_t at_ps;
        nicgen_reps_ev_out ev;
        nicgen_reps_poll(nic, now, &answer, &at_ps);
        if (answer == NICGEN_REPS_ANSWER_EV && nicgen_reps_take_ev(nic, &ev)) std::printf("%.3f ns: EV %u\n", at_ps / 1000.0, ev.ev);
    }
    nicgen_reps_free(nic);
}
