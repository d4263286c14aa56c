// SPDX-License-Identifier: Apache-2.0
//
// A leaf-spine network of ns-3 nodes, whose hosts have nicgen's REPS and PowerTCP hardware. Every
// host of it is an instance of the exported libraries; the option engine says what answers, the
// Verilated RTL, the golden model, or both compared in every cycle.
//
//   leafspine --engine=rtl --paths=reps --window=powertcp --out=run.json
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <string>

#include "ns3/boolean.h"
#include "ns3/command-line.h"
#include "ns3/config.h"
#include "ns3/double.h"
#include "ns3/error-model.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-static-routing-helper.h"
#include "ns3/node-container.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/string.h"
#include "ns3/traffic-control-helper.h"

#include "hash_routing.hpp"
#include "host.hpp"

using namespace ns3;

namespace {

// What a port did, in bins of time.
class Port {
public:
    Port(std::string name, std::uint64_t bin_ns, Ptr<NetDevice> device, Ptr<QueueDisc> queue) : name(std::move(name)), bin(bin_ns) {
        device->TraceConnectWithoutContext("PhyTxEnd", MakeCallback(&Port::left, this));
        queue->TraceConnectWithoutContext("BytesInQueue", MakeCallback(&Port::queued, this));
        queue->TraceConnectWithoutContext("Drop", MakeCallback(&Port::dropped, this));
    }
    // As JSON, up to a time.
    void write(std::ostream &out, std::uint64_t end) {
        at(end);
        out << "{\"name\":\"" << name << "\",\"bin_us\":" << bin / 1000.0 << ",\"gbps\":[";
        list(out, [&](std::size_t i) { out << 8.0 * bytes[i] / bin; });
        out << "],\"queue_bytes\":[";
        list(out, [&](std::size_t i) { out << most[i]; });
        out << "],\"drops\":[";
        list(out, [&](std::size_t i) { out << drops[i]; });
        out << "]}";
    }

private:
    template <class F>
    void list(std::ostream &out, F item) {
        for (std::size_t i = 0; i < bytes.size(); i++) {
            if (i) out << ',';
            item(i);
        }
    }
    // A queue that stands still is in all bins.
    std::size_t at(std::uint64_t t) {
        while (bytes.size() <= t / bin) bytes.push_back(0), most.push_back(level), drops.push_back(0);
        return t / bin;
    }
    std::size_t now() { return at(Simulator::Now().GetNanoSeconds()); }
    void left(Ptr<const Packet> p) { bytes[now()] += p->GetSize(); }
    void queued(std::uint32_t, std::uint32_t n) {
        const std::size_t i = now();
        level = n;
        most[i] = std::max(most[i], n);
    }
    void dropped(Ptr<const QueueDiscItem>) { ++drops[now()]; }

    std::string name;
    std::uint64_t bin;
    std::uint32_t level = 0;
    std::vector<std::uint64_t> bytes, drops;
    std::vector<std::uint32_t> most;
};

[[noreturn]] void stop(const std::string &what) {
    std::cerr << "leafspine: " << what << '\n';
    std::exit(2);
}

int choose(const std::string &option, const std::string &value, const std::map<std::string, int> &allowed) {
    const auto i = allowed.find(value);
    if (i != allowed.end()) return i->second;
    std::string list;
    for (const auto &a : allowed) list += (list.empty() ? "" : ", ") + a.first;
    stop("--" + option + ": found " + value + ", allowed: " + list);
}

// Makes a link fail: both ends get nothing.
void fail(NetDeviceContainer link, bool down) {
    for (std::uint32_t i = 0; i < 2; i++) {
        auto loss = CreateObject<RateErrorModel>();
        loss->SetAttribute("ErrorUnit", StringValue("ERROR_UNIT_PACKET"));
        loss->SetRate(1);
        if (!down) loss->Disable();
        DynamicCast<PointToPointNetDevice>(link.Get(i))->SetReceiveErrorModel(loss);
    }
}

}  // namespace

int main(int argc, char **argv) {
    std::string engine = "rtl", paths = "reps", window = "powertcp", traffic = "permutation", out, label;
    std::uint32_t leaves = 4, spines = 4, each = 4, packets = 2000, queue = 100, seed = 1;
    double gbps = 25, share = 20, delay = 2, rto = 100, freeze = 400, fail_at = 0, fail_for = 0, bin = 20, limit = 100;
    CommandLine cmd(__FILE__);
    cmd.AddValue("engine", "what answers for the hardware: rtl, golden or both", engine);
    cmd.AddValue("paths", "who chooses source ports: reps, random for each packet, or one", paths);
    cmd.AddValue("window", "powertcp, or fixed: the bandwidth-delay product", window);
    cmd.AddValue("share", "PowerTCP's additive increase is the bandwidth-delay product over this", share);
    cmd.AddValue("traffic", "permutation: each host to one of another leaf; incast: all other leaves to host 0", traffic);
    cmd.AddValue("leaves", "number of leaves", leaves);
    cmd.AddValue("spines", "number of spines", spines);
    cmd.AddValue("hosts", "hosts at each leaf", each);
    cmd.AddValue("packets", "packets of a message", packets);
    cmd.AddValue("gbps", "rate of each link, Gb/s", gbps);
    cmd.AddValue("delay", "delay of each link, us", delay);
    cmd.AddValue("queue", "places of each queue, packets; marks begin at a fifth, and are on all from four fifths on", queue);
    cmd.AddValue("rto", "time after which a packet counts as lost, us", rto);
    cmd.AddValue("freeze", "time for which REPS remembers a failure, us", freeze);
    cmd.AddValue("fail-at", "time at which the link from leaf 0 to spine 0 fails, us", fail_at);
    cmd.AddValue("fail-for", "how long it stays so, us; 0: it does not fail", fail_for);
    cmd.AddValue("bin", "length of the bins of the series, us", bin);
    cmd.AddValue("limit", "time at which the simulation ends in any case, ms", limit);
    cmd.AddValue("seed", "of the hosts' generators and the switches' hashes", seed);
    cmd.AddValue("label", "of the run, in the file", label);
    cmd.AddValue("out", "file for the series and flows, in JSON; empty: none", out);
    cmd.Parse(argc, argv);

    Settings set;
    set.engine = choose("engine", engine, {{"rtl", NICGEN_RTL}, {"golden", NICGEN_MODEL}, {"both", NICGEN_BOTH}});
    set.mode = choose("paths", paths, {{"reps", 0}, {"random", 1}, {"one", 2}});
    set.power = choose("window", window, {{"fixed", 0}, {"powertcp", 1}});
    const bool incast = choose("traffic", traffic, {{"permutation", 0}, {"incast", 1}});
    if (leaves < 2 || leaves > 200 || spines < 1 || spines > 200 || each < 1 || each > 200) stop("found a network of other than 2 to 200 leaves, and 1 to 200 spines and hosts a leaf");
    if (packets < 1 || packets > 10000000) stop("--packets: found another number than 1 to 10000000");
    if (!(gbps > 0 && share > 0 && delay > 0 && rto > 0 && freeze > 0 && bin > 0 && limit > 0) || queue < 5) stop("rates, times and queues have to be above 0, queues at least 5");
    set.rate = gbps / 8;
    set.tau_ns = 8000 * delay + 4 * (PACKET + ACK + OVERHEAD) / set.rate + 1;
    if (set.rate * set.tau_ns >= 8e6) stop("a window of 8 MB is more than PowerTCP has");
    set.beta = set.rate * set.tau_ns / share;
    if (set.beta >= 1 << 20) stop("an increase of 1 MB is more than PowerTCP has");
    set.rto_ns = 1000 * rto;
    set.freeze_ns = 1000 * freeze;

    Config::SetDefault("ns3::RedQueueDisc::UseEcn", BooleanValue(true));
    Config::SetDefault("ns3::RedQueueDisc::UseHardDrop", BooleanValue(false));
    Config::SetDefault("ns3::RedQueueDisc::Gentle", BooleanValue(false));
    Config::SetDefault("ns3::RedQueueDisc::QW", DoubleValue(1));
    Config::SetDefault("ns3::RedQueueDisc::LInterm", DoubleValue(1));
    Config::SetDefault("ns3::RedQueueDisc::MeanPktSize", UintegerValue(PACKET));
    Config::SetDefault("ns3::RedQueueDisc::MinTh", DoubleValue(queue / 5.0));
    Config::SetDefault("ns3::RedQueueDisc::MaxTh", DoubleValue(queue * 4 / 5.0));
    Config::SetDefault("ns3::RedQueueDisc::MaxSize", QueueSizeValue(QueueSize(PACKETS, queue)));

    // Hosts have ns-3's own routing, switches the hash.
    const std::uint32_t hosts = leaves * each;
    NodeContainer ends(hosts), leaf(leaves), spine(spines);
    InternetStackHelper stack;
    stack.Install(ends);
    std::vector<Ptr<HashRouting>> leaf_routes, spine_routes;
    const auto switches = [&](NodeContainer &nodes, std::uint32_t first, std::vector<Ptr<HashRouting>> &list) {
        for (std::uint32_t i = 0; i < nodes.GetN(); i++) {
            InternetStackHelper().Install(nodes.Get(i));
            list.push_back(CreateObject<HashRouting>(seed * 0x9e3779b9u + first + i));
            nodes.Get(i)->GetObject<Ipv4>()->SetRoutingProtocol(list.back());
        }
    };
    switches(leaf, 0, leaf_routes);
    switches(spine, leaves, spine_routes);

    PointToPointHelper link;
    link.SetDeviceAttribute("DataRate", DataRateValue(DataRate(gbps * 1e9)));
    link.SetChannelAttribute("Delay", TimeValue(NanoSeconds(1000 * delay)));
    link.SetQueue("ns3::DropTailQueue<Packet>", "MaxSize", StringValue("1p"));
    TrafficControlHelper marking, plain;
    marking.SetRootQueueDisc("ns3::RedQueueDisc", "LinkBandwidth", DataRateValue(DataRate(gbps * 1e9)), "LinkDelay", TimeValue(NanoSeconds(1000 * delay)));
    plain.SetRootQueueDisc("ns3::FifoQueueDisc", "MaxSize", StringValue("1000000p"));
    Ipv4AddressHelper address;
    const auto subnet = [&](std::uint32_t kind, std::uint32_t a, std::uint32_t b, const NetDeviceContainer &d) {
        address.SetBase(Ipv4Address(kind << 24 | a << 16 | b << 8), "255.255.255.252");
        return address.Assign(d).GetAddress(0);
    };

    std::vector<Ipv4Address> self;
    std::vector<std::unique_ptr<Port>> ports;
    NetDeviceContainer broken;
    for (std::uint32_t l = 0; l < leaves; l++) {
        for (std::uint32_t i = 0; i < each; i++) {
            const auto d = link.Install(ends.Get(l * each + i), leaf.Get(l));
            plain.Install(d.Get(0));
            const auto q = marking.Install(d.Get(1));
            if (incast && self.empty()) ports.push_back(std::make_unique<Port>("leaf 0 to host 0", 1000 * bin, d.Get(1), q.Get(0)));
            self.push_back(subnet(10, l, i, d));
            Ipv4StaticRoutingHelper().GetStaticRouting(ends.Get(l * each + i)->GetObject<Ipv4>())->SetDefaultRoute(Ipv4Address::GetAny(), 1);
            leaf_routes[l]->add(self.back(), d.Get(1));
        }
    }
    for (std::uint32_t l = 0; l < leaves; l++) {
        for (std::uint32_t s = 0; s < spines; s++) {
            const auto d = link.Install(leaf.Get(l), spine.Get(s));
            const auto q = marking.Install(d);
            subnet(11, l, s, d);
            if (l == 0 && s == 0) broken = d;
            if (l == 0 && !incast) ports.push_back(std::make_unique<Port>("leaf 0 to spine " + std::to_string(s), 1000 * bin, d.Get(0), q.Get(0)));
            for (std::uint32_t h = 0; h < hosts; h++) {
                if (h / each == l) spine_routes[s]->add(self[h], d.Get(1));
                else leaf_routes[l]->add(self[h], d.Get(0));
            }
        }
    }
    if (fail_for > 0) {
        Simulator::Schedule(NanoSeconds(1000 * fail_at), fail, broken, true);
        Simulator::Schedule(NanoSeconds(1000 * (fail_at + fail_for)), fail, broken, false);
    }

    std::vector<std::unique_ptr<Host>> nics;
    try {
        // Each NIC has a seed of its own.
        for (std::uint32_t h = 0; h < hosts; h++) nics.push_back(std::make_unique<Host>(ends.Get(h), self[h], seed * 1000003ull + h, set));
        for (std::uint32_t h = 0; h < hosts; h++) {
            if (!incast) nics[h]->send(self[(h + each) % hosts], packets, 0);
            else if (h >= each) nics[h]->send(self[0], packets, 0);
        }
        Simulator::Stop(NanoSeconds(1e6 * limit));
        Simulator::Run();
    } catch (const std::exception &e) {
        std::cerr << "leafspine: " << e.what() << '\n';
        return 1;
    }

    std::uint64_t end = 0, sent = 0, marked = 0, timeouts = 0, open = 0, count = 0;
    double sum = 0;
    for (const auto &n : nics) {
        for (const auto &f : n->flows) {
            open += f.left > 0, ++count;
            end = std::max(end, f.end);
            sum += f.end - f.begin;
            sent += f.sent, marked += f.marked, timeouts += f.timeouts;
        }
    }
    if (open) {
        std::cerr << "leafspine: " << open << " messages are not over after " << limit << " ms\n";
        return 1;
    }
    std::printf("%-10s %-8s %-11s last message over at %.1f us, mean %.1f us; %llu packets sent, %llu marked, %llu timed out\n", paths.c_str(), window.c_str(),
                traffic.c_str(), end / 1e3, sum / 1e3 / count, static_cast<unsigned long long>(sent), static_cast<unsigned long long>(marked),
                static_cast<unsigned long long>(timeouts));
    if (!out.empty()) {
        std::ofstream file(out);
        file << "{\"label\":\"" << (label.empty() ? paths + ", " + window : label) << "\",\n\"flows\":[";
        const char *between = "\n";
        for (std::size_t h = 0; h < nics.size(); h++) {
            for (const auto &f : nics[h]->flows) {
                file << between << "{\"host\":" << h << ",\"ns\":" << f.end - f.begin << ",\"sent\":" << f.sent << ",\"marked\":" << f.marked
                     << ",\"timeouts\":" << f.timeouts << "}";
                between = ",\n";
            }
        }
        file << "],\n\"ports\":[\n";
        for (std::size_t i = 0; i < ports.size(); i++) {
            if (i) file << ",\n";
            ports[i]->write(file, end);
        }
        file << "]}\n";
        if (!file.flush()) stop("cannot write " + out);
    }
    nics.clear();
    Simulator::Destroy();
    return 0;
}
