// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include "nicgen_reps.h"

int main() {
    nicgen_reps *nic;
    nicgen_reps_ev_out ev;
    if (nicgen_reps_new(NICGEN_REPS_ABI, NICGEN_RTL, 7, &nic)) return std::puts(nicgen_reps_message(nullptr)), 1;
    for (int i = 0; i < 4; i++) {
        nicgen_reps_send(nic, 3, 1000 * i, &ev);            // a packet of connection 3
        std::printf("%u from %u\n", ev.ev, ev.source);
        nicgen_reps_ack(nic, 3, ev.ev, 0, 1000 * i + 500);  // its ACK was not marked
    }
    nicgen_reps_free(nic);
}
