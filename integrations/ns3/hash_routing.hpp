// SPDX-License-Identifier: Apache-2.0
//
// Routing of a switch that has several links to a destination: a hash over addresses and ports
// chooses one, so that packets with the same ports take the same path. The routing that comes with
// ns-3 chooses a link for each packet at random, or always the same.
#ifndef HASH_ROUTING_HPP
#define HASH_ROUTING_HPP

#include <cstdint>
#include <map>
#include <vector>

#include "ns3/ipv4-route.h"
#include "ns3/ipv4-routing-protocol.h"
#include "ns3/ipv4.h"
#include "ns3/net-device.h"
#include "ns3/udp-header.h"

class HashRouting : public ns3::Ipv4RoutingProtocol {
public:
    // Switches have salts of their own: with one for all, the second would choose among what the first left.
    explicit HashRouting(std::uint32_t salt) : salt(salt) {}

    // Adds a link to a host.
    void add(ns3::Ipv4Address host, ns3::Ptr<ns3::NetDevice> link) { links[host.Get()].push_back(link); }

    // A switch sends no packets of its own.
    ns3::Ptr<ns3::Ipv4Route> RouteOutput(ns3::Ptr<ns3::Packet>, const ns3::Ipv4Header &, ns3::Ptr<ns3::NetDevice>,
                                         ns3::Socket::SocketErrno &error) override {
        error = ns3::Socket::ERROR_NOROUTETOHOST;
        return nullptr;
    }

    bool RouteInput(ns3::Ptr<const ns3::Packet> packet, const ns3::Ipv4Header &header, ns3::Ptr<const ns3::NetDevice>,
                    UnicastForwardCallback forward, MulticastForwardCallback, LocalDeliverCallback, ErrorCallback error) override {
        const auto to = links.find(header.GetDestination().Get());
        if (to == links.end()) {
            error(packet, header, ns3::Socket::ERROR_NOROUTETOHOST);
            return true;
        }
        ns3::UdpHeader udp;
        packet->PeekHeader(udp);
        std::uint64_t x = salt;
        for (const std::uint64_t word : {std::uint64_t(header.GetSource().Get()), std::uint64_t(header.GetDestination().Get()),
                                         std::uint64_t(udp.GetSourcePort()) << 16 | udp.GetDestinationPort()}) {
            x = (x ^ word) * 0xff51afd7ed558ccd;
            x ^= x >> 32;
        }
        auto route = ns3::Create<ns3::Ipv4Route>();
        route->SetSource(header.GetSource());
        route->SetDestination(header.GetDestination());
        route->SetGateway(header.GetDestination());
        route->SetOutputDevice(to->second[x % to->second.size()]);
        forward(route, packet, header);
        return true;
    }

    void NotifyInterfaceUp(std::uint32_t) override {}
    void NotifyInterfaceDown(std::uint32_t) override {}
    void NotifyAddAddress(std::uint32_t, ns3::Ipv4InterfaceAddress) override {}
    void NotifyRemoveAddress(std::uint32_t, ns3::Ipv4InterfaceAddress) override {}
    void SetIpv4(ns3::Ptr<ns3::Ipv4>) override {}
    void PrintRoutingTable(ns3::Ptr<ns3::OutputStreamWrapper>, ns3::Time::Unit) const override {}

private:
    const std::uint32_t salt;
    std::map<std::uint32_t, std::vector<ns3::Ptr<ns3::NetDevice>>> links;
};

#endif
