/* SPDX-License-Identifier: Apache-2.0
 *
 * A golden model may do its cycles later, many at once. Here one instance has random events, another the same and is
 * looked at behind each, a third is recorded, which leaves nothing for later: all calls of the three must have one result.
 * The argument is the file for the recording.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nicgen_reps.h"

enum { INSTANCES = 3, EVENTS = 6000 };

static nicgen_reps *all[INSTANCES];
static unsigned state = 1;

static unsigned word(void) { return (state = state * 1664525u + 1013904223u) >> 8; }

static void need(int ok, const char *what, int event) {
    if (ok) return;
    printf("event %d: %s\n", event, what);
    exit(1);
}

/* The answers of the instances are those of the first. */
static void same(const nicgen_reps_ev_out *ev, int event) {
    int k;
    for (k = 1; k < INSTANCES; k++) need(ev[k].ev == ev[0].ev && ev[k].source == ev[0].source, "another answer", event);
}

static void compare(int event) {
    int k, o;
    for (k = 1; k < INSTANCES; k++) {
        for (o = 0; o < NICGEN_REPS_OUTPUTS; o++) {
            need(nicgen_reps_get(all[k], o) == nicgen_reps_get(all[0], o), "another output", event);
            need(nicgen_reps_count(all[k], o) == nicgen_reps_count(all[0], o), "another count", event);
        }
        need(nicgen_reps_cycles(all[k]) == nicgen_reps_cycles(all[0]), "another number of cycles", event);
        need(nicgen_reps_dropped(all[k]) == nicgen_reps_dropped(all[0]), "another number of lost answers", event);
    }
}

int main(int argc, char **argv) {
    static nicgen_reps_event e[100], copy[100], first[100];
    nicgen_reps_ev_out ev[INSTANCES];
    uint64_t now = 0;
    unsigned op, conn, value, n, j;
    int i, k, got[INSTANCES] = {0};
    if (argc != 2) return 2;
    for (k = 0; k < INSTANCES; k++) need(!nicgen_reps_new(NICGEN_REPS_ABI, NICGEN_MODEL, 5, &all[k]), "new", 0);
    need(!nicgen_reps_record(all[2], argv[1]), "record", 0);
    for (i = 0; i < EVENTS; i++) {
        op = word() % 40, conn = word() % 16, value = word();
        now += value % 50 ? value % 20 : 100000;
        n = 1 + value % (value % 9 ? 5 : 100);
        memset(e, 0, sizeof e);
        for (j = 0; j < n; j++) {
            e[j].now_ns = now;
            e[j].op = word() % 3 ? NICGEN_REPS_SEND : NICGEN_REPS_FAIL;
            if (e[j].op == NICGEN_REPS_SEND) e[j].in.send.conn = conn; else e[j].in.fail.conn = conn;
        }
        for (k = 0; k < INSTANCES; k++) {
            nicgen_reps *h = all[k];
            if (op < 12) need(!nicgen_reps_send(h, conn, now, &ev[k]), "send", i);
            else if (op < 22) need(!nicgen_reps_send(h, conn, now, NULL), "send without an answer", i);
            else if (op < 26) need(!nicgen_reps_ack(h, conn, value & 0xffff, value >> 8 & 1, now), "ack", i);
            else if (op < 28) need(!nicgen_reps_fail(h, conn, now), "fail", i);
            else if (op < 29) need(!nicgen_reps_flush(h, conn, now), "flush", i);
            else if (op < 30) need(!nicgen_reps_set(h, NICGEN_REPS_CFG_FREEZING, value & 1), "set", i);
            else if (op < 31) need(!nicgen_reps_idle(h, value % 200, now), "idle", i);
            else if (op < 32) got[k] = nicgen_reps_take_ev(h, &ev[k]);
            else {
                memcpy(copy, e, sizeof e);
                need(nicgen_reps_batch(h, copy, n) == n, "batch", i);
                if (!k) memcpy(first, copy, sizeof first);
                need(!memcmp(first, copy, sizeof first), "other answers in a batch", i);
            }
            if (k == 1) (void)nicgen_reps_cycles(h);
        }
        if (op < 12) same(ev, i);
        if (op == 31) {
            for (k = 1; k < INSTANCES; k++) need(got[k] == got[0], "an answer more or less to take", i);
            if (got[0]) same(ev, i);
        }
        if (i % 100 == 99) compare(i);
        if (i % 1000 == 500) {
            /* A snapshot has what waits, and what waited before it is loaded is gone. */
            size_t size = nicgen_reps_save(all[0], NULL, 0);
            void *bytes = malloc(size);
            nicgen_reps *h;
            need(bytes && nicgen_reps_save(all[0], bytes, size) == size, "save", i);
            need(!nicgen_reps_new(NICGEN_REPS_ABI, NICGEN_MODEL, 6, &h), "new", i);
            need(!nicgen_reps_ack(h, 3, 4, 0, now), "ack", i);
            need(!nicgen_reps_load(h, bytes, size), "load", i);
            free(bytes);
            nicgen_reps_free(all[0]);
            all[0] = h;
        }
    }
    need(nicgen_reps_dropped(all[0]) > 0, "no answer was lost", i);
    compare(i);
    need(!nicgen_reps_record(all[2], NULL), "end of the recording", i);
    printf("%lu\n", (unsigned long)nicgen_reps_cycles(all[0]));
    for (k = 0; k < INSTANCES; k++) nicgen_reps_free(all[k]);
    return 0;
}
