/* SPDX-License-Identifier: Apache-2.0
 *
 * What the golden model of REPS holds of a connection, as a program that prints it.
 */
#include <stdio.h>
#include <string.h>

#include "nicgen_reps.h"

int main(void) {
    nicgen_reps *h;
    nicgen_reps_event e;
    nicgen_reps_ev_out ev;
    char text[2000], part[8];
    unsigned i;
    size_t size;
    uint64_t cycles;
    if (nicgen_reps_new(NICGEN_REPS_ABI, NICGEN_BOTH, 1, &h)) return printf("%s\n", nicgen_reps_message(NULL)), 1;
    for (i = 0; i < 3; i++) {
        if (nicgen_reps_ack(h, 3, (uint16_t)(10 + i), i == 1, 100 * i)) return 1;
    }
    if (nicgen_reps_fail(h, 3, 300) || nicgen_reps_send(h, 3, 400, &ev)) return 1;
    memset(&e, 0, sizeof e);
    e.op = NICGEN_REPS_ACK;
    e.in.ack.conn = 3;
    cycles = nicgen_reps_cycles(h);
    size = nicgen_reps_explain(h, &e, text, sizeof text);
    if (!size || size != strlen(text) + 1 || nicgen_reps_explain(h, &e, NULL, 0) != size) return printf("%s\n", nicgen_reps_message(h)), 1;
    if (nicgen_reps_explain(h, &e, part, sizeof part) != size || strlen(part) != sizeof part - 1 || strncmp(part, text, sizeof part - 1)) return 1;
    printf("%u\n%s\n", ev.ev, text);
    if (nicgen_reps_cycles(h) != cycles) return 1;
    e.op = NICGEN_REPS_OPS;
    if (nicgen_reps_explain(h, &e, text, sizeof text) || nicgen_reps_error(h) != NICGEN_E_ARGUMENT) return 1;
    if (nicgen_reps_explain(h, NULL, text, sizeof text) || nicgen_reps_error(h) != NICGEN_E_ARGUMENT) return 1;
    nicgen_reps_free(h);
    return 0;
}
