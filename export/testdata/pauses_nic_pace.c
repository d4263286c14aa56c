/* SPDX-License-Identifier: Apache-2.0
 *
 * Pauses of a unit that compares times with those of long ago: a connection that was idle or in the queue for the whole pause has its turn
 * at once. The program prints how many pauses it made.
 */
#include <stdio.h>

#include "nicgen_nic_pace.h"

enum { CONN = 3, BYTES = 1500, NS_A_BYTE = 8, AT_ONCE = 400 };

/* How many turns there are in some cycles. */
static int turns(nicgen_nic_pace *h, uint64_t cycles, uint64_t now) {
    nicgen_nic_pace_due_out out;
    int n = 0;
    if (nicgen_nic_pace_idle(h, cycles, now)) return -1;
    while (nicgen_nic_pace_take_due(h, &out)) n += out.conn == CONN;
    return n;
}

int main(void) {
    static const uint64_t edge[] = {0x40000000u, 0x80000000u, 0xc0000000u, 0xf8000000u, 0x100000000u, 0x180000000u, 0x200000000u, 0x10000000000u};
    static const int by[] = {-1000000, -1, 0, 1, 1000000};
    nicgen_nic_pace *h;
    uint64_t now = 1000000, pause;
    int i, j, n;
    if (nicgen_nic_pace_new(NICGEN_NIC_PACE_ABI, NICGEN_RTL, 1, &h)) return printf("%s\n", nicgen_nic_pace_message(NULL)), 1;
    if (nicgen_nic_pace_set(h, NICGEN_NIC_PACE_CFG_ALLOWANCE_NS, 0) || nicgen_nic_pace_rate(h, CONN, NS_A_BYTE << 16, now)) return 1;
    if (nicgen_nic_pace_push(h, CONN, now) || turns(h, AT_ONCE, now) != 1) return printf("no turn\n"), 1;
    for (i = 0; i < (int)(sizeof edge / sizeof *edge); i++) {
        for (j = 0; j < (int)(sizeof by / sizeof *by); j++) {
            pause = edge[i] + (uint64_t)(int64_t)by[j];
            /* It stays in the queue: its turn is due behind its bytes. */
            if (nicgen_nic_pace_done(h, CONN, BYTES, 1, now) || turns(h, AT_ONCE, now)) return printf("a turn too early\n"), 1;
            n = turns(h, AT_ONCE, now += pause);
            if (n != 1) return printf("pause %llu in the queue: %d turns\n", (unsigned long long)pause, n), 1;
            /* It is idle. */
            if (nicgen_nic_pace_done(h, CONN, BYTES, 0, now) || turns(h, AT_ONCE, now += pause)) return printf("a turn for nothing\n"), 1;
            if (nicgen_nic_pace_push(h, CONN, now)) return printf("%s\n", nicgen_nic_pace_message(h)), 1;
            n = turns(h, AT_ONCE, now);
            if (n != 1) return printf("pause %llu, idle: %d turns\n", (unsigned long long)pause, n), 1;
        }
    }
    printf("%d\n", i * j);
    nicgen_nic_pace_free(h);
    return 0;
}
