// SPDX-License-Identifier: Apache-2.0
//
// All that a simulator needs on its side to have nicgen's REPS hardware in its senders: a class
// that is made once a host, and three calls, one where a packet leaves, one where an ACK arrives
// and one where the timer of a packet runs out.
#ifndef REPS_NIC_HPP
#define REPS_NIC_HPP

#include <cstdint>
#include <stdexcept>

#include "nicgen_reps.h"

class RepsNic {
public:
    // Each host has a seed of its own: with one for all they would choose the same paths. The
    // settings are the sender's window in packets, and how long a failure is remembered.
    RepsNic(std::uint64_t seed, unsigned window, std::uint64_t freezing_ns, int engine = NICGEN_RTL) {
        if (nicgen_reps_new(NICGEN_REPS_ABI, engine, seed, &nic)) throw std::runtime_error(nicgen_reps_message(nullptr));
        set(NICGEN_REPS_CFG_NUM_PKTS_CWND, window);
        set(NICGEN_REPS_CFG_FREEZING_TIMEOUT_NS, freezing_ns);
    }
    ~RepsNic() { nicgen_reps_free(nic); }
    RepsNic(const RepsNic &) = delete;
    RepsNic &operator=(const RepsNic &) = delete;

    // Another setting of the header, for the events from now on.
    void set(int setting, std::uint64_t value) { check(nicgen_reps_set(nic, setting, value)); }
    // A packet leaves: the EV goes into the field by which switches choose paths. Its source is that of the header; if
    // drawn(source), the EV is a random word, and the caller may take one of its own generator's in its place.
    nicgen_reps_ev_out leaves(std::uint16_t conn, std::uint64_t now_ns) {
        nicgen_reps_ev_out ev;
        check(nicgen_reps_send(nic, conn, now_ns, &ev));
        return ev;
    }
    static bool drawn(unsigned source) { return source == 2 || source == 3; }
    // An ACK arrives, with the EV of the packet and whether that was marked.
    void acknowledged(std::uint16_t conn, std::uint16_t ev, bool marked, std::uint64_t now_ns) {
        check(nicgen_reps_ack(nic, conn, ev, marked, now_ns));
    }
    // A packet got lost.
    void lost(std::uint16_t conn, std::uint64_t now_ns) { check(nicgen_reps_fail(nic, conn, now_ns)); }

private:
    void check(int code) {
        if (code) throw std::runtime_error(nicgen_reps_message(nic));
    }
    nicgen_reps *nic = nullptr;
};

#endif
