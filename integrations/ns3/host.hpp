// SPDX-License-Identifier: Apache-2.0
//
// A host on a node of ns-3: it sends messages as UDP packets, whose source ports REPS chooses and
// whose window and rate PowerTCP, and answers each packet that it gets with an ACK.
#ifndef HOST_HPP
#define HOST_HPP

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "ns3/inet-socket-address.h"
#include "ns3/node.h"
#include "ns3/packet.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/udp-l4-protocol.h"
#include "ns3/udp-socket-factory.h"

#include "power_nic.hpp"
#include "reps_nic.hpp"

struct Settings {
    int engine = NICGEN_RTL;
    int mode = 0;                // of REPS: 0 REPS, 1 a random path for each packet, 2 one path
    bool power = true;           // else the window stays as it begins
    std::uint64_t tau_ns = 0;    // largest round-trip time of the empty network
    double rate = 0;             // of the host's link, bytes per ns
    double beta = 0;             // additive increase of PowerTCP, bytes
    std::uint64_t rto_ns = 0;    // after which a packet counts as lost
    std::uint64_t freeze_ns = 0; // how long REPS remembers a failure
};

// Source ports are the dynamic ones, 49152 to 65535: the EV's 14 bits, and above them a base that the
// unit adds.
static_assert(NICGEN_REPS_PARAM_EVS_BITS == 14, "export reps with --evs-bits 14");
constexpr std::uint16_t EV_BASE = 49152;

constexpr unsigned PAYLOAD = 1000, OVERHEAD = 20 + 8 + 2;  // IP, UDP, point-to-point
constexpr unsigned PACKET = PAYLOAD + OVERHEAD, ACK = 9;   // bytes of a packet on the wire, of an ACK's payload

class Host {
public:
    // A message, and what became of it.
    struct Flow {
        ns3::Ipv4Address to;
        std::uint32_t packets = 0, left = 0;
        std::uint64_t begin = 0, end = 0;                 // ns
        std::uint64_t sent = 0, marked = 0, timeouts = 0;  // packets
        double window = 0, rate = 0, flying = 0;           // bytes, bytes per ns, bytes
        std::uint64_t next = 0;                            // ns, when the rate allows the next packet
        ns3::EventId pump;
        std::deque<std::uint32_t> waiting;                 // packets to send
        std::vector<bool> done;                            // packets that were acknowledged
        struct Sent {
            std::uint32_t packet;
            std::uint64_t at;
            ns3::EventId timer;
        };
        std::vector<Sent> log;                             // by number of transmission
    };
    std::deque<Flow> flows;  // the connections of the NIC

    Host(ns3::Ptr<ns3::Node> node, ns3::Ipv4Address self, std::uint64_t seed, const Settings &s)
        : self(self), set(s), udp(node->GetObject<ns3::UdpL4Protocol>()),
          reps(seed, s.tau_ns * s.rate / PACKET + 0.5, s.freeze_ns, s.engine), power(seed, s.tau_ns, s.rate, s.beta, PACKET, s.engine) {
        reps.set(NICGEN_REPS_CFG_MODE, s.mode);
        reps.set(NICGEN_REPS_CFG_EV_BASE, EV_BASE);
        listen(node, DATA)->SetRecvCallback(ns3::MakeCallback(&Host::data, this));
        listen(node, ACKS)->SetRecvCallback(ns3::MakeCallback(&Host::ack, this));
    }

    // Sends a message of so many packets, from a time on.
    void send(ns3::Ipv4Address to, std::uint32_t packets, std::uint64_t at) {
        const std::uint16_t conn = flows.size();
        Flow f;
        f.to = to, f.packets = f.left = packets, f.begin = at;
        f.window = power.open().window, f.rate = power.open().rate;
        f.done.resize(packets);
        for (std::uint32_t i = 0; i < packets; i++) f.waiting.push_back(i);
        flows.push_back(f);
        ns3::Simulator::Schedule(ns3::NanoSeconds(at), &Host::pump, this, conn);
    }

private:
    enum { DATA = 9, ACKS = 10 };  // ports

    ns3::Ptr<ns3::Socket> listen(ns3::Ptr<ns3::Node> node, std::uint16_t port) {
        auto s = ns3::Socket::CreateSocket(node, ns3::UdpSocketFactory::GetTypeId());
        s->Bind(ns3::InetSocketAddress(self, port));
        s->SetIpRecvTos(true);
        sockets.push_back(s);
        return s;
    }

    static std::uint64_t now() { return ns3::Simulator::Now().GetNanoSeconds(); }

    // Hands a packet to UDP, as one that switches may mark.
    void hand(const std::uint8_t *head, unsigned size, unsigned payload, ns3::Ipv4Address to, std::uint16_t from, std::uint16_t port) {
        auto p = ns3::Create<ns3::Packet>(head, size);
        p->AddPaddingAtEnd(payload - size);
        ns3::SocketIpTosTag tos;
        tos.SetTos(2);  // ECT(0)
        p->AddPacketTag(tos);
        udp->Send(p, self, to, from, port);
    }

    // Sends what window and rate allow.
    void pump(std::uint16_t conn) {
        Flow &f = flows[conn];
        while (!f.waiting.empty() && (f.flying == 0 || f.flying + PACKET <= f.window)) {
            const std::uint64_t t = now();
            if (t < f.next) {
                if (!f.pump.IsRunning()) f.pump = ns3::Simulator::Schedule(ns3::NanoSeconds(f.next - t), &Host::pump, this, conn);
                return;
            }
            const std::uint32_t packet = f.waiting.front();
            f.waiting.pop_front();
            if (f.done[packet]) continue;  // it came late, and counts
            const std::uint32_t number = f.log.size();
            const std::uint16_t ev = reps.leaves(conn, t).ev;
            f.log.push_back({packet, t, ns3::Simulator::Schedule(ns3::NanoSeconds(set.rto_ns), &Host::timeout, this, conn, number)});
            f.flying += PACKET, ++f.sent;
            f.next = t + static_cast<std::uint64_t>(PACKET / f.rate);
            const std::uint8_t head[6] = {std::uint8_t(conn >> 8), std::uint8_t(conn), std::uint8_t(number >> 24), std::uint8_t(number >> 16),
                                          std::uint8_t(number >> 8), std::uint8_t(number)};
            hand(head, sizeof head, PAYLOAD, f.to, ev, DATA);
        }
    }

    // A packet arrives: its ACK brings back its number, its source port and its mark.
    void data(ns3::Ptr<ns3::Socket> socket) {
        ns3::Address from;
        while (const auto p = socket->RecvFrom(from)) {
            const auto sender = ns3::InetSocketAddress::ConvertFrom(from);
            ns3::SocketIpTosTag tos;
            const bool marked = p->PeekPacketTag(tos) && (tos.GetTos() & 3) == 3;
            std::uint8_t ack[ACK];
            p->CopyData(ack, 6);
            ack[6] = sender.GetPort() >> 8, ack[7] = sender.GetPort(), ack[8] = marked;
            hand(ack, ACK, ACK, sender.GetIpv4(), sender.GetPort(), ACKS);
        }
    }

    void ack(ns3::Ptr<ns3::Socket> socket) {
        ns3::Address from;
        while (const auto p = socket->RecvFrom(from)) {
            std::uint8_t b[ACK];
            p->CopyData(b, ACK);
            const std::uint16_t conn = b[0] << 8 | b[1], ev = b[6] << 8 | b[7];
            const std::uint32_t number = std::uint32_t(b[2]) << 24 | b[3] << 16 | b[4] << 8 | b[5];
            Flow &f = flows[conn];
            Flow::Sent &s = f.log[number];
            const std::uint64_t t = now();
            f.marked += b[8];
            reps.acknowledged(conn, ev, b[8], t);
            if (set.power) {
                const auto grant = power.acknowledged(conn, number + 1, f.log.size(), t - s.at, t);
                f.window = grant.window, f.rate = grant.rate;
            }
            if (s.timer.IsRunning()) s.timer.Cancel(), f.flying -= PACKET;
            if (!f.done[s.packet]) {
                f.done[s.packet] = true;
                if (--f.left == 0) f.end = t;
            }
            pump(conn);
        }
    }

    void timeout(std::uint16_t conn, std::uint32_t number) {
        Flow &f = flows[conn];
        f.flying -= PACKET, ++f.timeouts;
        reps.lost(conn, now());
        if (!f.done[f.log[number].packet]) f.waiting.push_front(f.log[number].packet);
        pump(conn);
    }

    const ns3::Ipv4Address self;
    const Settings set;
    const ns3::Ptr<ns3::UdpL4Protocol> udp;
    RepsNic reps;
    PowerNic power;
    std::vector<ns3::Ptr<ns3::Socket>> sockets;
};

#endif
