/* SPDX-License-Identifier: Apache-2.0
 *
 * What the header of REPS promises, as a program that prints what it sees.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nicgen_reps.h"

static void say(int code, const nicgen_reps *h) { printf("%d %s\n", code, nicgen_reps_message(h)); }

/* What an instance answers to 2000 SENDs, as a number. */
static void *drive(void *result) {
    nicgen_reps *h;
    nicgen_reps_ev_out ev;
    unsigned i, sum = 0;
    if (nicgen_reps_new(NICGEN_REPS_ABI, NICGEN_RTL, 5, &h)) return NULL;
    for (i = 0; i < 2000; i++) {
        if (nicgen_reps_send(h, (uint16_t)(i % 16), i, &ev) || nicgen_reps_ack(h, (uint16_t)(i % 7), ev.ev, i % 3 == 0, i)) return NULL;
        sum = sum * 31 + ev.ev;
    }
    nicgen_reps_free(h);
    *(unsigned *)result = sum;
    return result;
}

int main(void) {
    nicgen_reps *h = NULL, *other = NULL;
    nicgen_reps_ev_out ev, later;
    nicgen_reps_event e[40];
    size_t i, n, size;
    int code;
    unsigned char *bytes;

    printf("bad instances\n");
    code = nicgen_reps_new(NICGEN_REPS_ABI, 3, 1, &h);
    say(code, h);
    code = nicgen_reps_new(NICGEN_REPS_ABI, NICGEN_RTL, 1, NULL);
    say(code, h);
    code = nicgen_reps_send(h, 0, 0, &ev);
    say(code, h);
    if (nicgen_reps_new(NICGEN_REPS_ABI ^ 1u, NICGEN_RTL, 1, &h) != NICGEN_E_ABI || h) return 1;
    nicgen_reps_free(NULL);

    if (nicgen_reps_new(NICGEN_REPS_ABI, NICGEN_RTL, 1, &h) || nicgen_reps_new(NICGEN_REPS_ABI, NICGEN_RTL, 2, &other)) return 1;
    printf("%d %s\n", nicgen_reps_error(h), nicgen_reps_about()->unit);

    printf("bad calls\n");
    if (nicgen_reps_send(h, 1, 100, &ev)) return 1;
    code = nicgen_reps_ack(h, 1, ev.ev, 0, 99);
    say(code, h);
    code = nicgen_reps_set(h, NICGEN_REPS_INPUTS, 0);
    say(code, h);
    code = nicgen_reps_set(h, NICGEN_REPS_CFG_FREEZING, 2);
    say(code, h);
    code = nicgen_reps_send_with(h, NULL, 100, &ev);
    say(code, h);
    code = nicgen_reps_load(h, "nothing", 8);
    say(code, h);
    code = nicgen_reps_ack(h, 16, 1, 0, 100);
    say(code, h);
    code = nicgen_reps_ack(h, 1, 1, 7, 100);
    say(code, h);
    code = nicgen_reps_send(h, 16, 100, &ev);
    say(code, h);
    code = nicgen_reps_flush(h, 65535, 100);
    say(code, h);
    code = nicgen_reps_send(h, 1, NICGEN_NEVER, &ev);
    say(code, h);

    printf("seeds\n");
    if (nicgen_reps_send(other, 1, 100, &later)) return 1;
    printf("%s\n", ev.ev == later.ev ? "equal" : "different");

    printf("an EV that was not marked comes again\n");
    if (nicgen_reps_ack(h, 1, ev.ev, 0, 200) || nicgen_reps_send(h, 1, 300, &later)) return 1;
    printf("%d %u\n", ev.ev == later.ev, later.source);

    printf("words of the caller's\n");
    {
        nicgen_reps_send_in in = { 2, 0, 1, 4711 };
        if (nicgen_reps_send_with(h, &in, 400, &ev)) return 1;
        printf("%u %u\n", ev.ev, ev.source);
    }

    printf("answers that wait\n");
    for (i = 0; i < 3; i++) {
        nicgen_reps_send_in in = { 3, 0, 1, 0 };
        in.random = (uint16_t)(10 + i);
        if (nicgen_reps_send_with(h, &in, 500, NULL)) return 1;
    }
    {
        nicgen_reps_send_in in = { 3, 0, 1, 99 };
        if (nicgen_reps_send_with(h, &in, 500, &ev)) return 1;
        printf("its own: %u\n", ev.ev);
    }
    while (nicgen_reps_take_ev(h, &ev)) printf("%u\n", ev.ev);

    printf("a batch is the same as its events one by one\n");
    size = nicgen_reps_save(h, NULL, 0);
    bytes = malloc(size);
    if (!bytes || nicgen_reps_save(h, bytes, size) != size || nicgen_reps_load(other, bytes, size)) return 1;
    memset(e, 0, sizeof e);
    for (i = 0; i < 40; i++) {
        /* A flush behind an ACK waits; in a long jump of time, cycles pass. Answers come meanwhile. */
        e[i].now_ns = 1000 + 10 * i + (i < 21 ? 0 : 30000000000u);
        e[i].op = i % 4 == 3 ? NICGEN_REPS_ACK : i % 8 == 4 ? NICGEN_REPS_FLUSH : NICGEN_REPS_SEND;
        if (e[i].op == NICGEN_REPS_ACK) e[i].in.ack.conn = (uint16_t)(i % 3), e[i].in.ack.ev = (uint16_t)i;
        if (e[i].op == NICGEN_REPS_FLUSH) e[i].in.flush.conn = 1;
        if (e[i].op == NICGEN_REPS_SEND) e[i].in.send.conn = (uint16_t)(i % 3);
    }
    n = nicgen_reps_batch(h, e, 40);
    for (i = 0; i < n; i++) {
        int bad = 0;
        if (e[i].op == NICGEN_REPS_ACK) bad = nicgen_reps_ack_with(other, &e[i].in.ack, e[i].now_ns);
        if (e[i].op == NICGEN_REPS_FLUSH) bad = nicgen_reps_flush_with(other, &e[i].in.flush, e[i].now_ns);
        if (e[i].op == NICGEN_REPS_SEND) {
            bad = nicgen_reps_send_with(other, &e[i].in.send, e[i].now_ns, &ev);
            if (!e[i].answered || ev.ev != e[i].answer.ev.ev || ev.source != e[i].answer.ev.source) bad = 1;
        } else if (e[i].answered) {
            bad = 1;
        }
        if (bad) return printf("event %d\n", (int)i), 1;
    }
    printf("%d events\n", (int)n);
    e[1].now_ns = e[0].now_ns = 40000000000u;
    e[1].op = 77;
    n = nicgen_reps_batch(h, e, 2);
    printf("%d %d %s\n", (int)n, nicgen_reps_error(h), nicgen_reps_message(h));
    e[1].op = NICGEN_REPS_ACK;
    e[1].in.ack.conn = 16;
    n = nicgen_reps_batch(h, e, 2);
    printf("%d %d %s\n", (int)n, nicgen_reps_error(h), nicgen_reps_message(h));

    printf("counters\n");
    if (nicgen_reps_settle(h)) return 1;
    printf("%d %d\n", (int)nicgen_reps_count(h, NICGEN_REPS_STS_SEND_CNT), (int)nicgen_reps_get(h, NICGEN_REPS_STS_SEND_CNT));
    printf("%d\n", (int)nicgen_reps_count(h, NICGEN_REPS_EVT_ILLEGAL));

    printf("a jump over all of the time\n");
    {
        uint64_t before = nicgen_reps_cycles(h);
        if (nicgen_reps_send(h, 1, NICGEN_NEVER - 1, &ev)) return 1;
        printf("%d\n", nicgen_reps_cycles(h) - before < 100);
    }

    printf("threads\n");
    {
        pthread_t thread[3];
        unsigned sum[4] = { 1, 2, 3, 4 };
        for (i = 0; i < 3; i++) {
            if (pthread_create(&thread[i], NULL, drive, &sum[i])) return 1;
        }
        if (!drive(&sum[3])) return 1;
        for (i = 0; i < 3; i++) {
            if (pthread_join(thread[i], NULL)) return 1;
            printf("%s\n", sum[i] == sum[3] ? "as alone" : "different");
        }
    }

    printf("other snapshots\n");
    bytes[8] ^= 1; /* the ABI */
    printf("%d\n", nicgen_reps_load(h, bytes, size));
    bytes[8] ^= 1;
    printf("%d\n", nicgen_reps_load(h, bytes, size - 1));
    /* A changed byte anywhere is seen, and h goes on as other, which nobody tries it on. */
    if (nicgen_reps_load(h, bytes, size) || nicgen_reps_load(other, bytes, size)) return 1;
    for (i = n = 0; i < size; i += i < 400 ? 1 : 97) {
        bytes[i] ^= (unsigned char)(1 << i % 8);
        n += nicgen_reps_load(h, bytes, size) != NICGEN_E_SNAPSHOT;
        bytes[i] ^= (unsigned char)(1 << i % 8);
    }
    printf("%d taken: %s\n", (int)n, nicgen_reps_message(h));
    for (i = 0; i < 50; i++) {
        if (nicgen_reps_send(h, 1, 60000000000u, &ev) || nicgen_reps_send(other, 1, 60000000000u, &later)) return 1;
        n += ev.ev != later.ev || ev.source != later.source;
    }
    printf("%d differ\n", (int)n);
    printf("%d\n", nicgen_reps_load(h, bytes, size));
    /* The last cycle of a snapshot had an ACK, that of the instance which reads it none, and the next one has none: apart
     * from its flag, their inputs are the same. */
    printf("a snapshot behind an ACK\n");
    if (nicgen_reps_load(h, bytes, size) || nicgen_reps_load(other, bytes, size)) return 1;
    free(bytes);
    if (nicgen_reps_ack(h, 1, 9, 0, 70000000000u) || nicgen_reps_ack(other, 1, 9, 0, 70000000000u)) return 1;
    if (nicgen_reps_idle(other, 1, 70000000000u)) return 1;
    size = nicgen_reps_save(h, NULL, 0);
    bytes = malloc(size);
    if (!bytes || nicgen_reps_save(h, bytes, size) != size || nicgen_reps_load(other, bytes, size)) return 1;
    if (nicgen_reps_settle(h) || nicgen_reps_settle(other)) return 1;
    printf("%d\n", nicgen_reps_count(h, NICGEN_REPS_STS_ACK_CNT) == nicgen_reps_count(other, NICGEN_REPS_STS_ACK_CNT));
    free(bytes);
    nicgen_reps_free(h);
    nicgen_reps_free(other);
    return 0;
}
