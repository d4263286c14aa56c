// SPDX-License-Identifier: Apache-2.0

package load_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/csr"
	nictransport "github.com/nicgen/nicgen/gen/nic_transport"
	"github.com/nicgen/nicgen/internal/registers/load"
)

// built returns the map of a whole NIC.
func built(t *testing.T, set string) *csr.Map {
	t.Helper()
	p := nictransport.Default()
	if err := gen.Configure(p, set); err != nil {
		t.Fatal(err)
	}
	m, err := p.Map()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// planned returns the writes of a file, each setting alone.
func planned(m *csr.Map, text string) (list []string, err error) {
	f, err := load.Parse("nic.yaml", []byte(text))
	if err != nil {
		return nil, err
	}
	steps, err := load.Plan(m, f, load.Options{})
	for _, s := range steps {
		if s.Offer != nil {
			list = append(list, s.String())
			continue
		}
		list = append(list, strings.Fields(s.String())...)
	}
	return list, err
}

// network returns a file with a network and some connections with a window.
func network(keys string, conns int, more string) string {
	text := fmt.Sprintf("network: {%s}\nprofiles: {w: {queue: true, window: true}, q: {queue: true}, e: {path: true}}\n%s\nconnections:\n", keys, more)
	for c := range conns {
		text += fmt.Sprintf("  - {conn: %d, address: 10.0.0.2, remote_qp: %d, local_qp: %d, profile: w}\n", c, 0x100+c, 0x300+c)
	}
	return text
}

// Settings follow from rate and round-trip time, by the table of docs/nic.md.
func TestNetwork(t *testing.T) {
	for _, x := range []struct {
		name, set, text string
		want, not       []string
	}{
		{"the authors' simulator", "", network("rate_gbps: 25, rtt: 28960ns", 1, ""), []string{
			"powertcp.cfg_tau_ns=28960", "powertcp.cfg_max_window=362000", "gate.cfg_init_window=90500", "powertcp.cfg_beta=2172", // 90,500 and 543 bytes
			"powertcp.cfg_min_window=4000", "gate.cfg_stall_ns=1000000", "pace.cfg_idle_ns=905", "pace.cfg_allowance_ns=32000", "reps.cfg_num_pkts_cwnd=85",
			"queue.cfg_quota=765", // 85 packets of 9 cells
		}, nil},
		{"100 Gb/s", "", network("rate_gbps: 100, rtt: 10us, flows: 16", 2, ""), []string{
			"powertcp.cfg_tau_ns=10000", "powertcp.cfg_max_window=500000", "gate.cfg_init_window=125000", "powertcp.cfg_beta=31248", "pace.cfg_idle_ns=312",
			"pace.s_rate conn=0 inv=5243", "pace.s_rate conn=1 inv=5243", "queue.cfg_quota=1062",
		}, []string{"powertcp.cfg_inv_tau_m=", "spray."}},
		{"telemetry has 1/τ", "telemetry=int", network("rate_gbps: 100, rtt: 10us", 1, ""), []string{
			"powertcp.cfg_tau_ns=10000", "powertcp.cfg_inv_tau_m=107374", "powertcp.cfg_inv_tau_e=14"}, nil},
		{"spray has a gap", "path=spray", network("rate_gbps: 100, rtt: 10us", 1, ""), []string{"spray.cfg_flowlet_timeout_ns=10000"}, []string{"reps."}},
		{"without a window unit: no window", "window=none", network("rate_gbps: 100, rtt: 10us", 1, ""), []string{"pace.cfg_idle_ns=312", "gate.cfg_stall_ns=1000000"},
			[]string{"powertcp.", "gate.cfg_init_window"}},
		{"a long round-trip time", "ring=2048", network("rate_gbps: 10, rtt: 800us, mtu: 4096", 1, ""), []string{
			"gate.cfg_stall_ns=3200000", "pace.cfg_idle_ns=25000", "gate.cfg_init_window=1000000"}, nil},
		{"a short one: idle is a slot, or an eighth", "", network("rate_gbps: 100, rtt: 2us", 1, ""), []string{"pace.cfg_idle_ns=128"}, nil},
		{"a shorter one", "", network("rate_gbps: 400, rtt: 800ns", 1, ""), []string{"pace.cfg_idle_ns=100"}, nil},
		{"many connections that are due together", "", network("rate_gbps: 25, rtt: 20us, mtu: 4096", 256, ""), []string{"pace.cfg_allowance_ns=342262"}, nil},
		{"what the host has outstanding", "", network("rate_gbps: 100, rtt: 10us, outstanding: 256KiB", 3, ""), []string{"queue.cfg_quota=2214"}, nil},
		{"what the file says instead, within the limits", "", network("rate_gbps: 100, rtt: 10us", 1,
			"settings: {gate.cfg_stall_ns: 2ms, pace.cfg_idle_ns: 1250, powertcp.cfg_beta: 500.25, powertcp.cfg_tau_ns: 10us}"), []string{
			"gate.cfg_stall_ns=2000000", "pace.cfg_idle_ns=1250", "powertcp.cfg_beta=2001", "powertcp.cfg_tau_ns=10000"},
			[]string{"gate.cfg_stall_ns=1000000", "pace.cfg_idle_ns=312"}},
		{"how connections begin", "", network("rate_gbps: 100, rtt: 10us", 1, "") + `
  - {conn: 1, address: 10.0.0.2, remote_qp: 1, profile: q}
  - {conn: 2, address: 10.0.0.2, remote_qp: 2, profile: q, window: 64KiB, rate_gbps: 50}
  - {conn: 3, address: 10.0.0.2, remote_qp: 3, profile: e}
  - {conn: 4, address: 10.0.0.2, remote_qp: 4, profile: w, rate_gbps: 25}
`, []string{"pace.s_rate conn=0 inv=5243", "gate.s_window conn=1 bytes=16777215", "gate.s_window conn=2 bytes=65536", "pace.s_rate conn=2 inv=10486", "pace.s_rate conn=4 inv=20972"},
			[]string{"gate.s_window conn=0", "pace.s_rate conn=1", "gate.s_window conn=3", "pace.s_rate conn=3", "gate.s_window conn=4"}},
	} {
		t.Run(x.name, func(t *testing.T) {
			got, err := planned(built(t, x.set), x.text)
			if err != nil {
				t.Fatal(err)
			}
			for _, w := range x.want {
				if !slices.Contains(got, w) {
					t.Errorf("no %q among\n%s", w, strings.Join(got, "\n"))
				}
			}
			for _, n := range x.not {
				if i := slices.IndexFunc(got, func(s string) bool { return strings.HasPrefix(s, n) }); i >= 0 {
					t.Errorf("%q, want none that begins with %q", got[i], n)
				}
			}
		})
	}
}

// A network that a block was not built for, and settings that contradict it, or each other, are refused.
func TestNetworkRefused(t *testing.T) {
	plain := func(settings string) string { return "settings: {" + settings + "}\n" }
	for _, x := range []struct{ name, set, text, want string }{
		{"ring", "", network("rate_gbps: 100, rtt: 20us", 1, ""),
			"network: a window of 250000 bytes is 235 packets of mtu 1024, and the block was built with ring 128, 54 % of it: emit it with --ring 256, or use a larger mtu"},
		{"ring, beyond any", "connections=16384 ways=3 rows=16384", network("rate_gbps: 100, rtt: 200us", 1, ""),
			"built with ring 64, 2 % of it: want a larger mtu"},
		{"buffer", "ring=1024", network("rate_gbps: 100, rtt: 10us, outstanding: 1MiB", 1, ""),
			"network: outstanding of 1 connections with queue takes 8838 cells of 128 bytes, and the block was built with kib 1024: emit it with --kib 2048"},
		{"buffer, of all", "", network("rate_gbps: 100, rtt: 10us, outstanding: 256KiB", 8, ""),
			"network: outstanding of 8 connections with queue takes 17712 cells of 128 bytes, and the block was built with kib 1024: emit it with --kib 4096"},
		{"buffer, beyond any", "", network("rate_gbps: 100, rtt: 10us, outstanding: 256KiB", 100, ""),
			"built with kib 1024: want fewer connections, or a smaller outstanding"},
		{"buffer, a window", "ring=4096", network("rate_gbps: 400, rtt: 150us", 1, ""), "a window of one connection takes 63207 cells of 128 bytes, and the block was built with kib 1024: give outstanding, if the host has less"},
		{"a window beyond the formats", "ring=4096", network("rate_gbps: 400, rtt: 1ms", 1, ""),
			"network: 400 Gb/s · 1000000 ns = 50000000 bytes, and windows are at most 8388607: want a shorter rtt, or a lower rate_gbps"},
		{"less than a packet", "", network("rate_gbps: 1, rtt: 5us, mtu: 4096", 1, ""), "less than a packet of 4140: want a smaller mtu, or a longer rtt"},
		{"τ beyond the unit", "ring=4096", network("rate_gbps: 1, rtt: 2ms", 1, ""), "tau_ns"},
		{"no rate", "", network("rtt: 5us", 1, ""), "network: rate_gbps 0, want 0.1 to 1000"},
		{"no rtt", "", network("rate_gbps: 5", 1, ""), "network: rtt 0 ns, want 1 ns to 1 s: the largest round-trip time of the empty network, such as 12us"},
		{"rtt", "", network("rate_gbps: 5, rtt: 5KiB", 1, ""), `network.rtt: "5KiB", want a number, decimal or behind 0x hexadecimal, or one with the unit ns us ms s`},
		{"mtu", "", network("rate_gbps: 5, rtt: 5us, mtu: 10000", 1, ""), "network: mtu 10000, want 64 to 9000 bytes of payload"},
		{"another key", "", network("rate_gbps: 5, rtt: 5us, mut: 1000", 1, ""), "mut"},
		{"another τ", "", network("rate_gbps: 100, rtt: 10us", 1, plain("tau_ns: 20us")),
			"settings: powertcp.cfg_tau_ns: 20000 contradicts network, from which 10000 follows, rtt 10000 ns: leave one of them out"},
		{"another first window", "", network("rate_gbps: 100, rtt: 10us", 1, plain("init_window: 64KiB")),
			"settings: gate.cfg_init_window: 65536 contradicts network, from which 125000 follows, rate_gbps 100 · rtt 10000 ns = 125000 bytes"},
		{"another largest window", "", network("rate_gbps: 100, rtt: 10us", 1, plain("max_window: 64KiB")), "settings: powertcp.cfg_max_window: 262144 contradicts network"},
		{"idle above τ/8", "", network("rate_gbps: 100, rtt: 10us", 1, plain("idle_ns: 1251")),
			"settings: pace.cfg_idle_ns: 1251 contradicts network, which allows 128 to 1250: 312 follows from rtt 10000 ns / 32"},
		{"idle below a slot", "", network("rate_gbps: 100, rtt: 10us", 1, plain("idle_ns: 127")), "which allows 128 to 1250"},
		{"a stall within 4 τ", "", network("rate_gbps: 10, rtt: 500us, mtu: 8192", 1, plain("gate.cfg_stall_ns: 1999us")), "which allows 2000000 to 2147483647: 2000000 follows from 4 · rtt 500000 ns, at least 1 ms"},
		{"a quota below a window", "", network("rate_gbps: 100, rtt: 10us", 1, plain("queue.cfg_quota: 256")), "settings: queue.cfg_quota: 256 contradicts network, which allows 1062 to 32768"},
		{"an allowance that others exceed", "", network("rate_gbps: 25, rtt: 20us, mtu: 4096", 256, plain("allowance_ns: 32us")), "settings: pace.cfg_allowance_ns: 32000 contradicts network"},
		{"without network: 1/τ", "telemetry=int", plain("tau_ns: 20us"),
			"settings: powertcp.cfg_tau_ns is 20000, and cfg_inv_tau_m, cfg_inv_tau_e are 74153, 15, want 107374, 15: give rate_gbps and rtt of network"},
		{"without network: idle", "", plain("idle_ns: 32us"), "settings: pace.cfg_idle_ns is 32000, want at most 3620, an eighth of powertcp.cfg_tau_ns"},
		{"without network: τ", "", plain("tau_ns: 4us"), "settings: pace.cfg_idle_ns is 905, want at most 500"},
		{"without network: stall", "", plain("gate.cfg_stall_ns: 100us"), "settings: gate.cfg_stall_ns is 100000, want at least 115840"},
		{"without network: windows", "", plain("init_window: 64KiB"), "settings: gate.cfg_init_window is 65536 bytes, and powertcp.cfg_max_window 90500: want the same"},
		{"without network: least window", "", plain("max_window: 500"), "settings: powertcp.cfg_min_window is 1000 bytes, want at most cfg_max_window, 125"},
	} {
		t.Run(x.name, func(t *testing.T) {
			if _, err := planned(built(t, x.set), x.text); err == nil || !strings.Contains(err.Error(), x.want) {
				t.Errorf("error %v\nwant %q", err, x.want)
			}
		})
	}
}

// The file that docs/registers.md shows suits a whole NIC, whatever its units.
func TestNetworkExample(t *testing.T) {
	for _, set := range []string{"", "telemetry=int path=spray", "path=plb", "window=none path=none", "path=laps window=none"} {
		f, err := load.Read("testdata/network.yaml")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := load.Plan(built(t, set), f, load.Options{}); err != nil {
			t.Errorf("%q: %v", set, err)
		}
	}
}
