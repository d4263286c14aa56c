// SPDX-License-Identifier: Apache-2.0
//
// nicgen's PowerTCP hardware in a host: θ-PowerTCP, which needs no more than round-trip times,
// for stock switches write no telemetry into packets.
#ifndef POWER_NIC_HPP
#define POWER_NIC_HPP

#include <cmath>
#include <cstdint>
#include <stdexcept>

#include "nicgen_powertcp.h"

class PowerNic {
public:
    // What a sender may have in flight, and how fast it may send.
    struct Grant {
        double window, rate;  // bytes; bytes per ns
    };

    // The settings are the largest round-trip time of the empty network, the rate of the host's
    // link in bytes per ns, the additive increase in bytes, and the size of a packet. Windows begin at
    // the product of the first two.
    PowerNic(std::uint64_t seed, std::uint64_t tau_ns, double rate, double beta, unsigned packet, int engine) {
        if (nicgen_powertcp_new(NICGEN_POWERTCP_ABI, engine, seed, &nic)) throw std::runtime_error(nicgen_powertcp_message(nullptr));
        set(NICGEN_POWERTCP_CFG_TAU_NS, tau_ns);
        set(NICGEN_POWERTCP_CFG_BETA, std::llround(beta * 4));  // bytes have two fraction bits
        set(NICGEN_POWERTCP_CFG_MIN_WINDOW, packet * 4);
        set(NICGEN_POWERTCP_CFG_MAX_WINDOW, std::llround(rate * tau_ns * 4));
        first = {rate * tau_ns, rate};
    }
    ~PowerNic() { nicgen_powertcp_free(nic); }
    PowerNic(const PowerNic &) = delete;
    PowerNic &operator=(const PowerNic &) = delete;

    // A connection before its first ACK.
    Grant open() const { return first; }

    // An ACK arrives, after a round-trip time, of the packet before number seq; next is the number of the
    // next packet.
    Grant acknowledged(std::uint16_t conn, std::uint32_t seq, std::uint32_t next, std::uint64_t rtt_ns, std::uint64_t now_ns) {
        const std::uint64_t most = (1u << NICGEN_POWERTCP_PARAM_RTT_BITS) - 1;
        nicgen_powertcp_win_out win;
        // The paths of a connection count as one: its packets take several.
        check(nicgen_powertcp_ack(nic, conn, seq, next, 0, 1, rtt_ns < most ? rtt_ns : most, now_ns, &win));
        return {win.bytes / 4.0, win.rate / 65536.0};
    }

private:
    void set(int setting, std::uint64_t value) { check(nicgen_powertcp_set(nic, setting, value)); }
    void check(int code) {
        if (code) throw std::runtime_error(nicgen_powertcp_message(nic));
    }
    nicgen_powertcp *nic = nullptr;
    Grant first;
};

#endif
