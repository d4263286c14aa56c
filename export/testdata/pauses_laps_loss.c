/* SPDX-License-Identifier: Apache-2.0
 *
 * Pauses of a unit whose timers are read in turn: a segment that is on its way is lost once whatever the pause, and one that
 * is sent behind a pause has all its time. The program prints how many pauses it made.
 */
#include <stdio.h>

#include "nicgen_laps_loss.h"

enum { TIMEOUT = 100000, ROUND = 600 };

/* How many segments are lost up to a time, and the number of the last one. */
static int lost(nicgen_laps_loss *h, uint64_t now, uint32_t *seq) {
    nicgen_laps_loss_lost_out out;
    int n = 0;
    if (nicgen_laps_loss_idle(h, ROUND, now)) return -1;
    while (nicgen_laps_loss_take_lost(h, &out)) *seq = out.seq, n += out.timeout == 1;
    return n;
}

static int send(nicgen_laps_loss *h, uint32_t seq, uint64_t now) {
    nicgen_laps_loss_send_out out;
    return nicgen_laps_loss_send(h, seq % 16, 1, seq, 1000, now, &out) || !out.stored;
}

int main(void) {
    static const uint64_t edge[] = {0x40000000u, 0x80000000u, 0x100000000u, 0x180000000u, 0x200000000u, 0x280000000u, 0x10000000000u};
    static const int by[] = {-1000000, -1, 0, 1, 1000000};
    nicgen_laps_loss *h;
    uint64_t now = 1000, pause;
    uint32_t seq = 0, found = 0;
    int i, j, n;
    if (nicgen_laps_loss_new(NICGEN_LAPS_LOSS_ABI, NICGEN_RTL, 1, &h)) return printf("%s\n", nicgen_laps_loss_message(NULL)), 1;
    if (nicgen_laps_loss_set(h, NICGEN_LAPS_LOSS_CFG_RTO_MIN_NS, TIMEOUT)) return 1;
    for (i = 0; i < (int)(sizeof edge / sizeof *edge); i++) {
        for (j = 0; j < (int)(sizeof by / sizeof *by); j++) {
            pause = edge[i] + (uint64_t)(int64_t)by[j];
            if (send(h, ++seq, now)) return printf("not stored\n"), 1;
            if (lost(h, now += TIMEOUT, &found)) return printf("pause %llu: lost at its timeout\n", (unsigned long long)pause), 1;
            n = lost(h, now += pause, &found);
            if (n != 1 || found != seq) return printf("pause %llu with a segment: %d lost, the last %u\n", (unsigned long long)pause, n, found), 1;
            n = lost(h, now += pause, &found);
            if (n) return printf("pause %llu without a segment: %d lost\n", (unsigned long long)pause, n), 1;
            if (send(h, ++seq, now)) return printf("not stored\n"), 1;
            if (lost(h, now += TIMEOUT, &found)) return printf("behind a pause of %llu: lost at its timeout\n", (unsigned long long)pause), 1;
            n = lost(h, ++now, &found);
            if (n != 1 || found != seq) return printf("behind a pause of %llu: %d lost, the last %u\n", (unsigned long long)pause, n, found), 1;
        }
    }
    printf("%d\n", i * j);
    nicgen_laps_loss_free(h);
    return 0;
}
