/* SPDX-License-Identifier: Apache-2.0
 *
 * What the header of REPS promises of a clock and of recordings, as a program that prints what it sees. Its
 * argument is the folder for a recording, and for a file of events and answers by a clock.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nicgen_reps.h"

enum { PERIOD = 3103, EVENTS = 600, LATENCY = NICGEN_REPS_LATENCY_SEND_TO_EV };

static void say(int code, const nicgen_reps *h) { printf("%d %s\n", code, nicgen_reps_message(h)); }

static void need(int ok, const char *what) {
    if (ok) return;
    printf("not so: %s\n", what);
    exit(1);
}

static nicgen_reps *make(void) {
    nicgen_reps *h;
    need(!nicgen_reps_new(NICGEN_REPS_ABI, NICGEN_RTL, 11, &h), "new");
    return h;
}

static FILE *notes; /* of events and answers, or null */

/* A SEND with a random word of the caller's, so that its answer does not hang on the number of cycles. */
static int post(nicgen_reps *h, unsigned conn, unsigned word, uint64_t now) {
    nicgen_reps_send_in in = { 0, 0, 1, 0 };
    in.conn = (uint16_t)conn;
    in.random = (uint16_t)word;
    if (notes) fprintf(notes, "send %lu %u %u\n", (unsigned long)now, conn, word);
    return nicgen_reps_send_with(h, &in, now, NULL);
}

/* The next answer up to a time, 0 if there is none. */
static int answer(nicgen_reps *h, uint64_t now, unsigned *ev, uint64_t *at) {
    int kind;
    nicgen_reps_ev_out out;
    if (notes) fprintf(notes, "poll %lu 0 0\n", (unsigned long)now);
    need(!nicgen_reps_poll(h, now, &kind, at), "poll");
    if (kind == NICGEN_REPS_ANSWER_NONE) return 0;
    need(kind == NICGEN_REPS_ANSWER_EV && nicgen_reps_take_ev(h, &out), "the answer that poll names is there");
    *ev = out.ev;
    if (notes) fprintf(notes, "answer %lu %u 0\n", (unsigned long)*at, *ev);
    return 1;
}

static uint64_t first_cycle(uint64_t ns) { return (ns * 1000 + PERIOD - 1) / PERIOD; }

/* Draws an event of the run below. */
static unsigned word(unsigned *state) { return (*state = *state * 1664525u + 1013904223u) >> 8; }

struct trail {
    unsigned n, ev[EVENTS + 6];
    uint64_t at[EVENTS + 6];
};

/* Events at random times, some of them at once, some far apart. If other is given, it goes on in the place of h from
 * the middle, where some SENDs wait. */
static void drive(nicgen_reps *h, nicgen_reps *other, struct trail *trail) {
    unsigned state = 5, i, k, ev, sends = 0, flushes = 0;
    uint64_t now = 100, at, next = 0, entry[EVENTS + 6];
    memset(trail, 0, sizeof *trail);
    for (i = 0; i < EVENTS; i++) {
        unsigned op = word(&state) % 8, conn = word(&state) % 16, x = word(&state) & 0xffff;
        now += word(&state) % 4 ? word(&state) % 8 : word(&state) % 2000;
        while (answer(h, now, &ev, &at)) trail->ev[trail->n] = ev, trail->at[trail->n++] = at;
        if (i == EVENTS / 2) {
            now++;
            next = next > first_cycle(now) ? next : first_cycle(now);
            for (k = 0; k < 6; k++) {
                need(!post(h, k, k, now), "send");
                entry[sends++] = next++;
            }
            now += 10;
            need(!nicgen_reps_until(h, now), "time"); /* nothing to the notes: the next event does the same */
        }
        if (i == EVENTS / 2 && other) {
            size_t size = nicgen_reps_save(h, NULL, 0);
            void *bytes = malloc(size);
            need(bytes && nicgen_reps_save(h, bytes, size) == size, "save");
            need(nicgen_reps_load(other, bytes, size - 1) == NICGEN_E_SNAPSHOT, "a snapshot that is cut");
            need(!nicgen_reps_load(other, bytes, size), "load");
            free(bytes);
            h = other;
        }
        now++; /* the cycles up to now are over */
        if (op < 5) {
            need(!post(h, conn, x, now), "send");
            next = next > first_cycle(now) ? next : first_cycle(now);
            entry[sends++] = next++;
        } else if (op < 7) {
            if (notes) fprintf(notes, "ack %lu %u %u\n", (unsigned long)now, conn, x);
            need(!nicgen_reps_ack(h, (uint16_t)conn, (uint16_t)x, x & 1, now), "ack");
        } else {
            flushes += x & 1;
            if (notes) fprintf(notes, x & 1 ? "flush %lu %u 0\nack %lu %u %u\n" : "fail %lu %u 0\n", (unsigned long)now, conn, (unsigned long)now, conn, x & ~1u);
            need(!(x & 1 ? nicgen_reps_flush(h, (uint16_t)conn, now) : nicgen_reps_fail(h, (uint16_t)conn, now)), "flush or fail");
            /* A flush waits behind an ACK, which nothing else does. */
            need(!(x & 1) || !nicgen_reps_ack(h, (uint16_t)conn, (uint16_t)(x & ~1u), 0, now), "ack");
        }
    }
    need(nicgen_reps_next(h) < now + 100, "something is under way");
    while (answer(h, now + 5000, &ev, &at)) trail->ev[trail->n] = ev, trail->at[trail->n++] = at;
    /* A SEND enters in the first cycle at its time or after it in which there is no other SEND. */
    need(trail->n == sends, "each SEND is answered");
    need(nicgen_reps_count(h, NICGEN_REPS_STS_FLUSH_CNT) == flushes, "each flush is taken");
    for (i = 0; i < sends; i++) need(trail->at[i] == (entry[i] + LATENCY) * PERIOD, "the time of an answer");
}

int main(int argc, char **argv) {
    nicgen_reps *h = make(), *g;
    nicgen_reps_ev_out out;
    nicgen_reps_event e[3];
    static struct trail a, b, c;
    unsigned ev, other;
    uint64_t at, then, cycles;
    size_t size;
    void *bytes;
    char path[1000];
    int kind, code;

    need(argc == 2, "a folder");
    sprintf(path, "%.900s/run.replay", argv[1]);
    need(!nicgen_reps_record(h, path), "record");

    printf("a SEND enters in the first cycle at its time or after it\n");
    need(nicgen_reps_next(h) == UINT64_MAX, "without a clock nothing is due");
    need(!nicgen_reps_clock(h, PERIOD, 0, 0), "clock");
    need(!post(h, 2, 4711, 1001), "send");
    then = (first_cycle(1001) + LATENCY) * PERIOD;
    need(!answer(h, then / 1000, &ev, &at), "no answer before its cycle");
    need(nicgen_reps_next(h) == (then + 999) / 1000, "its cycle is the next one");
    need(answer(h, then / 1000 + 1, &ev, &at), "an answer");
    printf("%u, %d\n", ev, at == then);

    printf("ports do not wait for each other\n");
    need(!post(h, 3, 12, 2000) && !post(h, 3, 13, 2000), "sends");
    need(!nicgen_reps_ack(h, 4, 99, 0, 2000) && !nicgen_reps_fail(h, 5, 2000), "ack and fail");
    need(!nicgen_reps_idle(h, 0, 3000) && !nicgen_reps_until(h, 3000), "time");
    for (then = (first_cycle(2000) + LATENCY) * PERIOD; answer(h, 3000, &ev, &at); then += PERIOD) printf("%u, %d\n", ev, at == then);
    /* Whoever gives an event behind the cycle of its time has it one cycle later. */
    need(!nicgen_reps_poll(h, 3103, &kind, &at) && !post(h, 3, 14, 3103) && answer(h, 4000, &ev, &at), "send after poll");
    printf("%u, %d\n", ev, at == (first_cycle(3103) + 1 + LATENCY) * PERIOD);

    printf("a batch\n");
    memset(e, 0, sizeof e);
    for (code = 0; code < 3; code++) e[code].now_ns = 5000, e[code].op = NICGEN_REPS_SEND, e[code].in.send.inject = 1, e[code].in.send.random = 20, e[code].answered = 1;
    e[2].op = 9;
    size = nicgen_reps_batch(h, e, 3);
    printf("%d %d %s\n", (int)size, e[0].answered, nicgen_reps_message(h));
    need(answer(h, 6000, &ev, &at) && answer(h, 6000, &other, &then), "answers");
    printf("%u %u, %d\n", ev, other, then == at + PERIOD);

    printf("bad calls\n");
    code = nicgen_reps_send(h, 1, 6000, &out);
    say(code, h);
    code = post(h, 1, 1, 5999);
    say(code, h);
    code = nicgen_reps_poll(h, 5999, &kind, &at);
    say(code, h);
    code = nicgen_reps_until(h, UINT64_MAX);
    say(code, h);
    code = nicgen_reps_poll(h, 6000, NULL, &at);
    say(code, h);

    printf("without a clock again: what waits enters first\n");
    need(!post(h, 1, 31, 7000) && !post(h, 1, 32, 7000), "sends");
    need(!nicgen_reps_clock(h, 0, 0, 7000), "clock");
    code = nicgen_reps_poll(h, 7000, &kind, &at);
    say(code, h);
    code = nicgen_reps_until(h, 7000);
    say(code, h);
    {
        nicgen_reps_send_in in = { 1, 0, 1, 33 };
        need(!nicgen_reps_send_with(h, &in, 8000, &out), "send");
    }
    printf("%u", out.ev);
    while (nicgen_reps_take_ev(h, &out)) printf(" %u", out.ev);
    printf("\n");

    printf("cycles that are left out change nothing\n");
    g = make();
    need(!nicgen_reps_clock(g, PERIOD, 0, 0), "clock");
    sprintf(path, "%.900s/events.txt", argv[1]);
    notes = fopen(path, "w");
    need(notes != NULL, "a file for events");
    drive(g, NULL, &a);
    need(!fclose(notes), "a file for events");
    notes = NULL;
    sprintf(path, "%.900s/run.replay", argv[1]);
    cycles = nicgen_reps_cycles(g);
    nicgen_reps_free(g);
    g = make();
    need(!nicgen_reps_clock(g, PERIOD, NICGEN_REPS_CALM, 0), "clock");
    drive(g, NULL, &b);
    need(nicgen_reps_next(g) == UINT64_MAX, "nothing is under way");
    printf("%d %d\n", !memcmp(&a, &b, sizeof a), nicgen_reps_cycles(g) < cycles / 2);
    cycles = nicgen_reps_cycles(g);
    need(!post(g, 1, 3, 100000000000000u) && answer(g, 100000000000050u, &ev, &at), "much later");
    printf("%d\n", nicgen_reps_cycles(g) - cycles < 20000);
    /* More than wait to be taken: poll stops at each. */
    for (ev = 0; ev < 300; ev++) need(!post(g, 1, 3, 100000000000100u), "send");
    for (code = 0; answer(g, 100000000009000u, &ev, &at); code++) {}
    printf("%d %d\n", code, (int)nicgen_reps_dropped(g));
    nicgen_reps_free(g);

    printf("a snapshot has what waits\n");
    g = make();
    need(!nicgen_reps_clock(g, PERIOD, NICGEN_REPS_CALM, 0), "clock");
    {
        nicgen_reps *later = make();
        drive(g, later, &c);
        nicgen_reps_free(later);
    }
    printf("%d\n", !memcmp(&a, &c, sizeof a));
    nicgen_reps_free(g);

    printf("recordings\n");
    code = nicgen_reps_record(h, path);
    say(code, h);
    size = nicgen_reps_save(h, NULL, 0);
    bytes = malloc(size);
    need(bytes && nicgen_reps_save(h, bytes, size) == size, "save");
    code = nicgen_reps_load(h, bytes, size);
    say(code, h);
    need(!nicgen_reps_clock(h, PERIOD, NICGEN_REPS_CALM, 9000), "clock");
    need(!nicgen_reps_flush(h, 3, 9500) && !post(h, 3, 40, 9500) && !nicgen_reps_ack(h, 3, 40, 0, 20000), "events");
    need(!nicgen_reps_settle(h), "settle");
    cycles = nicgen_reps_cycles(h);
    need(!nicgen_reps_record(h, NULL), "the end of a recording");
    code = nicgen_reps_record(h, NULL);
    say(code, h);
    code = nicgen_reps_record(h, path);
    say(code, h);
    need(!nicgen_reps_load(h, bytes, size), "load");
    code = nicgen_reps_record(h, path);
    say(code, h);
    free(bytes);
    nicgen_reps_free(h);
    h = make();
    bytes = malloc(size);
    need(bytes && nicgen_reps_save(h, bytes, size) && !nicgen_reps_load(h, bytes, nicgen_reps_save(h, NULL, 0)), "a snapshot of a new one");
    free(bytes);
    code = nicgen_reps_record(h, path);
    say(code, h);
    nicgen_reps_free(h);
    h = make();
    code = nicgen_reps_record(h, "/dev/null/x");
    say(code, h);
    need(!nicgen_reps_record(h, "/dev/full"), "record");
    for (ev = 0; ev < 3000; ev++) need(!nicgen_reps_send(h, 1, ev, &out), "the disk is full, the unit works");
    code = nicgen_reps_record(h, NULL);
    say(code, h);
    printf("nothing to explain with\n");
    size = nicgen_reps_explain(h, e, path, sizeof path);
    say((int)size, h);
    nicgen_reps_free(h);
    printf("\n%d cycles\n", (int)cycles);
    return 0;
}
