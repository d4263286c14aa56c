// SPDX-License-Identifier: Apache-2.0
//
// A host that sends a message over 16 paths, one of which drops what it gets from 20 us on: once
// with a random path for each packet, once with nicgen's REPS hardware. It shows where the three
// calls of reps_nic.hpp go; of REPS it knows nothing.
//
//   g++ -std=c++17 host.cpp $(pkg-config --cflags --libs nicgen_reps.pc) -o host
#include <cstdio>
#include <cstring>
#include <functional>
#include <queue>
#include <random>
#include <vector>

#include "reps_nic.hpp"

// How a sender chooses paths.
struct Chooser {
    virtual ~Chooser() = default;
    virtual std::uint16_t leaves(std::uint16_t conn, std::uint64_t now) = 0;
    virtual void acknowledged(std::uint16_t conn, std::uint16_t ev, bool marked, std::uint64_t now) = 0;
    virtual void lost(std::uint16_t conn, std::uint64_t now) = 0;
};

struct Random : Chooser {
    std::mt19937 words{1};
    std::uint16_t leaves(std::uint16_t, std::uint64_t) override { return words(); }
    void acknowledged(std::uint16_t, std::uint16_t, bool, std::uint64_t) override {}
    void lost(std::uint16_t, std::uint64_t) override {}
};

struct Reps : Chooser {
    RepsNic nic;
    explicit Reps(int engine) : nic(1, 64, 100000, engine) {}
    std::uint16_t leaves(std::uint16_t conn, std::uint64_t now) override { return nic.leaves(conn, now).ev; }
    void acknowledged(std::uint16_t conn, std::uint16_t ev, bool marked, std::uint64_t now) override { nic.acknowledged(conn, ev, marked, now); }
    void lost(std::uint16_t conn, std::uint64_t now) override { nic.lost(conn, now); }
};

class Host {
public:
    static constexpr int PATHS = 16, WINDOW = 64;
    static constexpr std::uint64_t WIRE = 100, HOP = 800, DELAY = 1000, TIMEOUT = 30000, MARK = HOP, FAILURE = 20000;

    explicit Host(Chooser &c) : chooser(c) {}

    // Sends packets and returns when the last of them was acknowledged, in ns.
    std::uint64_t send(int packets) {
        waiting = packets;
        left = packets;
        pump(0);
        while (left > 0) {
            const Event e = events.top();
            events.pop();
            e.what(now = e.at);
        }
        return now;
    }
    int resent = 0;

private:
    struct Event {
        std::uint64_t at, order;
        std::function<void(std::uint64_t)> what;
        bool operator<(const Event &o) const { return at != o.at ? at > o.at : order > o.order; }
    };
    void later(std::uint64_t at, std::function<void(std::uint64_t)> what) { events.push({at, order++, std::move(what)}); }

    // Sends what the window has room for, a packet each WIRE ns.
    void pump(std::uint64_t t) {
        if (pumping || waiting == 0 || flying == WINDOW) return;
        pumping = true;
        --waiting, ++flying;
        const std::uint16_t ev = chooser.leaves(0, t);
        const int path = ev * 2654435761u >> 28;  // the switches' hash
        if (path == 3 && t >= FAILURE) {
            later(t + TIMEOUT, [=](std::uint64_t at) {
                chooser.lost(0, at);
                ++resent, ++waiting, --flying;
                pump(at);
            });
        } else {
            const std::uint64_t begin = free[path] > t ? free[path] : t;
            const bool marked = begin - t > MARK;
            free[path] = begin + HOP;
            later(begin + HOP + 2 * DELAY, [=](std::uint64_t at) {
                chooser.acknowledged(0, ev, marked, at);
                --left, --flying;
                pump(at);
            });
        }
        later(t + WIRE, [=](std::uint64_t at) {
            pumping = false;
            pump(at);
        });
    }

    Chooser &chooser;
    std::priority_queue<Event> events;
    std::uint64_t free[PATHS] = {}, now = 0, order = 0;
    int waiting = 0, flying = 0, left = 0;
    bool pumping = false;
};

int main(int argc, char **argv) {
    const bool both = argc > 1 && !std::strcmp(argv[1], "both");
    Random random;
    Reps reps(both ? NICGEN_BOTH : NICGEN_RTL);
    Host a(random), b(reps);
    const auto ta = a.send(5000), tb = b.send(5000);
    std::printf("random %llu ns, %d packets sent again\n", static_cast<unsigned long long>(ta), a.resent);
    std::printf("REPS %llu ns, %d packets sent again\n", static_cast<unsigned long long>(tb), b.resent);
    return tb < ta ? 0 : 1;
}
