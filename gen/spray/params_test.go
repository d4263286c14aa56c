// SPDX-License-Identifier: Apache-2.0

package spray_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/gentest"
	"github.com/nicgen/nicgen/gen/reps"
	"github.com/nicgen/nicgen/gen/spray"
)

// Rules over several parameters, on both sides of each limit.
func TestCheck(t *testing.T) {
	gentest.Rules(t, spray.Default, []gentest.Rule{
		{Set: "connections=257 conn_bits=9"},
		{Set: "connections=257 conn_bits=8", Key: "conn_bits", Found: "8", Allowed: "at least 9 for connections 257"},
		{Set: "connections=16384 nic_ports=4"},
		{Set: "connections=16384 nic_ports=5", Key: "nic_ports", Found: "5",
			Allowed: "at most 4 with connections 16384: at most 65536 connections on all ports, the ports rounded up to a power of two"},
		{Set: "flowlets=2"},
		{Set: "flowlets=1", Key: "flowlets", Found: "1", Allowed: "0, or a power of two from 2 on"},
		{Set: "flowlets=255", Key: "flowlets", Found: "255", Allowed: "0, or a power of two from 2 on"},
		{Set: "flowlets=300"},
		{Set: "timer_bits=13 flowlet_timeout_ns=2047"},
		{Set: "timer_bits=12 flowlet_timeout_ns=100", Key: "timer_bits", Found: "12", Allowed: "at least 13 for 256 entries"},
		{Set: "timer_bits=12 flowlet_timeout_ns=100 modes=ops"},
		{Set: "timer_bits=13 flowlet_timeout_ns=2048", Key: "flowlet_timeout_ns", Found: "2048", Allowed: "below 2^11 with timer_bits 13"},
		{Set: "evs_bits=4 evs=16"},
		{Set: "evs_bits=4 evs=17", Key: "evs", Found: "17", Allowed: "at most 16 with evs_bits 4"},
		{Set: "hash_seed=65535 ev_base=65535"},
		{Set: "hash_seed=65536", Key: "hash_seed", Found: "65536", Allowed: "below 2^16 with evs_bits 16"},
		{Set: "ev_base=65536", Key: "ev_base", Found: "65536", Allowed: "below 2^16 with evs_bits 16"},
	})
}

// A NIC can have spray in place of reps: ports of one name are alike, and those that only one of
// them has are these.
func TestPortsOfREPS(t *testing.T) {
	one, other := reps.Default(), spray.Default()
	one.TimerBits, one.EVSBits, one.NICPorts = 22, 18, 3
	other.TimerBits, other.EVSBits, other.NICPorts = 22, 18, 3
	ports := func(cfg gen.Config) map[string]gen.Port {
		m := map[string]gen.Port{}
		for _, p := range cfg.Ports() {
			m[p.Name] = p
		}
		return m
	}
	a, b := ports(one), ports(other)
	var only []string
	for name, p := range a {
		q, ok := b[name]
		if !ok {
			only = append(only, "-"+name)
		} else if p.Bits != q.Bits || p.Dir != q.Dir || p.Width != q.Width {
			t.Errorf("%s: %v, %s, %d bits in reps; %v, %s, %d bits in spray", name, p.Dir, p.Width, p.Bits, q.Dir, q.Width, q.Bits)
		}
	}
	for name := range b {
		if _, ok := a[name]; !ok {
			only = append(only, "+"+name)
		}
	}
	slices.Sort(only)
	const want = "+cfg_evs +cfg_flowlet_timeout_ns +cfg_hash_seed +sts_jump_cnt +sts_new_cnt " +
		"-cfg_freezing -cfg_freezing_timeout_ns -cfg_num_pkts_cwnd -evt_freeze -evt_thaw -sts_freeze_cnt -sts_illegal_ev_cnt -sts_thaw_cnt"
	if got := strings.Join(only, " "); got != want {
		t.Errorf("ports of one of them:\n%s\nwant\n%s", got, want)
	}
	if n := one.SendLatency(); n != spray.SendLatency {
		t.Errorf("a SEND takes %d cycles in reps, %d in spray", n, spray.SendLatency)
	}
}
