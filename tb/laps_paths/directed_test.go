// SPDX-License-Identifier: Apache-2.0

package lapspaths_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	params "github.com/nicgen/nicgen/gen/laps_paths"
)

// play runs a script on the RTL: cycles separated by semicolons, in each some events
// joined by +, or *N for N cycles without any. Events are
//
//	t=N, beta=N        the time and cfg_beta become N
//	packet D           a packet to destination D
//	ack P N, answer P N  a delay of N was measured on path P
//	path P D N B A     path P of destination D is written with realVal N, baseVal B and
//	                   anchor A, or 100 + P without one
//	list P, remove P, commit D, twice D  changes of the tables; twice: with the scale 2
//	pick I B, none I   the picker's answer for packet I: bank B, or none
//	route P            a route request
//	reset              rst is high
//
// It returns the answers in the order in which they come: {d by bank +probed path} for candidates, [T: realVal
// by bank] for rate control's operands, (path: anchor, realVal) for a path, "none" and
// "illegal".
func play(d *device, p *params.Params, script string) string {
	var out []string
	say := func(format string, a ...any) { out = append(out, fmt.Sprintf(format, a...)) }
	perBank := func(usable, v uint64, bits int64) string {
		list := make([]string, p.Banks)
		for b := range list {
			if list[b] = "-"; usable>>b&1 == 1 {
				list[b] = fmt.Sprint(v >> (int64(b) * bits) & (1<<bits - 1))
			}
		}
		return strings.Join(list, " ")
	}
	cycle := func(in ports) {
		d.cycle(in)
		if d.Get("m_cand_valid") == 1 {
			s := perBank(d.Get("m_cand_usable"), d.Get("m_cand_latency"), params.WeightBits)
			if d.Get("m_probe_valid") == 1 {
				s += fmt.Sprintf(" +%d", d.Get("m_probe_pid"))
			}
			say("{%s}", s)
		}
		if d.Get("m_rate_valid") == 1 {
			say("[%d: %s]", d.Get("m_rate_max_base"), perBank(d.Get("m_rate_usable"), d.Get("m_rate_latency"), p.LatBits))
		}
		switch {
		case d.Get("m_path_valid") == 1 && d.Get("m_path_none") == 1:
			say("none")
		case d.Get("m_path_valid") == 1 || d.Get("m_route_valid") == 1:
			say("(%d: %d, %d)", d.Get("m_path_pid"), d.Get("m_path_anchors"), d.Get("m_path_latency"))
		}
		if d.Get("evt_illegal") == 1 {
			say("illegal")
		}
	}
	for _, c := range strings.Split(script, ";") {
		if n, ok := strings.CutPrefix(strings.TrimSpace(c), "*"); ok {
			for range number(d.t, n) {
				cycle(nil)
			}
			continue
		}
		in, nothing := ports{}, true
		for _, event := range strings.Split(c, "+") {
			w := strings.Fields(event)
			arg := func(i int) uint64 { return uint64(number(d.t, w[i])) }
			if name, value, ok := strings.Cut(w[0], "="); ok {
				d.Set(map[string]string{"t": "now_ns", "beta": "cfg_beta"}[name], uint64(number(d.t, value)))
				continue
			}
			nothing = false
			cfg := func(op uint64) { in["s_cfg_valid"], in["s_cfg_op"] = 1, op }
			switch w[0] {
			case "packet":
				in["s_packet_valid"], in["s_packet_dst"] = 1, arg(1)
			case "ack", "answer":
				in["s_ack_valid"], in["s_ack_pid"], in["s_ack_delay_ns"] = 1, arg(1), arg(2)&(1<<params.DelayBits-1)
				if w[0] == "answer" {
					in["s_ack_probe"] = 1
				}
			case "path":
				cfg(params.OpPath)
				in["s_cfg_pid"], in["s_cfg_dst"], in["s_cfg_latency"], in["s_cfg_base"] = arg(1), arg(2), arg(3), arg(4)
				in["s_cfg_anchors"] = 100 + arg(1)
				if len(w) > 5 {
					in["s_cfg_anchors"] = arg(5)
				}
			case "list", "remove":
				cfg(map[string]uint64{"list": params.OpList, "remove": params.OpRemove}[w[0]])
				in["s_cfg_pid"] = arg(1)
			case "commit", "twice":
				cfg(params.OpCommit)
				in["s_cfg_dst"], in["s_cfg_scale"] = arg(1), 15<<params.MantissaBits|1<<15
				if w[0] == "twice" {
					in["s_cfg_scale"] = 14<<params.MantissaBits | 1<<15
				}
			case "pick":
				in["s_pick_valid"], in["s_pick_id"], in["s_pick_index"] = 1, arg(1), arg(2)
			case "none":
				in["s_pick_valid"], in["s_pick_id"], in["s_pick_none"] = 1, arg(1), 1
			case "reset":
				in["rst"] = 1
			case "route":
				in["s_route_valid"], in["s_route_pid"] = 1, arg(1)
			default:
				d.t.Fatalf("%s: no such event", event)
			}
		}
		if !nothing { // a change of the time alone takes no cycle
			cycle(in)
		}
	}
	for range 20 {
		cycle(nil)
	}
	return strings.Join(out, " ")
}

func number(t *testing.T, s string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// The page's statements on each choice, checked on the RTL. At the start, at 100,
// destination 0 has the paths 0, 4 and 8 with realVal 8, 10 and 20 and baseVal 20, 30 and
// 10, and destination 1 has path 1 with 130 and 9. Scales are 1: d is realVal.
func TestDirected(t *testing.T) {
	const before = "t=100; commit 0; commit 1; path 0 0 8 20; path 4 0 10 30; path 8 0 20 10; path 1 1 130 9;" +
		"list 0; list 4; list 8; commit 0; list 1; commit 1; *20"
	p := suite.Configure(t, small+" path_latency=true")
	for _, c := range []struct{ name, script, want string }{
		{"L4: of several expired, the first behind the one probed last is probed, one a packet; P3: it counts as doubled",
			"t=150; packet 0; packet 0; packet 0; packet 0; *10; t=182; packet 0; t=183; packet 0",
			"{16 10 20 - +0} {16 20 20 - +4} {16 20 40 - +8} {16 20 40 -} {16 20 40 -} {32 20 40 - +0}"},
		{"L4: the search goes on from the last bank to the first, and not from the first if it has expired again",
			"t=150; packet 0; *10; t=183; packet 0; ack 0 0; t=190; *1; packet 0; *1; packet 0; packet 0",
			"{16 10 20 - +0} [30: 0 10 20 -] {16 20 20 - +4} {0 20 40 - +8} {0 20 40 - +0} {0 20 40 -}"},
		{"L4: each destination has its own last probe",
			"t=372; packet 0; packet 1; packet 0; packet 1",
			"{16 10 20 - +0} {16383 - - - +1} {16 20 20 - +4} {16383 - - -}"},
		{"L3: each path by its own realVal",
			"t=116; packet 0; t=117; packet 0; *8; t=120; packet 0; t=121; packet 0",
			"{8 10 20 -} {16 10 20 - +0} {16 10 20 -} {16 20 20 - +4}"},
		{"P2: no probe if an ACK is taken 5 cycles after the packet; the next packet probes",
			"t=150; packet 0; *4; ack 8 30; packet 0",
			"{8 10 20 -} [30: 8 10 30 -] {16 10 30 - +0}"},
		{"P2: 4 and 6 cycles after it do not matter",
			"t=150; packet 0; *3; ack 8 30; *1; ack 8 31; *1; packet 0",
			"{16 10 20 - +0} [30: 8 10 30 -] [30: 16 10 31 -] {16 20 31 - +4}"},
		{"P2: the first packet from 13 cycles after that one on has that cycle kept free",
			"t=150; packet 0; *4; ack 8 30; *7; packet 0; *4; ack 8 31; ack 8 32",
			"{8 10 20 -} [30: 8 10 30 -] {16 10 30 - +0} [30: 16 10 32 -]"},
		{"P2: that of 12 cycles after it not",
			"t=150; packet 0; *4; ack 8 30; *6; packet 0; *4; ack 8 31",
			"{8 10 20 -} [30: 8 10 30 -] {8 10 30 -} [30: 8 10 31 -]"},
		{"P2: nor one to another destination",
			"t=150; packet 0; *4; ack 8 30; *7; packet 1; *4; ack 8 31",
			"{8 10 20 -} [30: 8 10 30 -] {130 - - -} [30: 8 10 31 -]"},
		{"P2: a path that is written waits for it, a removal does not",
			"t=150; packet 0; *4; ack 8 30; *7; packet 0; *4; path 1 1 7 9; *8; packet 1;" +
				"packet 0; *4; ack 8 30; *7; packet 0; *4; remove 1; *8; ack 1 3",
			"{8 10 20 -} [30: 8 10 30 -] {16 10 30 - +0} {130 - - -} {16 10 30 -} [30: 16 10 30 -] {16 20 30 - +4}"},
		{"P4: a measurement soon after the probe wins",
			"t=150; packet 0; ack 0 7; packet 0; *8; packet 0",
			"[30: 7 10 20 -] {16 10 20 - +0} {7 20 20 - +4} {7 20 40 - +8}"},
		{"P4: one of another path does not",
			"t=150; packet 0; ack 4 7; packet 0; *8; packet 0",
			"[30: 8 7 20 -] {16 10 20 - +0} {16 7 40 - +8} {16 7 40 -}"},
		{"P4: a commit drops the doubling of a probe 4 cycles before",
			"t=150; packet 0; *3; commit 0; list 0; commit 0; *8; packet 0",
			"{16 10 20 - +0} {16 - - - +0}"},
		{"P4: and not that of 5 cycles before",
			"t=150; packet 0; *4; commit 0; list 0; commit 0; *8; packet 0",
			"{16 10 20 - +0} {16 - - -}"},
		{"P5: rate control has the doubling late",
			"t=150; packet 0; *3; ack 8 20; *1; ack 8 20",
			"{16 10 20 - +0} [30: 8 10 20 -] [30: 16 10 20 -]"},
		{"L5: doubling saturates, and a dead path is probed every 2·realVal",
			"t=361; packet 1; *8; t=871; packet 1; t=872; packet 1; *8; ack 1 5; packet 1",
			"{16383 - - - +1} {16383 - - -} {16383 - - - +1} [9: 5 - - -] {5 - - -}"},
		{"a delay of all ones is a dead path, a longer one too",
			"t=110; ack 0 255; ack 4 256; packet 0",
			"[30: 255 10 20 -] [30: 255 255 20 -] {16383 16383 20 -}"},
		{"L7: a negative delay counts as 0",
			"t=110; ack 0 -5; packet 0; t=111; packet 0",
			"[30: 0 10 20 -] {0 10 20 -} {0 10 20 - +0}"},
		{"L6: no path",
			"t=110; packet 2; packet 5; *20; none 0; none 1",
			"illegal {- - - -} {- - - -} none none"},
		{"L21: an answer changes the path and goes nowhere",
			"t=110; answer 0 5; packet 0",
			"{5 10 20 -}"},
		{"P6: ACKs of paths that were removed, never written or do not exist",
			"t=110; remove 4; ack 4 77; ack 12 1; ack 16 1; packet 0",
			"illegal {8 10 20 -}"},
		{"the change of a cycle comes before its packet, the next one's after it",
			"t=110; path 0 0 3 20 + packet 0; path 0 0 4 20; packet 0",
			"{3 10 20 -} {4 10 20 -}"},
		{"L9: a commit changes all paths of a destination",
			"t=110; list 4; packet 0; commit 0 + packet 0; packet 0",
			"{8 10 20 -} {- 10 - -} {- 10 - -}"},
		{"a listed path must belong to a destination",
			"t=110; remove 4; list 4; list 8; commit 0; packet 0",
			"illegal {- - 20 -}"},
		{"a path is given to another destination",
			"t=110; list 0; list 8; commit 0; path 4 1 12 40; list 1; list 4; commit 1; packet 0; packet 1; ack 4 13",
			"{8 - 20 -} [40: 130 13 - -] {130 12 - -}"},
		{"L13: T is that of the paths as they were listed",
			"t=110; path 8 0 20 90; ack 0 8; list 0; list 8; commit 0; ack 0 8; list 0; commit 0; ack 0 8; commit 0; ack 0 8",
			"[30: 8 10 20 -] [90: 8 - 20 -] [20: 8 - - -] [0: - - - -]"},
		{"scale and beta are for latencies to come",
			"t=110; list 0; list 4; twice 0; packet 0; ack 0 9; packet 0; *4; beta=16384; *4; ack 4 11; packet 0",
			"[30: 9 10 - -] {8 10 - -} {18 10 - -} [30: 9 11 - -] {18 11 - -}"},
		{"the path's latency is that of the pick's cycle, with the packet's own probe",
			"t=150; packet 0; *14; pick 0 0; pick 0 1; ack 4 33; *4; pick 0 1; ack 4 44; *3; pick 0 1",
			"{16 10 20 - +0} (0: 100, 16) (4: 104, 10) (4: 104, 33) [30: 16 33 20 -] (4: 104, 33) [30: 16 44 20 -]"},
		{"a pick has the anchors of a path that is written up to 3 cycles after it",
			"t=110; route 0; *2; path 0 0 8 20 7; *8; route 0; *3; path 0 0 8 20 9; *8; route 0",
			"(0: 7, 8) (0: 7, 8) (0: 9, 8)"},
		{"route requests",
			"t=110; packet 0; *14; route 8; route 31; pick 0 0 + route 4; route 4",
			"{8 10 20 -} (8: 108, 20) illegal (0: 100, 8) (4: 104, 10)"},
	} {
		d := open(t, p)
		if got := play(d, p, before); got != "" {
			t.Fatalf("tables: %s", got)
		}
		if got := play(d, p, c.script); got != c.want {
			t.Errorf("%s\n%s\ngot  %s\nwant %s", c.name, c.script, got, c.want)
		}
	}
}

// A change in the cycle of a reset, or while tables are emptied after one, has no effect. Of a
// change taken in earlier cycles only the anchors remain; with parity the sweep has overwritten
// them.
func TestResetLosesChanges(t *testing.T) {
	const (
		tiny            = "destinations=2 dst_bits=2 banks=2 rows=2 pid_bits=3 anchors=1 lat_bits=8 time_bits=16 tag_bits=4"
		oldest, newest  = -10, 2 // the change, in cycles from the last reset
		before, written = 100, 77
	)
	for _, set := range []string{small, small + " ack_lookup=own", tiny, even} {
		p := suite.Configure(t, set)
		d := open(t, p)
		row := p.Rows // the first path of the second bank
		for _, change := range []string{fmt.Sprintf("path 0 0 3 5 %d", written), fmt.Sprintf("list %d", row), "remove 0", "commit 0"} {
			for first := -4; first <= 0; first++ { // an earlier reset, whose sweep is under way at the last one
				for at := oldest; at <= newest; at++ {
					what := fmt.Sprintf("%s: %q at %+d, resets at %+d and 0", set, change, at, first)
					play(d, p, fmt.Sprintf("t=100; path 0 0 8 20; path %d 0 10 30; list 0; list %[1]d; commit 0", row))
					var script []string
					for i := oldest; i <= newest; i++ {
						c := "*1"
						switch reset := i == first || i == 0; {
						case reset && i == at:
							c = change + " + reset"
						case reset:
							c = "reset"
						case i == at:
							c = change
						}
						script = append(script, c)
					}
					script = append(script, fmt.Sprintf("*%d", p.ReadyDelay()))
					play(d, p, strings.Join(script, ";"))

					anchors := uint64(before)
					if at < first && strings.HasPrefix(change, "path") {
						anchors = written
					}
					d.cycle(ports{"s_route_valid": 1})
					d.Step(params.PathLatency - 1)
					if got := d.Get("m_path_anchors"); got != anchors && p.StateProtection != params.Parity || d.Get("m_route_valid") != 1 {
						t.Errorf("%s: anchors %d, want %d", what, got, anchors)
					}
					const want = "[40: 9 -] {- -} [40: 5 -] {9 -}"
					none := strings.Repeat(" -", int(p.Banks)-2)
					got := play(d, p, "t=110; ack 0 6; path 0 1 9 40; list 0; commit 1; ack 0 9; packet 0; packet 1; ack 0 5")
					if got = strings.ReplaceAll(got, none, ""); got != want {
						t.Errorf("%s: %s, want %s", what, got, want)
					}
					if n := d.Get("sts_config_cnt"); n != 3 {
						t.Errorf("%s: sts_config_cnt is %d, want 3", what, n)
					}
					if t.Failed() {
						return
					}
					d.cycle(ports{"rst": 1})
					d.Step(int(p.ReadyDelay()) - 1)
				}
			}
		}
	}
}

// No traffic keeps a path that has expired from being probed: packets that wait for the
// write bus do so for 13 cycles, the next one probes. And probes keep at most one
// measurement in 8 cycles waiting. A pattern is played over and over, a letter a cycle:
// p a packet, a an ACK, b both. All ACKs are of another destination's path.
func TestProbesAreNotStarved(t *testing.T) {
	patterns := []string{"pa", "ap", "paaa", "paaaaaaa", "ppppa", "pppppaaaaa", "papaaapa", "b", "bbbbba", "pab"}
	rng := rand.New(rand.NewPCG(5, 12))
	for range 40 {
		letters := []byte("p")
		for range rng.IntN(14) {
			letters = append(letters, "ppaaab-"[rng.IntN(7)])
		}
		patterns = append(patterns, string(letters))
	}
	for _, set := range []string{small, own} {
		p := suite.Configure(t, set)
		d := open(t, p)
		held := 0
		for _, pattern := range patterns {
			d.cycle(ports{"rst": 1})
			d.Step(int(p.ReadyDelay()) + 32)
			play(d, p, "t=100; commit 0; commit 1; path 0 0 8 20; path 4 0 10 30; path 8 0 20 10; path 1 1 130 9;"+
				"list 0; list 4; list 8; commit 0; list 1; commit 1; t=200")
			const cycles = 240
			probes, waits, longest, offered, missed := 0, 0, 0, 0, 0
			for i := range cycles + params.CandLatency {
				in := ports{}
				letter := pattern[i%len(pattern)]
				if i >= cycles {
					letter = '-'
				}
				packet, ack := letter == 'p' || letter == 'b', letter == 'a' || letter == 'b'
				if packet {
					in["s_packet_valid"] = 1
				}
				if ack && (p.AckLookup == params.Own || !packet) {
					in["s_ack_valid"], in["s_ack_pid"], in["s_ack_delay_ns"] = 1, 1, 9
					offered++
				}
				d.cycle(in)
				if d.Get("sts_hold") == 1 {
					held++
				}
				if d.Get("m_cand_valid") == 1 && probes < 3 {
					if waits++; d.Get("m_probe_valid") == 1 {
						probes, waits = probes+1, 0
					}
					longest = max(longest, waits)
				}
			}
			d.Step(params.RateLatency)
			missed = offered - int(d.Get("sts_ack_cnt"))
			if probes != 3 || longest > params.MarkDelay || missed > cycles/params.HoldEvery {
				t.Errorf("ack_lookup %s, %q: %d of 3 paths probed, %d packets waited in a row, %d of %d ACKs were not taken",
					p.AckLookup, pattern, probes, longest, missed, offered)
			}
		}
		if held == 0 {
			t.Errorf("ack_lookup %s: the write bus was never kept free", p.AckLookup)
		}
	}
}
