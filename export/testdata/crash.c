/* SPDX-License-Identifier: Apache-2.0
 *
 * A program that records and then crashes, without an end of the recording. Its argument is the file.
 */
#include <signal.h>
#include <stdio.h>

#include "nicgen_reps.h"

int main(int argc, char **argv) {
    nicgen_reps *h;
    nicgen_reps_ev_out ev;
    unsigned i;
    if (argc != 2 || nicgen_reps_new(NICGEN_REPS_ABI, NICGEN_RTL, 3, &h) || nicgen_reps_record(h, argv[1])) return 1;
    for (i = 0; i < 100; i++) {
        if (nicgen_reps_send(h, (uint16_t)(i % 16), 10 * i, &ev)) return 1;
    }
    /* The last call is an ACK: with its cycle the recording ends. */
    if (nicgen_reps_ack(h, 7, ev.ev, 1, 1000)) return 1;
    printf("%lu\n", (unsigned long)nicgen_reps_cycles(h));
    fflush(stdout);
    raise(SIGKILL);
    return 0;
}
