// SPDX-License-Identifier: Apache-2.0
//
// CPU time for events of REPS, by so many of each over 200 connections if there are as many, in one thread. The arguments are their number,
// 200,000 if it is left out, and a folder, in which a recording is made and removed.
//
//   c++ -O2 cost.cpp $(pkg-config --cflags --libs nicgen_reps) -o cost && ./cost
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <time.h>
#include <vector>

#include "nicgen_reps.h"

namespace {

constexpr unsigned CONNECTIONS = NICGEN_REPS_PARAM_CONNECTIONS < 200 ? NICGEN_REPS_PARAM_CONNECTIONS : 200;

double seconds() {
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

class Nic {
public:
    explicit Nic(int engine) {
        if (nicgen_reps_new(NICGEN_REPS_ABI, engine, 1, &h)) throw std::runtime_error(nicgen_reps_message(nullptr));
    }
    ~Nic() { nicgen_reps_free(h); }
    Nic(const Nic &) = delete;
    Nic &operator=(const Nic &) = delete;
    void check(bool good) const {
        if (!good) throw std::runtime_error(nicgen_reps_message(h));
    }

    nicgen_reps *h = nullptr;
};

// µs for each of n calls of f.
template <class F>
double each(unsigned n, F f) {
    const double from = seconds();
    for (unsigned i = 0; i < n; i++) f(i);
    return (seconds() - from) * 1e6 / n;
}

// SENDs in batches of 64.
double batches(const Nic &nic, unsigned n, std::uint64_t now) {
    std::vector<nicgen_reps_event> e(64);
    return each(n / 64, [&](unsigned i) {
        for (unsigned k = 0; k < 64; k++) {
            e[k] = nicgen_reps_event();
            e[k].now_ns = now + 10 * i;
            e[k].op = NICGEN_REPS_SEND;
            e[k].in.send.conn = (64 * i + k) % CONNECTIONS;
        }
        nic.check(nicgen_reps_batch(nic.h, e.data(), e.size()) == e.size());
    }) / 64;
}

// SENDs some time apart by a clock of 3103 ps.
double clocked(int engine, unsigned n, unsigned apart, unsigned calm) {
    const Nic nic(engine);
    nic.check(!nicgen_reps_clock(nic.h, 3103, calm, 0));
    return each(n, [&](unsigned i) {
        int kind;
        std::uint64_t at;
        nicgen_reps_ev_out ev;
        nic.check(!nicgen_reps_send(nic.h, i % CONNECTIONS, std::uint64_t(i) * apart, nullptr));
        nic.check(!nicgen_reps_poll(nic.h, std::uint64_t(i) * apart, &kind, &at));
        if (kind == NICGEN_REPS_ANSWER_EV) nicgen_reps_take_ev(nic.h, &ev);
    });
}

}  // namespace

int main(int argc, char **argv) try {
    const unsigned n = argc > 1 ? std::atoi(argv[1]) : 200000;
    const std::string file = std::string(argc > 2 ? argv[2] : ".") + "/cost.replay";
    std::puts("engine: SEND with its answer, ACK, SEND in a batch; a SEND every 4 ns, every 100 ns, the same without calm cycles: µs");
    const char *const names[] = {"RTL", "model", "both"};
    double packet[3] = {0};  // a SEND and an ACK
    for (int engine = NICGEN_RTL; engine <= NICGEN_BOTH; engine++) {
        nicgen_reps *try_it;
        if (nicgen_reps_new(NICGEN_REPS_ABI, engine, 1, &try_it) == NICGEN_E_GOLDEN) break;  // an export without it
        nicgen_reps_free(try_it);
        const Nic nic(engine);
        std::vector<nicgen_reps_ev_out> ev(n);
        const double send = each(n, [&](unsigned i) { nic.check(!nicgen_reps_send(nic.h, i % CONNECTIONS, 10 * i, &ev[i])); });
        const double ack = each(n, [&](unsigned i) { nic.check(!nicgen_reps_ack(nic.h, i % CONNECTIONS, ev[i].ev, 0, 10 * (n + i))); });
        packet[engine] = send + ack;
        std::printf("%s: %.2f, %.2f, %.2f; ", names[engine], send, ack, batches(nic, n, 20 * n));
        std::printf("%.2f, %.2f, %.2f\n", clocked(engine, n, 4, 0), clocked(engine, n, 100, 0), clocked(engine, n, 100, NICGEN_REPS_CALM));
    }
    if (packet[NICGEN_MODEL]) std::printf("a SEND and an ACK of the model take %.2f of the RTL's time\n", packet[NICGEN_MODEL] / packet[NICGEN_RTL]);
    const Nic nic(NICGEN_RTL);
    nic.check(!nicgen_reps_record(nic.h, file.c_str()));
    const std::uint64_t before = nicgen_reps_cycles(nic.h);
    const double recorded = batches(nic, n, 0);
    nic.check(!nicgen_reps_record(nic.h, nullptr));
    std::FILE *const f = std::fopen(file.c_str(), "r");
    if (!f || std::fseek(f, 0, SEEK_END)) throw std::runtime_error(file);
    std::printf("recorded: SEND in a batch %.2f µs, %.0f bytes a cycle\n", recorded,
        double(std::ftell(f)) / (nicgen_reps_cycles(nic.h) - before));
    std::fclose(f);
    std::remove(file.c_str());
} catch (const std::exception &e) {
    std::fprintf(stderr, "cost: %s\n", e.what());
    return 1;
}
