/* SPDX-License-Identifier: Apache-2.0
 *
 * Two configurations of REPS in one program: the one that is called after the unit has 16 connections, the other
 * has 4.
 */
#include <stdio.h>

#include "nicgen_reps.h"
#include "nicgen_small.h"

int main(void) {
    nicgen_reps *a;
    nicgen_small *b;
    nicgen_reps_ev_out x;
    nicgen_small_ev_out y;
    int code;
    if (nicgen_reps_new(NICGEN_REPS_ABI, NICGEN_RTL, 1, &a) || nicgen_small_new(NICGEN_SMALL_ABI, NICGEN_RTL, 1, &b)) return 1;
    if (nicgen_reps_send(a, 15, 10, &x) || nicgen_small_send(b, 3, 10, &y)) return 1;
    if (nicgen_reps_ack(a, 15, x.ev, 0, 20) || nicgen_small_ack(b, 3, y.ev, 0, 20)) return 1;
    printf("%d %d\n", NICGEN_REPS_PARAM_CONNECTIONS, NICGEN_SMALL_PARAM_CONNECTIONS);
    code = nicgen_small_send(b, 4, 30, &y);
    printf("%d %s\n", code, nicgen_small_message(b));
    printf("%s %s\n", nicgen_reps_about()->unit, nicgen_small_about()->unit);
    nicgen_reps_free(a);
    nicgen_small_free(b);
    return 0;
}
