// SPDX-License-Identifier: Apache-2.0

package workload_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/sim/workload"
)

// Each host sends as many packets, to others of the collective only, and not the same number to each.
func TestAllToAllV(t *testing.T) {
	hosts := []int{3, 9, 4, 11, 20}
	flows, err := workload.AllToAllV(hosts, 100, 9000, rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		t.Fatal(err)
	}
	in := map[int]bool{}
	for _, h := range hosts {
		in[h] = true
	}
	sent, sizes := map[int]uint64{}, map[uint64]bool{}
	for _, f := range flows {
		if !in[f.Src] || !in[f.Dst] || f.Src == f.Dst || f.Bytes%9000 != 0 || f.Bytes < 50*9000 || f.Bytes > 150*9000 {
			t.Errorf("%+v", f)
		}
		sent[f.Src] += f.Bytes / 9000
		sizes[f.Bytes] = true
	}
	if len(flows) != 20 || len(sizes) < 5 {
		t.Errorf("%d flows of %d sizes, want 20 of several", len(flows), len(sizes))
	}
	for _, h := range hosts {
		if sent[h] != 400 {
			t.Errorf("host %d sends %d packets, want 400", h, sent[h])
		}
	}
	if _, err := workload.AllToAllV(hosts[:1], 1, 1, nil); err == nil || err.Error() != "all-to-all-v: found 1 hosts, 1 packets of 1 bytes, allowed: 2 or more, and 1 or more" {
		t.Errorf("%v", err)
	}
}

// A step of a collective begins when its host has what the step before it brings; each host sends as much as the algorithm says.
func TestCollectives(t *testing.T) {
	const bytes = 1 << 20
	hosts := []int{5, 2, 11, 3, 8, 1, 30, 7}
	for _, c := range []struct {
		name  string
		make  func(hosts []int, bytes uint64) ([]workload.Flow, error)
		steps int
		sent  uint64 // by each
		first uint64 // bytes of its first flow
		to    func(step, host int) int
	}{
		{"ring", workload.Ring, 14, bytes / 8 * 14, bytes / 8, func(_, host int) int { return (host + 1) % 8 }},
		{"butterfly", workload.Butterfly, 6, bytes / 8 * 14, bytes / 2, func(step, host int) int { return host ^ []int{4, 2, 1, 1, 2, 4}[step] }},
	} {
		flows, err := c.make(hosts, bytes)
		if err != nil {
			t.Fatal(err)
		}
		if len(flows) != c.steps*len(hosts) {
			t.Errorf("%s: %d flows, want %d steps of %d", c.name, len(flows), c.steps, len(hosts))
		}
		sent := map[int]uint64{}
		for i, f := range flows {
			sent[f.Src] += f.Bytes
			if want := hosts[c.to(i/len(hosts), i%len(hosts))]; f.Dst != want {
				t.Errorf("%s: flow %d goes to host %d, want %d", c.name, i, f.Dst, want)
			}
			if i < len(hosts) {
				if f.After != nil || f.Bytes != c.first || f.Src != hosts[i] {
					t.Errorf("%s: %+v", c.name, f)
				}
				continue
			}
			if len(f.After) != 1 || flows[f.After[0]].Dst != f.Src || f.After[0]/len(hosts) != i/len(hosts)-1 {
				t.Errorf("%s: flow %d: %+v", c.name, i, f)
			}
		}
		for _, h := range hosts {
			if sent[h] != c.sent {
				t.Errorf("%s: host %d sends %d bytes, want %d", c.name, h, sent[h], c.sent)
			}
		}
		if _, err := c.make(hosts[:1], bytes); err == nil {
			t.Errorf("%s of one host", c.name)
		}
	}
	if _, err := workload.Butterfly(hosts[:6], bytes); err == nil || !strings.Contains(err.Error(), "found 6 hosts and 1048576 bytes, allowed: a power of two of hosts") {
		t.Errorf("butterfly of 6 hosts: %v", err)
	}
}

// Each host sends to each other one, to three at a time.
func TestAllToAll(t *testing.T) {
	hosts := []int{4, 0, 2, 7, 9}
	flows, err := workload.AllToAll(hosts, 3, 1000)
	if err != nil {
		t.Fatal(err)
	}
	pairs := map[[2]int]bool{}
	for i, f := range flows {
		pairs[[2]int{f.Src, f.Dst}] = true
		if i < 15 && f.After != nil || i >= 15 && (len(f.After) != 1 || f.After[0] != i-15 || flows[i-15].Src != f.Src) {
			t.Errorf("flow %d: %+v", i, f)
		}
	}
	if len(flows) != 20 || len(pairs) != 20 {
		t.Errorf("%d flows of %d pairs, want 20", len(flows), len(pairs))
	}
	if _, err := workload.AllToAll(hosts, 0, 1000); err == nil {
		t.Error("no connections at a time")
	}
}
